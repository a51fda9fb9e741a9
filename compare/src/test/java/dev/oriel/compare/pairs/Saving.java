package dev.oriel.compare.pairs;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Saves records to a file. Changed: the stream has no buffer, so each field is a call to the system.
public final class Saving {
    private static boolean changed;

    private Saving() {}

    public static void main(String[] words) throws IOException {
        changed = Work.isChanged(words);
        Path file = Files.createTempFile("saving", ".bin");
        try {
            Work.run(words, seed -> save(file, seed));
        } finally {
            Files.delete(file);
        }
    }

    static long save(Path file, long seed) {
        byte[][] fields = fields(seed);
        try {
            write(file, fields);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return fields.length;
    }

    private static byte[][] fields(long seed) {
        byte[][] fields = new byte[40][20];
        for (byte[] field : fields) {
            for (int i = 0; i < field.length; i++) {
                field[i] = (byte) Work.steps(seed + i, 40);
            }
        }
        return fields;
    }

    private static void write(Path file, byte[][] fields) throws IOException {
        try (OutputStream plain = Files.newOutputStream(file);
                OutputStream out = changed ? plain : new BufferedOutputStream(plain)) {
            for (byte[] field : fields) {
                out.write(field);
            }
        }
    }
}
