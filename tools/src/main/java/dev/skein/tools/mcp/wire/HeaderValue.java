package dev.skein.tools.mcp.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/// Any text as the value of a header. What a header cannot carry as it is goes in Base64, and what looks as if it did
/// goes
/// so too.
public final class HeaderValue {

    private static final String MARK = "=?base64?";

    private HeaderValue() {}

    public static String of(String text) {
        var plain = text.chars().allMatch(c -> c >= 0x20 && c <= 0x7e)
                && text.equals(text.strip())
                && !text.startsWith(MARK);
        return plain ? text : MARK + Base64.getEncoder().encodeToString(text.getBytes(UTF_8)) + "?=";
    }
}
