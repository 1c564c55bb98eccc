package dev.skein.cli.settings;

import dev.skein.failure.InvalidRequest;
import dev.skein.server.auth.Door.Lock;
import dev.skein.server.auth.JwtSettings;
import dev.skein.server.gate.GateOptions;
import dev.skein.server.gate.GateOptions.Sizes;
import dev.skein.server.gate.ServerSettings;
import dev.skein.server.limit.Rate;
import dev.skein.server.setup.ChannelRules;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The section `server` of the settings.
final class ServerSection {

    private static final Pattern HOST =
            Pattern.compile("[a-z0-9.-]{1,253}(:[0-9]{1,5})?|\\[[0-9a-f:.]{2,45}](:[0-9]{1,5})?");
    private static final Pattern ORIGIN = Pattern.compile("https?://[a-z0-9.-]{1,253}(:[0-9]{1,5})?");

    private ServerSection() {}

    static ServerSettings read(SettingsFile section) {
        var standard = ServerSettings.STANDARD;
        var settings = new ServerSettings(
                section.value("host", ServerSection::address).orElse(standard.host()),
                section.whole("port", 0, 65_535).orElse(standard.port()),
                section.value("auth", ServerSection::lock).orElse(standard.lock()),
                gate(section, standard.gate()),
                jwt(section.section("jwt")),
                section.whole("request_seconds", 1, 86_400)
                        .map(Duration::ofSeconds)
                        .orElse(standard.request()),
                section.whole("drain_seconds", 0, 3_600)
                        .map(Duration::ofSeconds)
                        .orElse(standard.drain()),
                new ChannelRules(channels(section.section("channels"))));
        section.finish();
        return settings;
    }

    private static GateOptions gate(SettingsFile section, GateOptions standard) {
        var sizes = standard.sizes();
        return new GateOptions(
                Set.copyOf(section.values("hosts", ServerSection::host)),
                Set.copyOf(section.values("origins", ServerSection::origin)),
                Set.copyOf(section.values("proxies", ServerSection::literal)),
                new Rate(
                        section.number("requests_per_second", 0.01, 100_000)
                                .orElse(standard.rate().perSecond()),
                        section.whole("requests_burst", 1, 1_000_000)
                                .orElse(standard.rate().burst())),
                standard.failures(),
                section.whole("at_once_each", 1, 100_000).orElse(standard.atOnceEach()),
                section.whole("at_once", 1, 1_000_000).orElse(standard.atOnce()),
                new Sizes(
                        section.whole("body_bytes", 1_024, 1024 * 1024 * 1024)
                                .map(Integer::longValue)
                                .orElse(sizes.body()),
                        sizes.headers(),
                        sizes.headerBytes(),
                        sizes.line()),
                standard.slow(),
                standard.idle(),
                section.whole("connections", 0, 1_000_000).orElse(standard.connections()));
    }

    /// Either all of it or none.
    private static Optional<JwtSettings> jwt(SettingsFile section) {
        var issuer = section.text("issuer");
        var audience = section.text("audience");
        var keys = section.value("jwks", URI::create);
        section.finish();
        if (issuer.isEmpty() && audience.isEmpty() && keys.isEmpty()) {
            return Optional.empty();
        }
        var settings = JwtSettings.of(issuer.orElse(""), audience.orElse(""), keys.orElse(URI.create("missing")));
        section.problems().addAll(settings.problems());
        return Optional.of(settings);
    }

    private static Map<String, Set<String>> channels(SettingsFile section) {
        var channels = new LinkedHashMap<String, Set<String>>();
        for (var name : section.names()) {
            channels.put(name, Set.copyOf(section.texts(name).orElse(List.of())));
        }
        return channels;
    }

    private static Lock lock(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "on", "true" -> Lock.ON;
            case "off", "false" -> Lock.OFF;
            default -> throw new InvalidRequest("is 'on' or 'off', not '" + text + "'");
        };
    }

    private static String address(String text) {
        var _ = literal(text.equals("localhost") ? "127.0.0.1" : text);
        return text.equals("localhost") ? "127.0.0.1" : text;
    }

    private static InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException _) {
            throw new InvalidRequest("is an address such as 127.0.0.1, not '" + text + "'");
        }
    }

    private static String host(String text) {
        var host = text.toLowerCase(Locale.ROOT);
        if (!HOST.matcher(host).matches()) {
            throw new InvalidRequest("has host names such as skein.example.org, not '" + text + "'");
        }
        return host;
    }

    private static String origin(String text) {
        if (!ORIGIN.matcher(text).matches()) {
            throw new InvalidRequest("has origins such as https://app.example.org, not '" + text + "'");
        }
        return text;
    }
}
