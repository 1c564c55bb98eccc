/// `skein acp`: sessions in an editor that speaks the Agent Client Protocol, version 1, over standard input and output.
///
/// Begin with [AcpCommand]. [AcpPeer] carries messages both ways, [AcpAgent] answers them, [AcpTurn] is one prompt from
/// the editor to its end, with the permissions that it needs on the way. A session of the editor is a session of Skein,
/// by the
/// same id: it can be loaded after a crash, and gone on with in any other way.
@NullMarked
package dev.skein.cli.acp;

import org.jspecify.annotations.NullMarked;
