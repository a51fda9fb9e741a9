package dev.oriel.store;

import dev.oriel.io.Directory;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Files of a store that hold what is of no use to anybody once it is closed: what transactions have written
/// past `writeSetBytesMax`, changed pages of a large commit until a checkpoint, and rows that queries put aside.
/// None of them is part of what the database is: they are never synced, no header, log or page refers to them,
/// and the next opening deletes what a crash has left of them.
///
/// A failure of such a file is a failure of the transaction or query that wanted it, and poisons nothing.
///
/// For any number of threads.
final class TemporaryFiles {
    private static final String PREFIX = "spill-";

    private final Directory directory;

    /// Of these files alone.
    private final WriteGate writeGate = new WriteGate(false, Fence.NONE);

    private final AtomicLong made = new AtomicLong();
    private final Set<TemporaryFile> files = ConcurrentHashMap.newKeySet();

    TemporaryFiles(Directory directory) {
        this.directory = directory;
    }

    WriteGate writeGate() {
        return writeGate;
    }

    static boolean isName(String name) {
        return FileNames.isNumbered(name, PREFIX, 18);
    }

    /// Deletes those that are among `names`: nobody else has the folder open.
    static void deleteLeftOver(Directory directory, List<String> names) throws IOException {
        for (String name : names) {
            if (isName(name)) {
                directory.delete(name);
            }
        }
    }

    /// A new one, empty.
    ///
    /// @throws LimitException if there is no room for it
    TemporaryFile create() {
        writeGate.checkOpen();
        String name = PREFIX + made.incrementAndGet();
        try {
            TemporaryFile file = new TemporaryFile(this, name, directory.open(name));
            files.add(file);
            return file;
        } catch (IOException e) {
            throw noRoom(e);
        }
    }

    static LimitException noRoom(IOException cause) {
        return new LimitException(
                "There is no room to put the transaction's writes aside; free space on the"
                        + " disk and try again, or roll it back",
                "",
                cause);
    }

    /// How many there are.
    int count() {
        return files.size();
    }

    /// Bytes of all of them.
    long bytes() {
        return files.stream().mapToLong(TemporaryFile::bytes).sum();
    }

    void delete(TemporaryFile file) {
        if (!files.remove(file)) {
            return;
        }
        try {
            file.close();
            directory.delete(file.name);
        } catch (IOException e) { // the next opening tries again
            EventLog.say(System.Logger.Level.WARNING, "A temporary file cannot be deleted", e);
        }
    }

    /// The store closes: whoever still has one writes to it in vain.
    void close() {
        writeGate.close();
        files.forEach(this::delete);
    }
}
