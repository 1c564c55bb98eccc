package dev.skein.wire;

/// Every shape a stored session has had since the first release. All of them stay readable.
public enum FormatVersion {
    V1("one JSON object per line: seq, prev, type, at, the fields of the event, crc");

    private final String summary;

    FormatVersion(String summary) {
        this.summary = summary;
    }

    public String summary() {
        return summary;
    }

    public int number() {
        return ordinal() + 1;
    }

    public static FormatVersion current() {
        return values()[values().length - 1];
    }
}
