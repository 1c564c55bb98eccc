package dev.skein.cli.pty;

import java.util.regex.Pattern;

/// What a person reads of what a terminal got.
public final class Shown {

    private static final Pattern CONTROL =
            Pattern.compile("\u001b\\][^\u0007]*\u0007|\u001b\\[[0-?]*[ -/]*[@-~]|\u001b[=>()][0B]?|\r|\u0007");

    private Shown() {}

    public static String plain(String raw) {
        return CONTROL.matcher(raw).replaceAll("");
    }
}
