package dev.oriel.io;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The folders whose lock this process holds, and the rule for their own files: every entry of the folder except
/// for subfolders, under all its names. Opening and closing the file `lock` alone would already release the lock
/// of the process (POSIX).
///
/// Safe for use by any number of threads.
final class OpenFolders {
    private static final Set<Entry> OPEN = ConcurrentHashMap.newKeySet();

    /// File that marks the folder of a database, which another process or class loader may have open.
    private static final String DATA = "data";

    private OpenFolders() {}

    /// Compared by identity: two shared locks may be on one folder.
    @SuppressWarnings("ClassCanBeRecord") // a record has the equality of its folder
    private static final class Entry {
        private final Path folder;

        private Entry(Path folder) {
            this.folder = folder;
        }
    }

    /// Counts `folder` as open until the returned lock is closed, which closes `lock` too. If memory runs out
    /// here, `lock` is closed.
    static FolderLock add(Path folder, FolderLock lock) {
        try {
            Entry entry = new Entry(folder);
            FolderLock open = new Counted(entry, lock);
            OPEN.add(entry);
            return open;
        } catch (OutOfMemoryError e) {
            try {
                lock.close();
            } catch (Exception again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    /// The lock of a folder that counts as open.
    private record Counted(Entry entry, FolderLock lock) implements FolderLock {
        @Override
        public boolean isDoubtful() {
            return lock.isDoubtful();
        }

        @Override
        public void settle() throws IOException {
            lock.settle();
        }

        @Override
        public void close() throws IOException {
            try {
                lock.close();
            } finally {
                OPEN.remove(entry);
            }
        }
    }

    /// Whether `file`, a real path that need not exist, belongs to a database, or is the folder of one.
    static boolean own(Path file) throws IOException {
        Path parent = file.getParent();
        if (parent != null
                && Files.isRegularFile(parent.resolve(DATA))
                && Files.isRegularFile(parent.resolve(DiskLock.FILE))) {
            return true;
        }
        Object key = identity(file);
        Object above = parent == null ? null : identity(parent);
        for (Entry entry : OPEN) {
            Object folder = identity(entry.folder);
            if (folder != null
                    && (folder.equals(key)
                            || folder.equals(above)
                            || (key != null && holds(entry.folder, key)))) {
                return true;
            }
        }
        return false;
    }

    /// Whether one of the files in `folder` is identified by `key`, as a hard link to it is.
    private static boolean holds(Path folder, Object key) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (Files.isRegularFile(entry) && key.equals(identity(entry))) {
                    return true;
                }
            }
            return false;
        } catch (NoSuchFileException _) { // the folder was deleted under the open database
            return false;
        }
    }

    /// Device and inode, or on Windows the real path; null if there is no such file.
    private static @Nullable Object identity(Path file) throws IOException {
        try {
            Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            return key != null ? key : file.toRealPath();
        } catch (NoSuchFileException _) {
            return null;
        }
    }
}
