/// Schedules: prompts that are said at certain times. What one is says [ScheduleSpec], when it is due [When]; where
/// schedules are kept is behind [Schedules]. [Firings] finds out from the sessions themselves what was said already,
/// and
/// how that ended.
@NullMarked
package dev.skein.engine.schedule;

import org.jspecify.annotations.NullMarked;
