package dev.skein.redaction;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The shapes by which keys, tokens and passwords give themselves away.
///
/// A shape has a hint, a piece of text without which it cannot occur, so that most texts are only skimmed. Its pattern
/// begins at a border and repeats without going back, so no text makes it slow. If the pattern has a group, only that
/// is the secret. UUIDs, hashes and pictures in Base64 have none of these shapes.
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
            Pattern.compile("PASSW(?:OR)?D|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL");

    private static final List<Shape> SHAPES = List.of(
            token("anthropic", "sk-ant-", "sk-ant-[A-Za-z0-9_-]{20,}+"),
            token("openrouter", "sk-or-", "sk-or-[A-Za-z0-9_-]{20,}+"),
            token("openai", "sk-", "sk-(?:proj-|svcacct-|admin-|None-)?+[A-Za-z0-9_-]{20,}+"),
            token("google", "AIza", "AIza[A-Za-z0-9_-]{35}" + AFTER),
            token("google-oauth", "ya29.", "ya29\\.[A-Za-z0-9_-]{20,}+"),
            token("google-oauth", "GOCSPX-", "GOCSPX-[A-Za-z0-9_-]{20,}+"),
            token("aws", "A", "(?:AKIA|ASIA)[A-Z2-7]{16}" + AFTER),
            shape(
                    "aws-secret",
                    "ecret",
                    "(?i)aws_?secret_?(?:access_?)?key[\"']?\\s{0,5}[:=]\\s{0,5}[\"']?([A-Za-z0-9/+]{40})"
                            + "(?![A-Za-z0-9/+])"),
            token("github", "gh", "gh[pousr]_[A-Za-z0-9]{36,255}+"),
            token("github", "github_pat_", "github_pat_[A-Za-z0-9_]{40,255}+"),
            token("gitlab", "gl", "gl(?:pat|dt|rt|cbt|ptt|soat|ft)-[A-Za-z0-9_.-]{20,}+"),
            token("slack", "xo", "xox[abeprs]-[A-Za-z0-9-]{10,}+"),
            token("slack", "xapp-", "xapp-[0-9]-[A-Za-z0-9-]{10,}+"),
            shape("slack", "hooks.slack.com", "hooks\\.slack\\.com/services/([A-Za-z0-9/]{30,}+)"),
            token("stripe", "k_", "[sr]k_(?:live|test)_[A-Za-z0-9]{16,}+"),
            token("stripe", "whsec_", "whsec_[A-Za-z0-9]{24,}+"),
            token("npm", "npm_", "npm_[A-Za-z0-9]{36}" + AFTER),
            token("pypi", "pypi-", "pypi-[A-Za-z0-9_-]{50,}+"),
            token("huggingface", "hf_", "hf_[A-Za-z0-9]{30,}+"),
            token("groq", "gsk_", "gsk_[A-Za-z0-9]{40,}+"),
            token("xai", "xai-", "xai-[A-Za-z0-9]{40,}+"),
            token("perplexity", "pplx-", "pplx-[A-Za-z0-9]{40,}+"),
            token("replicate", "r8_", "r8_[A-Za-z0-9]{30,}+"),
            token("tavily", "tvly-", "tvly-[A-Za-z0-9-]{20,}+"),
            token("sendgrid", "SG.", "SG\\.[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{39,50}+"),
            token("twilio", "SK", "SK[0-9a-f]{32}" + AFTER),
            token("telegram", ":AA", "[0-9]{8,10}:AA[A-Za-z0-9_-]{33}" + AFTER),
            token("digitalocean", "do", "do[opr]_v1_[0-9a-f]{64}" + AFTER),
            token("shopify", "shp", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}" + AFTER),
            token("databricks", "dapi", "dapi[0-9a-f]{32}(?:-[0-9])?" + AFTER),
            token("docker", "dckr_", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}+"),
            token("vault", "hv", "hv[sbr]\\.[A-Za-z0-9_-]{24,}+"),
            token("linear", "lin_", "lin_(?:api|oauth)_[A-Za-z0-9]{32,}+"),
            token("notion", "ntn_", "ntn_[A-Za-z0-9]{40,}+"),
            token("figma", "figd_", "figd_[A-Za-z0-9_-]{30,}+"),
            token("age", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
            shape("azure", "AccountKey", "AccountKey=([A-Za-z0-9+/]{43,88}={0,2})"),
            token("jwt", "eyJ", "eyJ[A-Za-z0-9_-]{8,}+\\.eyJ[A-Za-z0-9_-]{8,}+(?:\\.[A-Za-z0-9_-]{8,}+)?+"),
            shape("bearer", "earer", "(?i)(?<![a-z])bearer[ \\t]{1,5}([A-Za-z0-9._~+/=-]{16,}+)"),
            shape("bearer", "EARER", "(?i)(?<![a-z])bearer[ \\t]{1,5}([A-Za-z0-9._~+/=-]{16,}+)"),
            shape(
                    "basic",
                    "uthorization",
                    "(?i)authorization[\"']?:\\s{0,5}[\"']?basic[ \\t]{1,5}([A-Za-z0-9+/=]{8,}+)"),
            shape(
                    "api-key",
                    "ey",
                    "(?i)(?<![A-Za-z0-9])(?:x-)?(?:goog-)?api[_-]?key[\"']?\\s{0,5}[:=]\\s{0,5}[\"']?"
                            + "([A-Za-z0-9_.-]{20,200}+)"),
            shape("url-password", "://", "://[^\\s/:@\"'<>]{0,100}+:([^\\s/@\"'<>]{1,200}+)@"),
            new Shape(
                    "variable",
                    "=",
                    Pattern.compile("(?<![A-Za-z0-9_])([A-Z][A-Z0-9_]{2,60}+)=[\"']?([^\\s\"'$<>{}()\\[\\]*]{8,400}+)"),
                    2,
                    match -> NAME_OF_SECRET.matcher(match.group(1)).find()));

    private SecretShapes() {}

    private record Shape(String kind, String hint, Pattern pattern, int group, Predicate<MatchResult> counts) {}

    static String redact(String text) {
        var clean = text.contains(PEM_BEGIN) ? withoutPrivateKeys(text) : text;
        for (var shape : SHAPES) {
            if (clean.contains(shape.hint())) {
                clean = without(shape, clean);
            }
        }
        return clean;
    }

    private static Shape token(String kind, String hint, String pattern) {
        return new Shape(kind, hint, Pattern.compile(BEFORE + pattern), 0, _ -> true);
    }

    private static Shape shape(String kind, String hint, String pattern) {
        return new Shape(kind, hint, Pattern.compile(pattern), 1, _ -> true);
    }

    private static String without(Shape shape, String text) {
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
