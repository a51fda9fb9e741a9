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
import java.util.ArrayList;
import java.util.List;

/// A folder of the file system.
///
/// The file `lock` in it belongs to [#lock()] and is not listed. No other code of this process may
/// open and close it while the lock is held: POSIX drops a process's locks on a file when any of its
/// descriptors of that file is closed.
///
/// Safe for use by any number of threads.
public final class DiskDirectory implements Directory {
    private static final boolean WINDOWS = System.getProperty("os.name", "").startsWith("Windows");

    private final Path folder;

    private DiskDirectory(Path folder) {
        this.folder = folder;
    }

    /// The existing folder `folder`.
    ///
    /// @throws NotDirectoryException if it is a file, or does not exist
    public static DiskDirectory open(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        if (!Files.isDirectory(absolute)) {
            throw new NotDirectoryException(absolute.toString());
        }
        return new DiskDirectory(absolute);
    }

    /// The folder `folder`, which is created where it is missing, with the folders above it.
    ///
    /// @throws NotDirectoryException if it is a file
    public static DiskDirectory create(Path folder) throws IOException {
        createDurably(folder.toAbsolutePath());
        return open(folder);
    }

    /// A new folder survives the death of the machine only when the one that names it was synced.
    private static void createDurably(Path folder) throws IOException {
        if (Files.exists(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent != null) {
            createDurably(parent);
        }
        Files.createDirectories(folder);
        if (parent != null) {
            syncFolder(parent);
        }
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
        return DiskFile.open(folder.resolve(name));
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
        syncFolder(folder);
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
    public AutoCloseable lock() throws IOException {
        return OpenFolders.add(folder, DiskLock.acquire(folder));
    }

    @Override
    public AutoCloseable lockToRead() throws IOException {
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

    /// The folder's absolute path.
    @Override
    public String toString() {
        return folder.toString();
    }
}
