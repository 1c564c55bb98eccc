package dev.skein.cli.markdown;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The code in a text: what stands between fences of three or more backticks or tildes.
public final class CodeBlocks {

    private static final Pattern FENCE = Pattern.compile(" {0,3}(`{3,}|~{3,})([^`]*)");

    private CodeBlocks() {}

    /// Each block without its fences. One that nobody closed ends with the text.
    public static List<String> in(String text) {
        var blocks = new ArrayList<String>();
        var block = new ArrayList<String>();
        var open = "";
        for (var line : text.split("\\R", -1)) {
            var fence = FENCE.matcher(line);
            var isFence = fence.matches();
            if (open.isEmpty() && isFence) {
                open = fence.group(1);
            } else if (!open.isEmpty()
                    && isFence
                    && fence.group(1).startsWith(open)
                    && fence.group(2).isBlank()) {
                blocks.add(String.join("\n", block));
                block.clear();
                open = "";
            } else if (!open.isEmpty()) {
                block.add(line);
            }
        }
        if (!open.isEmpty()) {
            blocks.add(String.join("\n", block));
        }
        return blocks;
    }
}
