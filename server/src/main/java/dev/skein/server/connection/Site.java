package dev.skein.server.connection;

import io.helidon.common.context.Context;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.media.MediaContext;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.io.OutputStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/// What all connections of a listener share of the web server: its routes, its settings, and how it makes of a
/// connection one that speaks HTTP.
record Site(
        Router router,
        Http1ConnectionSelector http,
        ListenerConfig config,
        Context context,
        MediaContext mediaContext,
        ContentEncodingContext contentEncodingContext,
        DirectHandlers directHandlers,
        UnaryOperator<OutputStream> sending,
        ExecutorService executor)
        implements ListenerContext {

    /// What is kept for each stream as long as it is open. Events are written whole.
    private static final int WRITE_BUFFER = 1024;

    static Site of(ListenerRules rules, HttpRouting.Builder routing) {
        return new Site(
                Router.builder().addRouting(routing).build(),
                Http1ConnectionSelector.builder().config(rules.http()).build(),
                ListenerConfig.builder()
                        .maxPayloadSize(rules.bodyMax())
                        .writeBufferSize(WRITE_BUFFER)
                        .protocolsDiscoverServices(false)
                        .buildPrototype(),
                Context.builder().id("skein").build(),
                MediaContext.create(),
                ContentEncodingContext.create(),
                rules.errors(),
                rules.sending(),
                Executors.newVirtualThreadPerTaskExecutor());
    }
}
