package dev.skein.cli.repl;

import org.junit.jupiter.api.Test;

class ReplProcessTest {
    @Test
    void later() {}
}
