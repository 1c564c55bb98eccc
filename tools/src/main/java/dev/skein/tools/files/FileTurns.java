package dev.skein.tools.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/// Lets only one call of this process at a time change a file: the calls of one reply run beside each other, and an
/// edit that is written over another would be lost. A lock is kept only as long as somebody has it or waits for it.
final class FileTurns {

    private static final ConcurrentHashMap<String, Turn> TURNS = new ConcurrentHashMap<>();

    private FileTurns() {}

    /// What is done with a file.
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException, InterruptedException;
    }

    private record Turn(ReentrantLock lock, int users) {}

    /// Does it when nobody else changes the file.
    ///
    /// @param file its one absolute path: none of its directories is a link
    static <T> T take(Path file, Work<T> work) throws IOException, InterruptedException {
        var name = name(file);
        var lock = TURNS.merge(
                        name, new Turn(new ReentrantLock(), 1), (turn, _) -> new Turn(turn.lock(), turn.users() + 1))
                .lock();
        try {
            lock.lockInterruptibly();
            try {
                return work.run();
            } finally {
                lock.unlock();
            }
        } finally {
            TURNS.computeIfPresent(
                    name, (_, turn) -> turn.users() == 1 ? null : new Turn(turn.lock(), turn.users() - 1));
        }
    }

    /// Whether somebody changes this file, or waits to.
    static boolean isWanted(Path file) {
        return TURNS.containsKey(name(file));
    }

    /// Where upper and lower case are the same, one file has several paths; elsewhere this costs a short wait.
    private static String name(Path file) {
        return file.toString().toLowerCase(Locale.ROOT);
    }
}
