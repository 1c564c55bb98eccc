package dev.skein.cli.chat;

import dev.skein.message.Message;
import dev.skein.model.Sampling;
import dev.skein.session.OutputShape;
import dev.skein.tool.ToolSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a model would be asked, as `--dry-run` shows it.
record DryRun(
        String model,
        @Nullable String system,
        List<Message> messages,
        List<ToolSpec> tools,
        Sampling sampling,
        @Nullable OutputShape shape) {}
