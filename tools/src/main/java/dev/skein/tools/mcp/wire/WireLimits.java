package dev.skein.tools.mcp.wire;

/// How much a server may send.
///
/// @param messageBytes one message, hence one line
/// @param idleMessages messages within a minute of which none answers us; more is a flood
/// @param idleBytes bytes of these
/// @param badLines lines that are no messages, which some servers print by mistake
/// @param stderrBytes how much of what it says about itself is kept
public record WireLimits(int messageBytes, int idleMessages, long idleBytes, int badLines, int stderrBytes) {

    /// How deep a message may nest.
    public static final int DEPTH = 100;

    public static WireLimits standard() {
        return new WireLimits(8 * 1024 * 1024, 20_000, 64L * 1024 * 1024, 1_000, 16 * 1024);
    }
}
