package dev.skein.cli.terminal;

/// A way to make a word stand out, where the terminal can.
public enum Style {
    BOLD("1"),
    DIM("2"),
    ITALIC("3"),
    BOLD_ITALIC("1;3"),
    RED("31"),
    GREEN("32"),
    YELLOW("33"),
    MAGENTA("35"),
    CYAN("36"),
    MATCH("1;33");

    private final String code;

    Style(String code) {
        this.code = code;
    }

    String around(String text) {
        return "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
