package dev.skein.wire;

/// Every shape a stored session has had since the first release. All of them stay readable.
public enum FormatVersion {
    V1(1, "one JSON object per line: seq, prev, type, at, the fields of the event, crc");

    private final int number;
    private final String summary;

    FormatVersion(int number, String summary) {
        this.number = number;
        this.summary = summary;
    }

    public String summary() {
        return summary;
    }

    public int number() {
        return number;
    }

    public static FormatVersion current() {
        return values()[values().length - 1];
    }
}
