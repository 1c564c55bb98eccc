package dev.skein.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReloadSignalTest {

    @Test
    void a_hangup_reloads_also_after_one_that_failed() throws Exception {
        var reloads = new LinkedBlockingQueue<Integer>();
        try (var _ = ReloadSignal.runs(() -> {
            reloads.add(1);
            throw new IllegalStateException("the file is broken");
        })) {
            for (int i = 0; i < 2; i++) {
                var kill = new ProcessBuilder(
                                "kill",
                                "-HUP",
                                String.valueOf(ProcessHandle.current().pid()))
                        .start();
                assertThat(kill.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(reloads.poll(60, TimeUnit.SECONDS)).isEqualTo(1);
            }
        }
    }
}
