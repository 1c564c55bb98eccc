package dev.skein.server;

import dev.skein.server.http.Exchange;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.http.Problem;
import dev.skein.server.page.Page;
import dev.skein.server.run.RunRoutes;
import dev.skein.server.run.RunStarter;
import dev.skein.server.run.Runs;
import dev.skein.server.session.SessionReads;
import dev.skein.server.session.SessionWrites;
import dev.skein.server.session.Sessions;
import dev.skein.server.setup.Backend;
import dev.skein.server.setup.ServerOptions;
import dev.skein.server.stream.Hub;
import dev.skein.server.stream.Stalls;
import dev.skein.server.stream.Streams;
import dev.skein.wire.Json;
import io.helidon.common.socket.SocketOptions;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The engine behind a socket. Made running; closed, it lets what runs come to its end, within a bound.
public final class Server implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    /// How long runs that were cancelled may take to end.
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private static final int HEADERS_MAX = 16 * 1024;
    private static final int OVER_LIMIT = 64 * 1024;

    private final ServerOptions options;
    private final Runs runs = new Runs();
    private final Hub hub;
    private final Stalls stalls;
    private final WebServer web;
    private boolean closed;

    /// Starts to listen.
    ///
    /// @param filters what every request passes first, in this order; one of them must recognise the caller
    public static Server start(Backend backend, ServerOptions options, List<Filter> filters) {
        var server = new Server(backend, options, filters);
        server.web.start();
        return server;
    }

    private Server(Backend backend, ServerOptions options, List<Filter> filters) {
        this.options = options;
        this.hub = new Hub(backend.store());
        this.stalls = new Stalls(backend.timers(), options.heartbeat());
        var streams = new Streams(hub, stalls, options);
        var sessions = new Sessions(backend.store());
        var dispatch = new Dispatch(
                backend,
                options,
                runs,
                new SessionReads(backend, sessions, streams),
                new SessionWrites(backend, sessions),
                new RunRoutes(new RunStarter(backend, options, runs, hub, streams), sessions),
                new Page());
        var routing = HttpRouting.builder();
        filters.forEach(routing::addFilter);
        routing.any(dispatch);
        this.web = WebServer.builder()
                .bindAddress(new InetSocketAddress(options.bind(), options.port()))
                .shutdownHook(false)
                .maxPayloadSize(options.bodyMax() + (long) OVER_LIMIT)
                .connectionOptions(SocketOptions.builder().tcpNoDelay(true).build())
                .addProtocol(Http1Config.builder().maxHeadersSize(HEADERS_MAX).build())
                .directHandlers(unrouted(backend))
                .routing(routing)
                .build();
    }

    /// Where it listens.
    public int port() {
        return web.port();
    }

    /// Runs that go on or wait for their turn.
    public int running() {
        return runs.count();
    }

    /// Sessions that run or are followed.
    public int followed() {
        return hub.size();
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
        runs.drain();
        hub.close(HttpFailure.draining());
        try {
            if (!runs.await(options.drainTime())) {
                LOG.info("{} runs are cut short; they can be continued", runs.count());
                runs.cancelAll("the server stops");
                runs.await(LAST_WORDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            runs.cancelAll("the server stops");
        }
        hub.close(HttpFailure.draining());
        web.stop();
        stalls.close();
    }

    /// What goes wrong before a request is one, in the shape of all errors.
    private static DirectHandlers unrouted(Backend backend) {
        DirectHandler handler = (_, _, defaultStatus, headers, _) -> {
            var id = backend.ids().request();
            var problem = unroutedProblem(defaultStatus.code());
            return DirectHandler.TransportResponse.builder()
                    .status(Status.create(problem.status()))
                    .headers(headers)
                    .header(HeaderNames.create(Exchange.REQUEST_ID), id)
                    .header(HeaderNames.CONTENT_TYPE, "application/json")
                    .keepAlive(false)
                    .entity(Json.MAPPER.writeValueAsBytes(problem.json(id)))
                    .build();
        };
        var all = DirectHandlers.builder();
        for (var type : DirectHandler.EventType.values()) {
            all.addHandler(type, handler);
        }
        return all.build();
    }

    private static Problem unroutedProblem(int status) {
        return status == 413
                ? Problem.of(HttpFailure.tooLarge(0), "")
                : new Problem(
                        status >= 500 ? 400 : status,
                        "request.invalid",
                        "the request is not one that HTTP knows; check its first line and its headers",
                        Map.of());
    }
}
