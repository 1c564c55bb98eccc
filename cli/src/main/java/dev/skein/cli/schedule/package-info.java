/// `skein schedule`: lists, writes and removes schedules. What one is says `ScheduleSpec` in the engine; `skein serve`
/// runs what is due.
@NullMarked
package dev.skein.cli.schedule;

import org.jspecify.annotations.NullMarked;
