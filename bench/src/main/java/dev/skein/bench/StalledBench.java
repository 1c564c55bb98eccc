package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.testkit.http.EventReader;
import dev.skein.testkit.http.PlainHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Clients that follow a session and stop reading: whom does that hurt?
final class StalledBench implements Bench {

    private static final int CLIENTS = 500;
    private static final int BACK = 50;
    private static final int APPENDS = 300;
    private static final int WARM_UP = 50;

    /// After so many appends nobody has room for one more.
    private static final int FILLING = 20;

    private static final int RECEIVE_BUFFER = 4_096;
    private static final int ANSWER = 6_000;
    private static final int HEARD = 3;
    private static final int PATIENCE = 300;
    private static final String FIRST = "1";

    @Override
    public String name() {
        return "stalled";
    }

    @Override
    public String question() {
        return "clients that follow a session and do not read";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        try (var server = ServedProcess.start(lab.newDirectory())) {
            var sessions = server.sessions(2);
            measure(server, sessions.getFirst(), sessions.getLast(), report);
        }
    }

    private static void measure(ServedProcess server, String followed, String alone, Report report) throws IOException {
        var connections = new ArrayList<PlainHttp>();
        try {
            for (int i = 0; i < WARM_UP; i++) {
                server.said(alone, ANSWER);
            }
            try (var _ = Tails.open(server, Collections.nCopies(CLIENTS, alone))) {
                server.said(alone, ANSWER);
            }
            awaitNobody(server, alone);
            var memory = server.used();
            var readers = new ArrayList<EventReader>();
            for (int i = 0; i < CLIENTS; i++) {
                var http = new PlainHttp(server.port(), server.key(), RECEIVE_BUFFER, 256);
                connections.add(http);
                readers.add(http.events("GET", "/v1/sessions/" + followed + "/events?newest=0", Map.of(), null));
            }
            var taken = 0L;
            for (int i = 0; i < FILLING; i++) {
                server.said(followed, ANSWER);
                taken = Math.max(taken, server.used() - memory);
            }
            report.measured(
                    "memory of one of %d who follow and do not read, at most".formatted(CLIENTS),
                    Unit.BYTES,
                    taken / (double) CLIENTS,
                    Bound.atMost(64 * 1024, Unit.BYTES));
            report.compared("of them connected after that (control: clients)", Unit.COUNT, server.streams(), CLIENTS);
            var with = new ArrayList<Long>();
            var without = new ArrayList<Long>();
            for (int i = 0; i < APPENDS; i++) {
                with.add(server.said(followed, ANSWER));
                without.add(server.said(alone, ANSWER));
            }
            report.compared(
                    "an append while %d who follow do not read, 99th percentile (control: nobody follows)"
                            .formatted(CLIENTS),
                    Unit.NANOS,
                    ServerBench.percentile(with, 0.99),
                    ServerBench.percentile(without, 0.99),
                    Bound.atMost(1.2));
            report.compared(
                    "the same, median",
                    Unit.NANOS,
                    ServerBench.percentile(with, 0.5),
                    ServerBench.percentile(without, 0.5),
                    Bound.atMost(1.2));
            ends(server, followed, readers, report);
        } finally {
            ServerBench.close(connections);
        }
    }

    /// A client that went away is noticed when something is told to it.
    private static void awaitNobody(ServedProcess server, String session) throws IOException {
        for (int i = 0; server.streams() > 0; i++) {
            if (i == PATIENCE) {
                throw new IOException(server.streams() + " streams stay open without a client");
            }
            server.said(session, ANSWER);
            TailsBench.pause(Duration.ofMillis(100));
        }
    }

    /// When they read again they find the end of their stream. Some come again with the id of the last event they got,
    /// and are given the next.
    private static void ends(ServedProcess server, String session, List<EventReader> readers, Report report)
            throws IOException {
        var ended = new AtomicInteger();
        var resumed = new AtomicInteger();
        var told = told(server, session);
        ServerBench.together(readers.size(), number -> {
            var last = lastOf(readers.get(number));
            ended.incrementAndGet();
            if (number < BACK && next(server, session, last).equals(told.get(told.indexOf(last) + 1))) {
                resumed.incrementAndGet();
            }
        });
        report.compared("of them disconnected (control: clients)", Unit.COUNT, ended.get(), CLIENTS, Bound.atLeast(1));
        report.compared(
                "of some who came back, given the next event (control: came back)",
                Unit.COUNT,
                resumed.get(),
                BACK,
                Bound.atLeast(1));
    }

    /// The ids that somebody hears who reads all the time, in order.
    private static List<String> told(ServedProcess server, String session) throws IOException {
        var ids = new ArrayList<String>();
        try (var http = server.connect()) {
            var all = http.events("GET", "/v1/sessions/" + session + "/events", Map.of("Last-Event-ID", FIRST), null);
            while (ids.size() < (FILLING + APPENDS) * HEARD) {
                ids.add(idOf(all.next()));
            }
        }
        return ids;
    }

    private static String next(ServedProcess server, String session, String last) throws IOException {
        try (var http = server.connect()) {
            return idOf(http.events("GET", "/v1/sessions/" + session + "/events", Map.of("Last-Event-ID", last), null)
                    .next());
        }
    }

    private static String idOf(EventReader.@Nullable Heard event) {
        return event == null ? "none" : String.valueOf(event.id());
    }

    private static String lastOf(EventReader reader) {
        var last = FIRST;
        try {
            for (var event = reader.next(); event != null; event = reader.next()) {
                last = event.id() == null ? last : event.id();
            }
        } catch (IOException _) {
            // Cut off in the middle of an event.
        }
        return last;
    }
}
