/// What every request passes before it reaches its route: where it comes from, who sends it, what they may, how much.
/// Begin with [dev.skein.server.gate.Gate].
@NullMarked
package dev.skein.server.gate;

import org.jspecify.annotations.NullMarked;
