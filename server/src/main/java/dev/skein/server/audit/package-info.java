/// What is written down while the server runs: who did what, one line each, and the program's own log as JSON.
@NullMarked
package dev.skein.server.audit;

import org.jspecify.annotations.NullMarked;
