/// Cancellation: how running work is asked to stop.
///
/// One [Cancellation] belongs to one run and reaches everything the run waits for: the model, its tools, the pauses
/// between tries. It never interrupts a write to a journal.
@NullMarked
package dev.skein.cancellation;

import org.jspecify.annotations.NullMarked;
