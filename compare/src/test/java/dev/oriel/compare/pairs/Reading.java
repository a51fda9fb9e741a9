package dev.oriel.compare.pairs;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reads lines of a file. Changed: the buffer has 16 bytes instead of 8,192.
public final class Reading {
    private static int bufferBytes = 8_192;

    private Reading() {}

    public static void main(String[] words) throws IOException {
        bufferBytes = Work.isChanged(words) ? 16 : bufferBytes;
        Path file = Files.createTempFile("reading", ".txt");
        try {
            Files.writeString(file, "a line of a file\n".repeat(40));
            Work.run(words, seed -> count(file) + seed % 2);
        } finally {
            Files.delete(file);
        }
    }

    static long count(Path file) {
        try (InputStream in = open(file)) {
            long lines = 0;
            int length = line(in);
            while (length > 0) {
                lines += weigh(length);
                length = line(in);
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(Path file) throws IOException {
        return new BufferedInputStream(Files.newInputStream(file), bufferBytes);
    }

    private static int line(InputStream in) throws IOException {
        int length = 0;
        int c = in.read();
        while (c >= 0 && c != '\n') {
            length++;
            c = in.read();
        }
        return length;
    }

    private static long weigh(int length) {
        return Work.steps(length, 1_000) & 1;
    }
}
