/// Says in sessions what schedules have to say, when it is due. [Scheduler] waits, [ScheduledRuns] runs; what is due
/// and
/// what was done already is the engine's business.
@NullMarked
package dev.skein.server.schedule;

import org.jspecify.annotations.NullMarked;
