package dev.oriel.sql.file;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.Writer;

/// Copies the file of an external table, for rows to be appended to the copy. With fields of fixed width, empty lines
/// at the end of the file are no rows. In the middle of the copy they would be data, so they are left out.
final class ExternalCopy {
    private static final int BUFFER_CHARS = 1 << 15;

    private final ExternalForm form;
    private final Writer out;

    /// Whether empty lines at the end are left out: not if the form counts records or bytes to skip before the
    /// rows.
    private final boolean shortens;

    /// Line ends that may be the last of the file.
    private final StringBuilder held = new StringBuilder();

    /// Whether anything has been written.
    private boolean begun;

    private char last;

    private ExternalCopy(ExternalForm form, Writer out) {
        this.form = form;
        this.out = out;
        this.shortens =
                form.fixed()
                        && form.form().recordDelimiter() == null
                        && form.skipped() == 0
                        && form.headerBytes() == 0;
    }

    /// Copies `file`, which has the form `form`.
    ///
    /// @param poll called periodically; an exception from it ends the copy
    /// @return whether the file ends with a complete record, so that another one can follow
    static boolean copy(InputStream file, ExternalForm form, Writer out, Runnable poll)
            throws IOException {
        ExternalCopy copy = new ExternalCopy(form, out);
        try (Reader in =
                new BufferedReader(
                        new InputStreamReader(file, form.form().charset().newDecoder()))) {
            char[] buffer = new char[BUFFER_CHARS];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                poll.run();
                copy.add(buffer, read);
            }
        }
        return copy.end();
    }

    private void add(char[] text, int length) throws IOException {
        int kept = length;
        while (shortens && kept > 0 && (text[kept - 1] == '\n' || text[kept - 1] == '\r')) {
            kept--;
        }
        if (kept > 0) {
            out.append(held);
            held.setLength(0);
            out.write(text, 0, kept);
            last = text[kept - 1];
            begun = true;
        }
        held.append(text, kept, length - kept);
    }

    private boolean end() throws IOException {
        String end = form.recordEnd();
        if (!shortens) {
            return end.isEmpty() || last == end.charAt(end.length() - 1);
        }
        if (begun) {
            out.append(held, 0, firstEnd());
            return !held.isEmpty();
        }
        if (form.header()) { // an empty one
            out.append(held);
        }
        return true;
    }

    /// Length of the first line end in `held`.
    private int firstEnd() {
        return Math.min(held.length(), held.indexOf("\r\n") == 0 ? 2 : 1);
    }
}
