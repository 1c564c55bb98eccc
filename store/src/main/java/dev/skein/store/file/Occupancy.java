package dev.skein.store.file;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Who uses a session in this process, and so how long its journal stays open for appends.
///
/// To open it again costs two syncs and a look at its end, and a server opens and closes a session with every request.
/// So a journal that was just written to stays open when its last handle is closed, until the session rests.
///
/// Safe for use by many threads.
final class Occupancy {

    private final ReentrantLock mutex;
    private final SessionWriter writer;
    private final BooleanSupplier staysOpen;
    private boolean writing;
    private int handles;

    Occupancy(ReentrantLock mutex, SessionWriter writer, BooleanSupplier staysOpen) {
        this.mutex = mutex;
        this.writer = writer;
        this.staysOpen = staysOpen;
    }

    /// Counts one more handle.
    void enter() {
        mutex.lock();
        try {
            handles++;
        } finally {
            mutex.unlock();
        }
    }

    /// Counts one handle less.
    void leave() throws IOException {
        mutex.lock();
        try {
            handles--;
            closeUnlessKept();
        } finally {
            mutex.unlock();
        }
    }

    /// Somebody here is through the turnstile: until [#doneWriting], nothing is true but what was acknowledged.
    void startWriting() {
        mutex.lock();
        try {
            writing = true;
        } finally {
            mutex.unlock();
        }
    }

    void doneWriting() throws IOException {
        mutex.lock();
        try {
            writing = false;
            closeUnlessKept();
        } finally {
            mutex.unlock();
        }
    }

    /// For those who hold the mutex.
    boolean isWritten() {
        return writing;
    }

    /// Closes the journal, unless somebody uses the session.
    void closeIfIdle() throws IOException {
        mutex.lock();
        try {
            if (isIdle()) {
                writer.close();
            }
        } finally {
            mutex.unlock();
        }
    }

    private boolean isIdle() {
        return handles <= 0 && !writing;
    }

    private void closeUnlessKept() throws IOException {
        if (!isIdle()) {
            return;
        }
        if (staysOpen.getAsBoolean()) {
            writer.dropBuffer();
        } else {
            writer.close();
        }
    }
}
