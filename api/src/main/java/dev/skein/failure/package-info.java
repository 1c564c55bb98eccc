/// Failures: what Skein raises on purpose.
///
/// Every failure is a [SkeinException] with a kind (who must act, which front ends translate) and a stable
/// code (which scripts may match and `docs/errors.md` explains). Its message names the thing, the fact and
/// the next step. Programming errors stay `IllegalArgumentException` and `IllegalStateException`.
@NullMarked
package dev.skein.failure;

import org.jspecify.annotations.NullMarked;
