package dev.skein.redaction;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The shapes by which keys, tokens and passwords give themselves away.
///
/// A shape has hints, pieces of text without which it cannot occur, so that most texts are only skimmed. It begins at
/// the border of a word and repeats without going back, so no text makes it slow. If the pattern has a group, only
/// that is the secret. UUIDs, hashes and pictures in Base64 have none of these shapes.
final class SecretShapes {

    /// No character of a token before it, and none after it.
    private static final String BEFORE = "(?<![A-Za-z0-9_+/=-])";

    private static final String AFTER = "(?![A-Za-z0-9_+/=-])";

    private static final String PEM_BEGIN = "-----BEGIN ";
    private static final String PEM_END = "-----END ";
    private static final int PEM_MAX = 32 * 1024;
    private static final Pattern PEM_TITLE = Pattern.compile("(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----");
    private static final Pattern PEM_CUT = Pattern.compile("[A-Za-z0-9+/=\\s\\\\]*+");

    private static final Pattern NAME_OF_SECRET =
            Pattern.compile("PASSW(?:OR)?D|PASSPHRASE|SECRET|TOKEN(?!S)|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL");

    private static final List<Shape> SHAPES = List.of(
            token("anthropic", "[A-Za-z0-9_-]{20,}+", "sk-ant-"),
            token("openrouter", "[A-Za-z0-9_-]{20,}+", "sk-or-"),
            token("openai", "(?:proj-|svcacct-|admin-|None-)?+[A-Za-z0-9_-]{20,}+", "sk-"),
            token("google", "[A-Za-z0-9_-]{35}" + AFTER, "AIza"),
            token("google-oauth", "[A-Za-z0-9_-]{20,}+", "ya29.", "GOCSPX-"),
            token("aws", "[A-Z2-7]{16}" + AFTER, "AKIA", "ASIA"),
            within(
                    "aws-secret",
                    "(?i)aws_?secret_?(?:access_?)?key[\"']?\\s{0,5}[:=]\\s{0,5}[\"']?([A-Za-z0-9/+]{40})"
                            + "(?![A-Za-z0-9/+])",
                    "ecret",
                    "ECRET"),
            token("github", "[A-Za-z0-9]{36,255}+", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
            token("github", "[A-Za-z0-9_]{40,255}+", "github_pat_"),
            token("gitlab", "[A-Za-z0-9_.-]{20,}+", "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-", "glft-"),
            token("slack", "[A-Za-z0-9-]{10,}+", "xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxr-", "xoxs-", "xapp-"),
            within("slack", "hooks\\.slack\\.com/services/([A-Za-z0-9/]{30,}+)", "hooks.slack.com"),
            token("stripe", "[A-Za-z0-9]{16,}+", "sk_live_", "sk_test_", "rk_live_", "rk_test_"),
            token("stripe", "[A-Za-z0-9]{24,}+", "whsec_"),
            token("npm", "[A-Za-z0-9]{36}" + AFTER, "npm_"),
            token("pypi", "[A-Za-z0-9_-]{50,}+", "pypi-"),
            token("huggingface", "[A-Za-z0-9]{30,}+", "hf_"),
            token("skein", "[A-Za-z0-9_-]{30,}+", "skein_"),
            token("groq", "[A-Za-z0-9]{40,}+", "gsk_"),
            token("xai", "[A-Za-z0-9]{40,}+", "xai-"),
            token("perplexity", "[A-Za-z0-9]{40,}+", "pplx-"),
            token("replicate", "[A-Za-z0-9]{30,}+", "r8_"),
            token("tavily", "[A-Za-z0-9-]{20,}+", "tvly-"),
            token("sendgrid", "[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{39,50}+", "SG."),
            token("twilio", "[0-9a-f]{32}" + AFTER, "SK"),
            within("telegram", BEFORE + "([0-9]{8,10}:AA[A-Za-z0-9_-]{33})" + AFTER, ":AA"),
            token("digitalocean", "[0-9a-f]{64}" + AFTER, "dop_v1_", "doo_v1_", "dor_v1_"),
            token("shopify", "[0-9a-fA-F]{32}" + AFTER, "shpat_", "shpca_", "shppa_", "shpss_"),
            token("databricks", "[0-9a-f]{32}(?:-[0-9])?" + AFTER, "dapi"),
            token("docker", "[A-Za-z0-9_-]{20,}+", "dckr_pat_", "dckr_oat_"),
            token("vault", "[A-Za-z0-9_-]{24,}+", "hvs.", "hvb.", "hvr."),
            token("linear", "[A-Za-z0-9]{32,}+", "lin_api_", "lin_oauth_"),
            token("notion", "[A-Za-z0-9]{40,}+", "ntn_"),
            token("figma", "[A-Za-z0-9_-]{30,}+", "figd_"),
            token("age", "[0-9A-Z]{58}", "AGE-SECRET-KEY-1"),
            within("azure", "AccountKey=([A-Za-z0-9+/]{43,88}={0,2})", "AccountKey="),
            token("jwt", "[A-Za-z0-9_-]{8,}+\\.eyJ[A-Za-z0-9_-]{8,}+(?:\\.[A-Za-z0-9_-]{8,}+)?+", "eyJ"),
            random("bearer", "(?i)(?<![a-z])bearer[ \\t]{1,5}([A-Za-z0-9._~+/=-]{16,}+)", "[A-Z0-9]", "earer", "EARER"),
            within(
                    "basic",
                    "(?i)authorization[\"']?:\\s{0,5}[\"']?basic[ \\t]{1,5}([A-Za-z0-9+/=]{8,}+)",
                    "uthorization",
                    "UTHORIZATION"),
            random(
                    "api-key",
                    "(?i)(?<![A-Za-z0-9])(?:x-)?(?:goog-)?api[_-]?key[\"']?\\s{0,5}[:=]\\s{0,5}[\"']?"
                            + "([A-Za-z0-9_.-]{20,200}+)",
                    "[0-9]",
                    "api",
                    "Api",
                    "API"),
            within("url-password", "://[^\\s/:@\"'<>]{0,100}+:([^\\s/@\"'<>]{1,200}+)@", "://"),
            new Shape(
                    "variable",
                    Pattern.compile("(?<![A-Za-z0-9_])([A-Z][A-Z0-9_]{2,60}+)=[\"']?([^\\s\"'$<>{}()\\[\\]*]{8,400}+)"),
                    2,
                    match -> NAME_OF_SECRET.matcher(match.group(1)).find(),
                    Place.ANYWHERE,
                    List.of("PASS", "SECRET", "TOKEN", "KEY", "CREDENTIAL")));

    private SecretShapes() {}

    /// Where a shape is, seen from its hint.
    private enum Place {
        /// It begins with the hint.
        AT_HINT,
        ANYWHERE
    }

    private record Shape(
            String kind, Pattern pattern, int group, Predicate<MatchResult> counts, Place place, List<String> hints) {}

    static String redact(String text) {
        var clean = text.contains(PEM_BEGIN) ? withoutPrivateKeys(text) : text;
        for (var shape : SHAPES) {
            clean = switch (shape.place()) {
                case AT_HINT -> {
                    var rest = clean;
                    for (int i = 0; i < shape.hints().size(); i++) {
                        rest = beginning(shape, shape.hints().get(i), rest);
                    }
                    yield rest;
                }
                case ANYWHERE -> holdsAny(clean, shape.hints()) ? anywhere(shape, clean) : clean;
            };
        }
        return clean;
    }

    /// Asked for every line of every log, so without a stream.
    private static boolean holdsAny(String text, List<String> hints) {
        for (int i = 0; i < hints.size(); i++) {
            if (text.contains(hints.get(i))) {
                return true;
            }
        }
        return false;
    }

    /// A word that begins with one of these.
    private static Shape token(String kind, String rest, String... beginnings) {
        return new Shape(kind, Pattern.compile(rest), 0, _ -> true, Place.AT_HINT, List.of(beginnings));
    }

    /// Something in a text that holds one of these hints. Words of code and prose are told from keys by what keys have:
    /// digits, or capitals in odd places.
    private static Shape random(String kind, String pattern, String signs, String... hints) {
        var sign = Pattern.compile(signs);
        return new Shape(
                kind,
                Pattern.compile(pattern),
                1,
                match -> sign.matcher(match.group(1)).find(),
                Place.ANYWHERE,
                List.of(hints));
    }

    /// Something in a text that holds one of these hints.
    private static Shape within(String kind, String pattern, String... hints) {
        return new Shape(kind, Pattern.compile(pattern), 1, _ -> true, Place.ANYWHERE, List.of(hints));
    }

    private static String beginning(Shape shape, String hint, String text) {
        int at = text.indexOf(hint);
        if (at < 0) {
            return text;
        }
        var clean = new StringBuilder();
        var rest = shape.pattern().matcher(text).useTransparentBounds(true);
        int copied = 0;
        while (at >= 0) {
            int next = at + hint.length();
            if (isBorder(text, at) && rest.region(next, text.length()).lookingAt()) {
                clean.append(text, copied, at).append(Redaction.marker(shape.kind()));
                copied = rest.end();
                next = copied;
            }
            at = text.indexOf(hint, next);
        }
        return copied == 0 ? text : clean.append(text, copied, text.length()).toString();
    }

    /// Whether no character of a token stands before this place.
    private static boolean isBorder(String text, int at) {
        if (at == 0) {
            return true;
        }
        char before = text.charAt(at - 1);
        return !(before < 128 && Character.isLetterOrDigit(before)) && "_+/=-".indexOf(before) < 0;
    }

    private static String anywhere(Shape shape, String text) {
        Matcher found = shape.pattern().matcher(text);
        var clean = new StringBuilder();
        int copied = 0;
        while (found.find()) {
            if (shape.counts().test(found)) {
                clean.append(text, copied, found.start(shape.group())).append(Redaction.marker(shape.kind()));
                copied = found.end(shape.group());
            }
        }
        return copied == 0 ? text : clean.append(text, copied, text.length()).toString();
    }

    /// Private keys between their two lines; if the second is missing because the text was cut, as far as it looks
    /// like a key. By hand, since a pattern for this would look for the end again and again.
    private static String withoutPrivateKeys(String text) {
        var clean = new StringBuilder();
        int copied = 0;
        int begin = text.indexOf(PEM_BEGIN);
        while (begin >= 0) {
            var title = PEM_TITLE.matcher(text).region(begin + PEM_BEGIN.length(), text.length());
            int next = begin + PEM_BEGIN.length();
            if (title.lookingAt()) {
                next = endOfKey(text, title.end());
                clean.append(text, copied, begin).append(Redaction.marker("private-key"));
                copied = next;
            }
            begin = text.indexOf(PEM_BEGIN, next);
        }
        return copied == 0 ? text : clean.append(text, copied, text.length()).toString();
    }

    private static int endOfKey(String text, int from) {
        int dashes = text.indexOf("-----", from);
        if (dashes >= 0 && dashes - from <= PEM_MAX && text.startsWith(PEM_END, dashes)) {
            int close = text.indexOf("-----", dashes + PEM_END.length());
            return close >= 0 && close - dashes < 100 ? close + 5 : dashes;
        }
        var body = PEM_CUT.matcher(text).region(from, Math.min(text.length(), from + PEM_MAX));
        return body.lookingAt() ? body.end() : from;
    }
}
