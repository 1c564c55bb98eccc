package dev.skein.tools.call;

import static java.util.Objects.requireNonNullElse;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// A tool made of its spec and an action. Turns what goes wrong into words for the model.
public record LocalTool(ToolSpec spec, Action action) implements Tool {

    /// What a tool does.
    @FunctionalInterface
    public interface Action {
        ToolOutcome act(Arguments arguments, ToolRequest request, Cancellation cancellation)
                throws IOException, InterruptedException;
    }

    @Override
    public ToolOutcome run(ToolRequest request, Cancellation cancellation) throws InterruptedException {
        cancellation.check();
        try {
            return action.act(new Arguments(request.call().arguments()), request, cancellation);
        } catch (Refused e) {
            return ToolOutcome.Failed.because(e);
        } catch (ClosedByInterruptException _) {
            Thread.interrupted();
            throw new InterruptedException("interrupted while reading or writing a file");
        } catch (IOException e) {
            return new ToolOutcome.Failed(words(e));
        }
    }

    private static String words(IOException e) {
        return switch (e) {
            case NoSuchFileException missing ->
                "'" + missing.getFile() + "' is not there; list the directory to see what is";
            case AccessDeniedException denied -> "'" + denied.getFile() + "' may not be accessed by this user";
            case FileSystemException other ->
                "'" + other.getFile() + "': "
                        + requireNonNullElse(other.getReason(), other.getClass().getSimpleName());
            default -> requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
        };
    }
}
