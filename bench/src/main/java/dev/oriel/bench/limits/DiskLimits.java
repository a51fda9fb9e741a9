package dev.oriel.bench.limits;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import dev.oriel.bench.measure.Latencies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// The limits of the disk of the run's folder.
///
/// `limits/sync` makes 4 KB durable in a file, one block after the other as in a log. All blocks were written
/// before. The figure is the median of the fastest of three ways. The ways are a write through a channel opened with DSYNC, the
/// same past the page cache (DIRECT), and a write followed by `force(false)`. Each is also a case of its own.
/// `limits/sequential-write` writes a new file in pieces of 1 MB and syncs it once at the end.
final class DiskLimits {
    private static final String SYNC = "limits/sync";
    private static final String WRITE = "limits/sequential-write";
    private static final int BLOCK = 4096;
    private static final int FILE_BLOCKS = 4096;
    private static final int PIECE = 1 << 20;
    private static final int SYNCS_MAX = 200_000;

    /// A way to make a block durable.
    private enum Way {
        DSYNC("dsync"),
        DSYNC_DIRECT("dsync-direct"),
        FDATASYNC("fdatasync");

        private final String word;

        Way(String word) {
            this.word = word;
        }

        String caseName() {
            return SYNC + "/" + word;
        }

        Set<OpenOption> options() {
            Set<OpenOption> options = new LinkedHashSet<>();
            options.add(StandardOpenOption.WRITE);
            if (this != FDATASYNC) {
                options.add(StandardOpenOption.DSYNC);
            }
            if (this == DSYNC_DIRECT) {
                options.add(direct());
            }
            return options;
        }
    }

    /// Looks `DIRECT` up by name. It is documented, but in a module that not every JDK has, and javac's warning
    /// about it cannot be turned off.
    private static OpenOption direct() {
        try {
            Class<?> extended = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            for (Object option : extended.getEnumConstants()) {
                if (option.toString().equals("DIRECT") && option instanceof OpenOption direct) {
                    return direct;
                }
            }
        } catch (ClassNotFoundException e) {
            throw new UnsupportedOperationException("This JDK has no direct files", e);
        }
        throw new UnsupportedOperationException("This JDK has no direct files");
    }

    static final List<String> CASES =
            List.of(
                    SYNC,
                    Way.DSYNC.caseName(),
                    Way.DSYNC_DIRECT.caseName(),
                    Way.FDATASYNC.caseName(),
                    WRITE);

    private final Run run;
    private final long caseNanos;

    DiskLimits(Run run) {
        this.run = run;
        this.caseNanos = run.scale() == Scale.QUICK ? 800_000_000L : 3_000_000_000L;
    }

    void measure() throws IOException {
        if (CASES.stream().anyMatch(name -> name.startsWith(SYNC) && run.wants(name))) {
            measureSyncs();
        }
        if (run.wants(WRITE)) {
            run.phase("writing a file");
            double rate = writeFile(run.folder().resolve("written"));
            run.figure(WRITE, "rate", "bytes/s", rate, Durability.SYNC);
        }
    }

    private void measureSyncs() throws IOException {
        Path file = run.folder().resolve("synced");
        fill(file);
        long[] fastest = {};
        for (Way way : Way.values()) {
            run.phase("syncing by " + way.word);
            try (FileChannel channel = FileChannel.open(file, way.options())) {
                long[] nanos = sync(channel, way, Files.getFileStore(file).getBlockSize());
                tell(way.caseName(), nanos);
                if (fastest.length == 0 || middle(nanos) < middle(fastest)) {
                    fastest = nanos;
                }
            } catch (UnsupportedOperationException e) {
                run.cannot(way.caseName(), "the file system or the JDK does not offer it: " + e);
            }
        }
        tell(SYNC, fastest);
        Files.delete(file);
    }

    /// Writes every block once, so that later writes change no metadata of the file.
    private static void fill(Path file) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(PIECE);
            for (long at = 0; at < (long) FILE_BLOCKS * BLOCK; at += PIECE) {
                writeFully(channel, zeros.clear(), at);
            }
            channel.force(true);
        }
    }

    /// The time of each durable overwrite, sorted; the first tenth of the time is warm-up and left out.
    private long[] sync(FileChannel channel, Way way, long alignment) throws IOException {
        int unit = Math.toIntExact(Math.max(alignment, BLOCK));
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK + unit).alignedSlice(unit).limit(BLOCK);
        long[] nanos = new long[SYNCS_MAX];
        int count = 0;
        int warm = 0;
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < caseNanos && count < SYNCS_MAX) {
            if (now - begun < caseNanos / 10) {
                warm = count + 1;
            }
            block.putLong(0, now);
            long at = (long) (count % FILE_BLOCKS) * BLOCK;
            long before = System.nanoTime();
            writeFully(channel, block.rewind(), at);
            if (way == Way.FDATASYNC) {
                channel.force(false);
            }
            now = System.nanoTime();
            nanos[count++] = now - before;
        }
        long[] kept = Arrays.copyOfRange(nanos, Math.min(warm, count - 1), count);
        Arrays.sort(kept);
        return kept;
    }

    private static long middle(long[] sorted) {
        return sorted[sorted.length / 2];
    }

    private void tell(String caseName, long[] sorted) {
        if (!run.wants(caseName)) {
            return;
        }
        Latencies latencies = new Latencies();
        for (long nanos : sorted) {
            latencies.add(nanos);
        }
        run.figure(caseName, "time", "ns/op", (double) middle(sorted), Durability.SYNC);
        run.latencies(caseName, latencies, Durability.SYNC);
    }

    /// Bytes per second until all of them are durable.
    private double writeFile(Path file) throws IOException {
        byte[] bytes = new byte[PIECE];
        new SplittableRandom(run.seed()).nextBytes(bytes);
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE).put(bytes);
        long bytesMax = run.scale() == Scale.QUICK ? 1L << 29 : 1L << 32;
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options)) {
            long begun = System.nanoTime();
            long written = 0;
            while (written < bytesMax && System.nanoTime() - begun < caseNanos) {
                piece.putLong(0, written);
                writeFully(channel, piece.rewind(), written);
                written += PIECE;
            }
            channel.force(true);
            double rate = written * 1e9 / (System.nanoTime() - begun);
            Files.delete(file);
            return rate;
        }
    }

    private static void writeFully(FileChannel channel, ByteBuffer from, long at)
            throws IOException {
        long next = at;
        while (from.hasRemaining()) {
            next += channel.write(from, next);
        }
    }
}
