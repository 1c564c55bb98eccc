package dev.skein.cli.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/// Where logs go: to standard error, only what a person should look at, in the words of the program. No times, no class
/// names, no traces.
///
/// Code and no file, because reading one takes longer than listing sessions. Whoever names a file with
/// `-Dlogback.configurationFile` gets that.
@ConfiguratorRank(ConfiguratorRank.CUSTOM_NORMAL_PRIORITY)
public final class Logs extends ContextAwareBase implements Configurator {

    private static final String LEVEL = "SKEIN_LOG";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        var encoder = new Sentences();
        encoder.setContext(context);
        encoder.start();
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(System.getenv(LEVEL), Level.WARN));
        root.addAppender(appender);
        // What becomes of a lost connection is told by whoever needed it.
        context.getLogger("com.zaxxer.hikari").setLevel(Level.ERROR);
        // What libraries think of documents and models is not for people.
        context.getLogger("ai.djl").setLevel(Level.ERROR);
        context.getLogger("org.apache.pdfbox").setLevel(Level.OFF);
        context.getLogger("org.apache.fontbox").setLevel(Level.OFF);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /// One line for each event; what could move a cursor becomes a space.
    static final class Sentences extends EncoderBase<ILoggingEvent> {

        @Override
        public byte[] headerBytes() {
            return new byte[0];
        }

        @Override
        public byte[] encode(ILoggingEvent event) {
            var line = new StringBuilder("skein: ");
            var inGap = false;
            for (var c : String.valueOf(event.getFormattedMessage()).toCharArray()) {
                if (!Character.isISOControl(c)) {
                    line.append(c);
                } else if (!inGap) {
                    line.append(' ');
                }
                inGap = Character.isISOControl(c);
            }
            return line.append(System.lineSeparator()).toString().getBytes(UTF_8);
        }

        @Override
        public byte[] footerBytes() {
            return new byte[0];
        }
    }
}
