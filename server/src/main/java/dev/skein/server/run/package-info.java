/// Runs over HTTP: prompts, continuations, decisions, cancelling, and what a request that is sent twice gets.
@NullMarked
package dev.skein.server.run;

import org.jspecify.annotations.NullMarked;
