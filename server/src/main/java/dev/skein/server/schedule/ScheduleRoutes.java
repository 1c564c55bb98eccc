package dev.skein.server.schedule;

import dev.skein.engine.schedule.Firing;
import dev.skein.engine.schedule.Firings;
import dev.skein.engine.schedule.ScheduleReport;
import dev.skein.engine.schedule.ScheduleSpec;
import dev.skein.message.Part;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.run.Completion;
import dev.skein.server.run.RunStarter;
import dev.skein.server.run.RunStarter.Held;
import dev.skein.server.stream.Retold;
import dev.skein.server.stream.Telling;
import java.util.List;
import java.util.Map;

/// The schedules that speak in the caller's own sessions. Those of others are not there.
public record ScheduleRoutes(RunStarter starter) {

    private record Listing(List<ScheduleReport> schedules) {}

    public void list(Exchange exchange) {
        var backend = starter.backend();
        var firings = new Firings(backend.store());
        var now = backend.clock().instant();
        exchange.answer(
                200,
                new Listing(backend.schedules().list().schedules().stream()
                        .filter(schedule -> isOf(exchange, schedule))
                        .map(schedule -> ScheduleReport.of(schedule, firings, now))
                        .toList()));
    }

    private static boolean isOf(Exchange exchange, ScheduleSpec schedule) {
        return schedule.owner().equals(exchange.caller().subject());
    }

    /// Runs one now, whenever it is due, and answers as any run does.
    public void run(Exchange exchange) {
        var backend = starter.backend();
        var name = exchange.parameter("name");
        var schedule = backend.schedules()
                .find(name)
                .filter(found -> isOf(exchange, found))
                .orElseThrow(() -> HttpFailure.noSchedule(name));
        var wanted = new Completion(
                schedule.overrides(),
                exchange.body().optionalFlag("stream").orElse(exchange.acceptsEvents()),
                true,
                Map.of(),
                Telling.OWN);
        var firing = Firing.of(schedule, backend.clock().instant());
        starter.answer(
                exchange,
                Held.of(new Firings(backend.store()).open(schedule, firing)),
                wanted,
                firing.ticket(Map.of(Retold.REQUEST, exchange.id())),
                starter.prompting(wanted, List.of(new Part.Text(schedule.prompt()))));
    }
}
