package dev.oriel;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.StorageException;
import dev.oriel.store.UsageException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// The files of a dump: a zip that [DumpOutput] has written, or a folder with its content.
final class DumpSource implements AutoCloseable {
    private final Path path;

    /// Null for a folder.
    private final @Nullable ZipFile zip;

    private DumpSource(Path path, @Nullable ZipFile zip) {
        this.path = path;
        this.zip = zip;
    }

    /// Whether `path` is a dump and not a database: a file, or a folder with a script.
    static boolean is(Path path) {
        return Files.isRegularFile(path) || Files.isRegularFile(path.resolve(DumpOutput.SCRIPT));
    }

    static DumpSource open(Path path) {
        if (Files.isDirectory(path)) {
            return new DumpSource(path, null);
        }
        try {
            return new DumpSource(path, new ZipFile(path.toFile()));
        } catch (ZipException damaged) {
            throw new CorruptionException(
                    "The file is no complete dump; name one that 'oriel dump' has written, or make it"
                            + " again",
                    "file=" + path + " reason=" + damaged.getMessage());
        } catch (IOException failure) {
            throw unreadable(failure);
        }
    }

    private static StorageException unreadable(IOException failure) {
        return new StorageException(
                "The dump cannot be read; copy it to another disk, or make it again",
                "reason=" + failure.getMessage(),
                failure);
    }

    /// The script.
    String script() {
        try (InputStream in = open(DumpOutput.SCRIPT, _ -> {})) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw unreadable(failure);
        }
    }

    /// Bytes of all files, unpacked.
    long bytes() {
        if (zip == null) {
            return 0; // unknown
        }
        return zip.stream().mapToLong(entry -> Math.max(0, entry.getSize())).sum();
    }

    /// Opens a file of the dump.
    ///
    /// @param read receives the number of bytes of each read
    InputStream open(String name, LongConsumer read) {
        try {
            if (zip == null) {
                Path folder = path.toAbsolutePath().normalize();
                Path file = folder.resolve(name).normalize();
                if (!file.startsWith(folder) || !Files.isRegularFile(file)) {
                    throw missing(name);
                }
                return new Counted(Files.newInputStream(file), read, null);
            }
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                throw missing(name);
            }
            return new Counted(zip.getInputStream(entry), read, entry);
        } catch (IOException failure) {
            throw unreadable(failure);
        }
    }

    private UsageException missing(String name) {
        return new UsageException(
                "The dump lacks a file; name one that 'oriel dump' has written, or make it again",
                "dump=" + path + " missing=" + name);
    }

    @Override
    public void close() {
        if (zip != null) {
            try {
                zip.close();
            } catch (IOException failure) {
                throw unreadable(failure);
            }
        }
    }

    /// Counts the bytes read, and compares them with the checksum of the entry.
    private static final class Counted extends FilterInputStream {
        private final LongConsumer read;
        private final @Nullable ZipEntry entry;
        private final CRC32 sum = new CRC32();

        Counted(InputStream in, LongConsumer read, @Nullable ZipEntry entry) {
            super(in);
            this.read = read;
            this.entry = entry;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int count = super.read(into, offset, length);
            if (count > 0) {
                sum.update(into, offset, count);
                read.accept(count);
            } else if (count < 0 && entry != null && sum.getValue() != entry.getCrc()) {
                throw new ZipException(
                        "its bytes do not fit its checksum; make the dump again, or copy it again");
            }
            return count;
        }
    }
}
