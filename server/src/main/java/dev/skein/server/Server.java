package dev.skein.server;

import dev.skein.server.channel.ChannelRoutes;
import dev.skein.server.connection.Listener;
import dev.skein.server.gate.Gate;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.openai.OpenAiRoutes;
import dev.skein.server.page.Page;
import dev.skein.server.rag.RagRoutes;
import dev.skein.server.run.RunRoutes;
import dev.skein.server.run.RunStarter;
import dev.skein.server.run.Runs;
import dev.skein.server.schedule.ScheduleRoutes;
import dev.skein.server.schedule.ScheduledRuns;
import dev.skein.server.schedule.Scheduler;
import dev.skein.server.session.AgentRoutes;
import dev.skein.server.session.Outlines;
import dev.skein.server.session.RoleRoutes;
import dev.skein.server.session.SessionReads;
import dev.skein.server.session.SessionWrites;
import dev.skein.server.session.Sessions;
import dev.skein.server.setup.Backend;
import dev.skein.server.setup.ServerOptions;
import dev.skein.server.stream.Hub;
import dev.skein.server.stream.Stalls;
import dev.skein.server.stream.Streams;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The engine behind a socket. Made running; closed, it lets what runs come to its end, within a bound.
public final class Server implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    /// What runs are told that are cut short.
    private static final String STOPS = ScheduledRuns.STOPPED;

    /// How long runs that were cancelled may take to end.
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final ServerOptions options;
    private final Runs runs = new Runs();
    private final Hub hub;
    private final Stalls stalls;
    private final Gate gate;
    private final Scheduler scheduler;
    private final Listener listener;
    private boolean closed;

    /// Starts to listen.
    ///
    /// @throws CannotListen if nobody may there
    /// @param gate what every request passes first; made with [RouteRules]. The server closes it.
    public static Server start(Backend backend, ServerOptions options, Gate gate) {
        var server = new Server(backend, options, gate);
        server.scheduler.start();
        return server;
    }

    private Server(Backend backend, ServerOptions options, Gate gate) {
        this.gate = gate;
        this.options = options;
        this.hub = new Hub(backend.store());
        gate.meters().sessionsActive(hub::size);
        this.stalls = new Stalls(backend.timers(), options.heartbeat());
        var streams = new Streams(hub, stalls, options);
        var sessions = new Sessions(backend.store());
        var starter = new RunStarter(backend, options, runs, hub, streams, gate.meters());
        this.scheduler = new Scheduler(backend.schedules(), backend.clock(), new ScheduledRuns(starter, gate.traces()));
        var dispatch = new Dispatch(
                backend,
                options,
                new SessionReads(backend, sessions, streams, new Outlines()),
                new SessionWrites(backend, sessions),
                new RunRoutes(starter, sessions),
                new OpenAiRoutes(starter),
                new ChannelRoutes(starter, options.channels()),
                new RoleRoutes(backend, sessions),
                new AgentRoutes(backend, sessions),
                new RagRoutes(backend, sessions),
                new ScheduleRoutes(starter),
                new Page());
        var routing = HttpRouting.builder();
        gate.addTo(routing);
        routing.any(dispatch);
        try {
            this.listener = Listener.open(new InetSocketAddress(options.bind(), options.port()), gate.rules(), routing);
        } catch (IOException e) {
            throw new CannotListen(options.bind(), options.port(), e);
        }
    }

    /// Where it listens.
    public int port() {
        return listener.port();
    }

    /// Runs that go on or wait for their turn.
    public int running() {
        return runs.count();
    }

    /// Sessions that run or are followed.
    public int followed() {
        return hub.size();
    }

    /// Looks at once whether schedules changed.
    public void reload() {
        scheduler.wake();
    }

    /// Takes no more work, waits for what runs, ends what does not end by itself, and lets go of the socket. What is
    /// cut
    /// short can be continued.
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        gate.drain();
        runs.drain();
        scheduler.close();
        hub.close(HttpFailure.draining());
        try {
            if (!runs.await(options.drainTime())) {
                LOG.info("{} runs are cut short; they can be continued", runs.count());
                runs.cancelAll(STOPS);
                runs.await(LAST_WORDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            runs.cancelAll(STOPS);
        }
        hub.close(HttpFailure.draining());
        listener.close();
        stalls.close();
        gate.close();
    }
}
