package dev.skein.server.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.skein.redaction.Redaction;
import dev.skein.wire.Json;

/// A log event as one line of JSON. That of the logging library knows of no secrets and leaves some controls as they
/// are.
final class JsonEncoder extends EncoderBase<ILoggingEvent> {

    private static final byte[] NOTHING = {};

    private final Redaction redaction;

    JsonEncoder(Redaction redaction) {
        this.redaction = redaction;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        var line = Json.MAPPER.createObjectNode();
        line.put("time", event.getInstant().toString());
        line.put("level", event.getLevel().toString());
        line.put("logger", event.getLoggerName());
        line.put("thread", event.getThreadName());
        line.put("message", redaction.redact(String.valueOf(event.getFormattedMessage())));
        event.getMDCPropertyMap().forEach((name, value) -> line.put(name, redaction.redact(String.valueOf(value))));
        var thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.put("trace", redaction.redact(ThrowableProxyUtil.asString(thrown)));
        }
        return JsonLine.of(line).getBytes(UTF_8);
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
