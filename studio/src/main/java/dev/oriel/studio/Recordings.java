package dev.oriel.studio;

import dev.oriel.profiler.ProfileReader;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.RunFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Recordings of a studio's session: its own, and files that a person has opened. They are kept in a temporary
/// folder until the studio is closed. Safe for use by any thread.
final class Recordings implements AutoCloseable {
    static final long FILE_BYTES_MAX = 512L << 20;
    private static final int KEPT_MAX = 200;
    private static final int NAME_CHARACTERS_MAX = 100;

    private final Map<Long, Recording> kept = new LinkedHashMap<>();
    private final Map<Long, Path> arriving = new LinkedHashMap<>();
    private @Nullable Path folder;
    private long numbers;
    private boolean closed;

    /// One recording.
    ///
    /// @param name name given by a person; several runs of one thing share a name
    record Recording(
            long id,
            String name,
            Path file,
            long wallNanos,
            int samples,
            long calls,
            long operations) {
        static Recording of(long id, String name, Path file, ProfileResult result) {
            return new Recording(
                    id,
                    shortened(name),
                    file,
                    result.wallNanos(),
                    result.samples().size(),
                    result.calls(),
                    result.totals().operations());
        }

        /// Reads its file.
        ProfileResult result() throws IOException {
            return ProfileReader.read(file);
        }

        Recording withName(String other) {
            return new Recording(id, shortened(other), file, wallNanos, samples, calls, operations);
        }
    }

    /// All recordings, the eldest first.
    synchronized List<Recording> all() {
        return List.copyOf(kept.values());
    }

    /// The recording of that number.
    synchronized Recording get(long id) {
        Recording recording = kept.get(id);
        if (recording == null) {
            throw new RequestException(
                    404, "There is no recording " + id + "; it may have been removed.");
        }
        return recording;
    }

    /// Keeps a recording of the profiler here.
    synchronized Recording keep(String name, ProfileResult result) throws IOException {
        long id = newNumber();
        Path file = folder().resolve(id + ".orun");
        RunFile.write(result, file);
        return added(Recording.of(id, name, file, result));
    }

    /// Begins a file that arrives in parts; returns its number.
    synchronized long begin(String fileName) throws IOException {
        long id = newNumber();
        String plain = shortened(fileName).replaceAll("[^A-Za-z0-9._-]", "_");
        arriving.put(id, Files.createFile(folder().resolve(id + "-" + plain)));
        return id;
    }

    /// Adds a part at the end of an arriving file.
    synchronized void append(long id, byte[] part) throws IOException {
        Path file = arriving(id);
        if (Files.size(file) + part.length > FILE_BYTES_MAX) {
            arriving.remove(id);
            Files.delete(file);
            throw new RequestException(
                    413, "The file is larger than 512 MB; record for a shorter time.");
        }
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.APPEND)) {
            ByteBuffer bytes = ByteBuffer.wrap(part);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
    }

    /// Reads a file whose upload is complete. One that cannot be read is dropped.
    synchronized Recording end(long id, String name) throws IOException {
        Path file = arriving(id);
        arriving.remove(id);
        try {
            ProfileResult result = ProfileReader.read(file);
            return added(Recording.of(id, name, file, result));
        } catch (IOException e) {
            Files.deleteIfExists(file);
            String message = String.valueOf(e.getMessage()).replace(file.toString(), name);
            throw new RequestException(
                    400,
                    message + "; open a recording: .orun, .jfr, .pb.gz, collapsed or hprof text.");
        }
    }

    private Path arriving(long id) {
        Path file = arriving.get(id);
        if (file == null) {
            throw new RequestException(
                    404, "There is no unfinished upload " + id + "; upload the file again.");
        }
        return file;
    }

    /// Gives a recording another name.
    synchronized void rename(long id, String name) {
        kept.put(id, get(id).withName(name));
    }

    synchronized void remove(long id) throws IOException {
        Files.deleteIfExists(get(id).file());
        kept.remove(id);
    }

    private Recording added(Recording recording) throws IOException {
        kept.put(recording.id(), recording);
        if (kept.size() > KEPT_MAX) {
            remove(kept.keySet().iterator().next());
        }
        return recording;
    }

    private long newNumber() {
        if (closed) {
            throw new RequestException(409, "The studio is closing; open it again.");
        }
        return ++numbers;
    }

    private static String shortened(String name) {
        String trimmed = name.isBlank() ? "recording" : name.strip();
        return trimmed.substring(0, Math.min(NAME_CHARACTERS_MAX, trimmed.length()));
    }

    private Path folder() throws IOException {
        Path known = folder;
        if (known == null) {
            known = Files.createTempDirectory("oriel-studio");
            folder = known;
        }
        return known;
    }

    /// A new file or folder beside the recordings, which its user deletes.
    synchronized Path scratch(boolean isFolder) throws IOException {
        return isFolder
                ? Files.createTempDirectory(folder(), "side")
                : Files.createTempFile(folder(), "page", ".html");
    }

    /// Deletes a folder with the files in it.
    static void delete(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.forEach(files::add);
        }
        for (Path file : files.reversed()) {
            Files.deleteIfExists(file);
        }
    }

    /// Deletes all of them.
    @Override
    public synchronized void close() {
        closed = true;
        kept.clear();
        arriving.clear();
        if (folder != null) {
            try {
                delete(folder);
            } catch (IOException e) {
                throw new UncheckedIOException("The recordings in " + folder + " stay there.", e);
            }
            folder = null;
        }
    }
}
