package dev.oriel.sql.file;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.text.SqlText.Place;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// Writes a file as a whole or not at all: under a temporary name beside it, and renamed when it is complete. The
/// new file keeps the rights of the old one. A file that is not regular, such as a pipe, is written directly.
public final class FileOutput implements AutoCloseable {
    private static final int NAMES_MAX = 1_000;

    private final Path file;
    private final Path written;
    private final Writer writer;
    private boolean complete;

    /// @param file result of [dev.oriel.io.FileAccess#locate]
    public FileOutput(Path file, Charset charset) throws IOException {
        boolean direct = Files.exists(file) && !Files.isRegularFile(file);
        this.file = file;
        FileRights rights = FileRights.of(this.file);
        this.written = direct ? file : beside(this.file, rights);
        this.writer =
                new BufferedWriter(
                        new OutputStreamWriter(
                                direct ? Files.newOutputStream(written) : opened(written, rights),
                                charset.newEncoder()
                                        .onMalformedInput(CodingErrorAction.REPORT)
                                        .onUnmappableCharacter(CodingErrorAction.REPORT)),
                        1 << 16);
    }

    private static Path beside(Path file, FileRights rights) throws IOException {
        for (int i = 0; ; i++) {
            Path candidate = file.resolveSibling("." + file.getFileName() + ".part" + i);
            try {
                return rights.create(candidate);
            } catch (FileAlreadyExistsException taken) {
                if (i == NAMES_MAX) {
                    throw taken;
                }
            }
        }
    }

    /// Opens `written`, and sets its rights before it has content: they may forbid opening it for writing.
    private static OutputStream opened(Path written, FileRights rights) throws IOException {
        OutputStream out =
                Files.newOutputStream(written, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try {
            rights.give(written);
            return out;
        } catch (IOException failure) {
            out.close();
            Files.delete(written);
            throw failure;
        }
    }

    public Writer writer() {
        return writer;
    }

    /// Marks the output as complete; `close` renames it then.
    public void complete() throws IOException {
        writer.flush();
        complete = true;
    }

    @Override
    public void close() throws IOException {
        try {
            writer.close();
        } finally {
            if (!written.equals(file)) {
                if (complete) {
                    move();
                } else {
                    Files.deleteIfExists(written);
                }
            }
        }
    }

    private void move() throws IOException {
        try {
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException slower) {
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /// The error that `file` cannot be written.
    public static SqlException failed(Path file, IOException failure, Place place) {
        if (failure instanceof FileFormatException unfit) {
            return place.error(
                    SqlException.Kind.BAD_FILE_FORMAT, String.valueOf(unfit.getMessage()));
        }
        return failure instanceof CharacterCodingException
                ? place.error(
                        SqlException.Kind.INVALID_ENCODING,
                        "A value has a character that the encoding of \""
                                + file
                                + "\" lacks; use ENCODING 'UTF8'")
                : FileRows.failed(file, failure, place);
    }
}
