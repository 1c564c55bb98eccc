package dev.skein.cli.repl;

import java.util.regex.Pattern;

/// What a person reads of what a terminal got.
final class Shown {

    private static final Pattern CONTROL =
            Pattern.compile("\u001b\\][^\u0007]*\u0007|\u001b\\[[0-?]*[ -/]*[@-~]|\u001b[=>()][0B]?|\r|\u0007");

    private Shown() {}

    static String plain(String raw) {
        return CONTROL.matcher(raw).replaceAll("");
    }
}
