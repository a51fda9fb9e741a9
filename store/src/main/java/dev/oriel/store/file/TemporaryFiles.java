package dev.oriel.store.file;

import dev.oriel.io.Directory;
import dev.oriel.io.StorageFile;
import dev.oriel.store.LimitException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// The temporary files of a store, useless once it is closed. They hold write sets spilled past
/// `writeSetBytesMax`, changed pages of a large commit until a checkpoint, and rows that queries put aside. They
/// are not part of the database: never synced, and no header, log or page refers to them. The next opening
/// deletes leftovers of a crash.
///
/// A failure of such a file fails the transaction or query that uses it, and poisons nothing.
///
/// For any number of threads.
public final class TemporaryFiles {
    private static final String PREFIX = "spill-";

    private final Directory directory;

    /// Gate of these files alone.
    private final WriteGate writeGate = new WriteGate(false, Fence.NONE);

    private final AtomicLong made = new AtomicLong();
    private final Set<ScratchFile> files = ConcurrentHashMap.newKeySet();

    /// Names of files that could not be deleted: Windows keeps a file while a map of it is referenced.
    private final Queue<String> undeleted = new ConcurrentLinkedQueue<>();

    public TemporaryFiles(Directory directory) {
        this.directory = directory;
    }

    public WriteGate writeGate() {
        return writeGate;
    }

    public static boolean isName(String name) {
        return FileNames.isNumbered(name, PREFIX, 18);
    }

    /// Deletes the temporary files among `names`, while the caller has the folder to itself. One that a map of an
    /// earlier opening holds stays.
    public static void deleteLeftOver(Directory directory, List<String> names) throws IOException {
        for (String name : names) {
            if (isName(name)) {
                try {
                    directory.delete(name);
                } catch (FileSystemException refused) {
                    if (!isHeld(directory, name)) {
                        throw refused;
                    }
                    EventLog.say(
                            System.Logger.Level.DEBUG, "A temporary file is still in use", refused);
                }
            }
        }
    }

    /// Whether a map of the file `name` may be the reason that it cannot be deleted.
    private static boolean isHeld(Directory directory, String name) throws IOException {
        try (StorageFile file = directory.open(name)) {
            return file.isHeldByMaps();
        }
    }

    /// Creates an empty file.
    ///
    /// @throws LimitException if there is no room for it
    public ScratchFile create() {
        writeGate.checkOpen();
        retry();
        try {
            while (true) {
                String name = PREFIX + made.incrementAndGet();
                StorageFile opened = directory.open(name);
                if (opened.size() > 0) { // of an earlier opening, whose maps hold it
                    opened.close();
                    continue;
                }
                ScratchFile file = new ScratchFile(this, name, opened);
                files.add(file);
                return file;
            }
        } catch (IOException e) {
            throw noRoom(e);
        }
    }

    public static LimitException noRoom(IOException cause) {
        return new LimitException(
                "There is no room to put the transaction's writes aside; free space on the"
                        + " disk and try again, or roll it back",
                "",
                cause);
    }

    /// Number of files.
    public int count() {
        return files.size();
    }

    /// Total bytes of the files.
    public long bytes() {
        return files.stream().mapToLong(ScratchFile::bytes).sum();
    }

    void delete(ScratchFile file) {
        if (!files.remove(file)) {
            return;
        }
        try {
            file.close();
            directory.delete(file.name);
        } catch (FileSystemException refused) {
            if (file.isHeldByMaps()) { // until the collector has found them
                undeleted.add(file.name);
            } else {
                EventLog.say(
                        System.Logger.Level.WARNING, "A temporary file cannot be deleted", refused);
            }
        } catch (IOException e) { // the next opening tries again
            EventLog.say(System.Logger.Level.WARNING, "A temporary file cannot be deleted", e);
        }
    }

    /// Tries again to delete the files that could not be deleted so far.
    private void retry() {
        for (int i = undeleted.size(); i > 0; i--) {
            String name = undeleted.poll();
            if (name == null) {
                return;
            }
            try {
                directory.delete(name);
            } catch (FileSystemException held) {
                undeleted.add(name);
            } catch (IOException e) {
                EventLog.say(System.Logger.Level.WARNING, "A temporary file cannot be deleted", e);
            }
        }
    }

    /// Closes and deletes all files; later uses of them fail.
    public void close() {
        writeGate.close();
        files.forEach(this::delete);
        retry();
    }
}
