package dev.skein.server.audit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import dev.skein.redaction.Redaction;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/// The log of a program that serves: one JSON object a line, without secrets, with the ids of request and session.
public final class JsonLogs {

    private JsonLogs() {}

    /// From now on everything that is logged, by whatever library, goes to `out` as JSON.
    ///
    /// @param level the least that is logged, for example `INFO`, which is also taken for what is no level
    public static void install(OutputStream out, String level, Redaction redaction) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            throw new IllegalStateException("logs go through Logback, or cannot be JSON");
        }
        var encoder = new JsonEncoder(redaction);
        encoder.setContext(context);
        encoder.start();
        var appender = new OutputStreamAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setName("json");
        appender.setEncoder(encoder);
        appender.setOutputStream(out);
        appender.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.setLevel(Level.toLevel(level, Level.INFO));
        root.addAppender(appender);
        // A client that was cut off is no reason to look; those who are, are counted.
        context.getLogger("io.helidon.webserver.ConnectionHandler").setLevel(Level.ERROR);
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }
}
