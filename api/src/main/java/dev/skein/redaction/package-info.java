/// Keeps secrets out of what is stored, logged and shown. It finds those it was told of and those whose shape gives
/// them away; it cannot find a secret that looks like any other word. Begin with [Redaction].
@NullMarked
package dev.skein.redaction;

import org.jspecify.annotations.NullMarked;
