package dev.skein.tools.rag.text;

import java.util.List;

/// What became of a document that was to be read.
public sealed interface Reading {

    record Text(List<Block> blocks) implements Reading {
        public Text {
            blocks = List.copyOf(blocks);
        }
    }

    /// It is no text that can be read.
    record Refused(String reason) implements Reading {}
}
