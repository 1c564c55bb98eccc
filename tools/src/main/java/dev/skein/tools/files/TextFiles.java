package dev.skein.tools.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.tools.call.Refused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// Whole text files of a workspace. A file is replaced in one step: a reader sees the old text or the new one, and a
/// crash leaves one of them, with the permissions it had. Safe for use by many threads.
final class TextFiles {

    private static final AtomicLong COUNTER = new AtomicLong();

    private final Workspace workspace;

    TextFiles(Workspace workspace) {
        this.workspace = workspace;
    }

    enum Change {
        MADE,
        REPLACED
    }

    /// The names that lead to a file; never none.
    static List<String> fileNames(Workspace workspace, String path) {
        var names = workspace.names(path);
        if (names.isEmpty()) {
            throw new Refused("'" + path + "' is the workspace itself; name a file in it");
        }
        return names;
    }

    /// Does it while no other call changes this file.
    <T> T alone(String path, FileTurns.Work<T> work) throws IOException, InterruptedException {
        return FileTurns.take(workspace.root().resolve(String.join("/", fileNames(workspace, path))), work);
    }

    /// The exact text of a file.
    String read(String path) throws IOException {
        var names = fileNames(workspace, path);
        try (var folder = workspace.folder(names.subList(0, names.size() - 1));
                var channel = folder.read(names.getLast())) {
            var bytes = Channels.newInputStream(channel).readNBytes(FileTools.WRITE_CHARS_MAX + 1);
            if (bytes.length > FileTools.WRITE_CHARS_MAX) {
                throw new Refused("'" + path + "' has more than " + FileTools.WRITE_CHARS_MAX
                        + " bytes; change it with other means");
            }
            return UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw new Refused("'" + path + "' is not a text in UTF-8; change it with other means");
        }
    }

    /// Replaces the file or makes it, and the directories on the way.
    Change write(String path, String content) throws IOException {
        var names = fileNames(workspace, path);
        var name = names.getLast();
        try (var folder = workspace.folderMade(names.subList(0, names.size() - 1))) {
            var before = folder.find(name);
            if (before.isPresent() && !before.get().isRegularFile()) {
                throw Folder.refusal(name, before.get(), "a file");
            }
            var draft = draft(folder, content.getBytes(UTF_8));
            try {
                if (before.isPresent()) {
                    var permissions = folder.permissions(name);
                    if (permissions.isPresent()) {
                        folder.permit(draft, permissions.get());
                    }
                }
                folder.rename(draft, name);
            } catch (IOException | RuntimeException e) {
                discard(folder, draft, e);
                throw e;
            }
            return before.isPresent() ? Change.REPLACED : Change.MADE;
        }
    }

    /// A new file with this content, safe on the disk, under a name nobody uses.
    private static String draft(Folder folder, byte[] content) throws IOException {
        while (true) {
            var name = ".skein-" + ProcessHandle.current().pid() + "-" + COUNTER.incrementAndGet() + ".tmp";
            try (var channel = folder.channel(name, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW))) {
                try {
                    var bytes = ByteBuffer.wrap(content);
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                    if (channel instanceof FileChannel file) {
                        file.force(true);
                    }
                    return name;
                } catch (IOException | RuntimeException e) {
                    discard(folder, name, e);
                    throw e;
                }
            } catch (FileAlreadyExistsException _) {
                // Left by a process that had our number: take the next name.
            }
        }
    }

    private static void discard(Folder folder, String name, Exception cause) {
        try {
            folder.delete(name);
        } catch (NoSuchFileException _) {
            // It is gone already.
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
