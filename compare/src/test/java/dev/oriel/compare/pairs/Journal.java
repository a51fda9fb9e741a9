package dev.oriel.compare.pairs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Appends entries to a journal. Changed: every tenth entry is forced to the disk.
public final class Journal {
    private static boolean changed;
    private static int entries;

    private Journal() {}

    public static void main(String[] words) throws IOException {
        changed = Work.isChanged(words);
        Path file = Files.createTempFile("journal", ".log");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.APPEND)) {
            Work.run(words, seed -> log(channel, seed));
        } finally {
            Files.delete(file);
        }
    }

    static long log(FileChannel channel, long seed) {
        ByteBuffer entry = entry(seed);
        try {
            append(channel, entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entry.capacity();
    }

    private static ByteBuffer entry(long seed) {
        ByteBuffer entry = ByteBuffer.allocate(800);
        while (entry.hasRemaining()) {
            entry.putLong(Work.steps(seed + entry.position(), 1_000));
        }
        return entry.flip();
    }

    private static void append(FileChannel channel, ByteBuffer entry) throws IOException {
        entries++;
        channel.write(entry);
        if (changed && entries % 10 == 0) {
            channel.force(false);
        }
    }
}
