/// Talking to a model from the command line: `skein "prompt"`.
///
/// Finds or makes the session, has the engine run the prompt, shows what is heard and asks the person where one has to
/// decide. What a run does is the engine's business. Begin with [Chat].
@NullMarked
package dev.skein.cli.chat;

import org.jspecify.annotations.NullMarked;
