package dev.oriel.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A folder of the file system.
///
/// The file `lock` in it belongs to [#lock()] and is not listed. No other code of this process may
/// open and close it while the lock is held: POSIX drops a process's locks on a file when any of its
/// descriptors of that file is closed.
///
/// Safe for use by any number of threads.
public final class DiskDirectory implements Directory {
    static final boolean WINDOWS = System.getProperty("os.name", "").startsWith("Windows");

    private final Path folder;
    private final FileMode mode;

    /// The folder itself, open while it is locked: a sync needs no other descriptor then, so it does not fail when
    /// the process has none left. Null before and after, and on Windows.
    private volatile @Nullable FileChannel held;

    private DiskDirectory(Path folder, FileMode mode) {
        this.folder = folder;
        this.mode = mode;
    }

    /// The existing folder `folder`. Files that are created in it have the mode of its file `lock`; if there is
    /// none, [FileMode#OWNER].
    ///
    /// @throws NotDirectoryException if it is a file, or does not exist
    public static DiskDirectory open(Path folder) throws IOException {
        return open(folder, FileMode.OWNER);
    }

    private static DiskDirectory open(Path folder, FileMode first) throws IOException {
        Path absolute = folder.toAbsolutePath();
        if (!Files.isDirectory(absolute)) {
            throw new NotDirectoryException(absolute.toString());
        }
        return new DiskDirectory(absolute, DiskLock.mode(absolute).orElse(first));
    }

    /// Like [#create(Path, FileMode)], for the owner alone.
    public static DiskDirectory create(Path folder) throws IOException {
        return create(folder, FileMode.OWNER);
    }

    /// The folder `folder`, which is created with `mode` if it is missing. The folders above it are created too,
    /// with the permissions that are usual in this process.
    ///
    /// @param mode of files that are created in it; in a folder with a file `lock`, files get the mode of that file
    /// @throws NotDirectoryException if it is a file
    public static DiskDirectory create(Path folder, FileMode mode) throws IOException {
        Path absolute = folder.toAbsolutePath();
        createDurably(absolute, mode.ofFolder(absolute));
        return open(folder, mode);
    }

    /// Creates a folder durably: it survives the death of the machine only after a sync of its parent.
    private static void createDurably(Path folder, FileAttribute<?>... attributes)
            throws IOException {
        if (Files.exists(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent != null) {
            createDurably(parent);
        }
        Files.createDirectories(folder, attributes);
        syncName(folder);
    }

    @Override
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (Files.isRegularFile(entry) && !name.equals(DiskLock.FILE)) {
                    names.add(name);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        names.sort(null);
        return names;
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return DiskFile.open(folder.resolve(name), mode);
    }

    @Override
    public StorageFile openReadOnly(String name) throws IOException {
        return DiskFile.openReadOnly(folder.resolve(name));
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(folder.resolve(name));
    }

    @Override
    public long freeBytes() throws IOException {
        FileStore disk = Files.getFileStore(folder);
        return disk.getTotalSpace() > 0 ? disk.getUsableSpace() : Long.MAX_VALUE;
    }

    @Override
    public void sync() throws IOException {
        FileChannel open = held;
        if (open == null) {
            syncFolder(folder);
        } else {
            Uninterrupted.run(() -> open.force(true));
        }
    }

    /// Makes the name of `file` in its folder survive the death of the machine. A root has no name.
    public static void syncName(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            syncFolder(parent);
        }
    }

    private static void syncFolder(Path folder) throws IOException {
        // Windows cannot open a folder as a file; NTFS journals its changes to folders by itself.
        if (WINDOWS) {
            return;
        }
        Uninterrupted.run(() -> {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        });
    }

    @Override
    public FolderLock lock() throws IOException {
        FolderLock lock = OpenFolders.add(folder, DiskLock.acquire(folder, mode));
        boolean opened = false;
        try {
            held = WINDOWS ? null : FileChannel.open(folder, StandardOpenOption.READ);
            opened = true;
            return new Locked(lock);
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    /// The lock, with the folder open.
    private final class Locked implements FolderLock {
        private final FolderLock lock;

        private Locked(FolderLock lock) {
            this.lock = lock;
        }

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
            try (lock) {
                FileChannel open = held;
                held = null;
                if (open != null) {
                    open.close();
                }
            }
        }
    }

    @Override
    public FolderLock lockToRead() throws IOException {
        try {
            return OpenFolders.add(folder, DiskLock.acquireToRead(folder));
        } catch (LockedException e) {
            throw e;
        } catch (IOException e) {
            if (Files.getFileStore(folder).isReadOnly()) {
                return OpenFolders.add(folder, () -> {});
            }
            throw e;
        }
    }

    /// The mode of files that are created in the folder.
    public FileMode mode() {
        return mode;
    }

    /// The folder's absolute path.
    @Override
    public String toString() {
        return folder.toString();
    }
}
