package dev.oriel.sql.file;

import dev.oriel.io.FileRefusedException;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.BitText;
import dev.oriel.sql.value.CoercionCheck;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.TimePrecision;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.JsonException;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads rows of typed columns from a file, one at a time. Its errors name file, line and column.
public final class FileRows {
    /// Longest part of a value that an error quotes, in characters.
    private static final int QUOTED_CHARS_MAX = 100;

    private final Path file;
    private final RecordReader records;
    private final List<Column> columns;
    private final Place place;
    private final Zone zone;
    private final Type[] types;
    private final Tuple row;
    private boolean checks;
    private boolean trims;
    private long faultsLeft;
    private List<Boolean> filled = List.of();
    private List<Boolean> emptied = List.of();
    private String nullText = "";
    private boolean forced;

    /// @param columns columns of the fields of a record, in order
    /// @param place position of the file's name in the statement
    /// @param zone zone of moments that name none
    public FileRows(Path file, RecordReader records, List<Column> columns, Place place, Zone zone) {
        this.file = file;
        this.records = records;
        this.columns = columns;
        this.place = place;
        this.zone = zone;
        this.types = columns.stream().map(Column::type).toArray(Type[]::new);
        this.row = new Tuple(columns.size());
    }

    public Row row() {
        return row;
    }

    /// Skips the header record; if `check`, it must name the columns.
    public void skipHeader(boolean check) {
        if (!read() || !check) {
            return;
        }
        for (int i = 0; i < Math.max(columns.size(), records.fields()); i++) {
            String name = i < records.fields() ? records.text(i) : "";
            String wanted = i < columns.size() ? columns.get(i).name() : "";
            if (!name.equalsIgnoreCase(wanted)) {
                throw error(
                        Kind.BAD_FILE_FORMAT,
                        "The header has \""
                                + name
                                + "\" where the column \""
                                + wanted
                                + "\" is expected",
                        null);
            }
        }
    }

    /// Checks values against the lengths of their types, which a table does by itself.
    ///
    /// @param trims whether blanks around values are ignored
    /// @param faultsMax number of malformed records that may be skipped
    void checked(boolean trims, long faultsMax) {
        this.checks = true;
        this.trims = trims;
        this.faultsLeft = faultsMax;
    }

    /// Skips one record, without a check of its content; false at the end.
    public boolean skip() {
        return read();
    }

    /// Goes to the next row; false at the end.
    public boolean next() {
        while (read()) {
            try {
                fill();
                return true;
            } catch (SqlException unfit) {
                if (faultsLeft-- <= 0) {
                    throw unfit;
                }
            }
        }
        return false;
    }

    /// Fills the row from the record.
    private void fill() {
        int fields = records.fields();
        if (fields < columns.size()) {
            throw error(
                    Kind.BAD_FILE_FORMAT,
                    "The record has " + fields + " fields for " + columns.size() + " columns",
                    columns.get(fields));
        } else if (fields > columns.size()) {
            throw error(
                    Kind.BAD_FILE_FORMAT,
                    "The record has " + fields + " fields for " + columns.size() + " columns",
                    null);
        }
        boolean plain = !checks && !trims && !forced;
        for (int i = 0; i < fields; i++) {
            if (!plain || !records.plain(i, types[i], row)) {
                set(i, field(i));
            }
        }
    }

    /// Overrides the form for single columns: `filled` is FORCE NOT NULL, `emptied` is FORCE NULL.
    public void forced(List<Boolean> filled, List<Boolean> emptied, String nullText) {
        this.filled = filled;
        this.emptied = emptied;
        this.nullText = nullText;
        this.forced = filled.contains(true) || emptied.contains(true);
    }

    private @Nullable String field(int i) {
        String text = records.field(i);
        if (text == null) {
            return !filled.isEmpty() && filled.get(i) ? records.text(i) : null;
        }
        boolean empty =
                !emptied.isEmpty() && emptied.get(i) && records.quoted(i) && text.equals(nullText);
        return empty ? null : text;
    }

    private boolean read() {
        try {
            return records.next();
        } catch (FileFormatException unfit) {
            throw error(Kind.BAD_FILE_FORMAT, String.valueOf(unfit.getMessage()), null);
        } catch (CharacterCodingException unfit) {
            throw error(
                    Kind.INVALID_ENCODING,
                    "The file holds bytes that are not characters in its encoding; name another"
                            + " one with ENCODING",
                    null);
        } catch (IOException failure) {
            throw failed(file, failure, place);
        }
    }

    private void set(int i, @Nullable String given) {
        String text = given == null || !trims ? given : given.strip();
        if (trims && text != null && text.isEmpty() && !records.quoted(i)) {
            text = null;
        }
        if (text == null) {
            row.setNull(i);
            if (checks && !columns.get(i).nullable()) {
                throw error(
                        Kind.BAD_FILE_FORMAT,
                        "A column that must have a value has none",
                        columns.get(i));
            }
            return;
        }
        Type type = columns.get(i).type();
        try {
            switch (type.shape()) {
                case LONG -> {
                    long value = TextFormat.parseLong(text, type, zone);
                    row.setLong(i, type.length() == 0 ? value : TimePrecision.rounded(value, type));
                }
                case DOUBLE -> row.setDouble(i, TextFormat.parseDouble(text, type));
                case DECIMAL -> row.setDecimal(i, TextFormat.parseDecimal(text));
                case TEXT, FOLDED ->
                        row.setText(i, Typing.isBits(type) ? BitText.parse(text) : text);
                case BYTES -> row.setBytes(i, bytes(text, type));
            }
            if (checks && CoercionCheck.fit(row, i, type) != null) {
                throw new IllegalArgumentException("it does not fit");
            }
        } catch (JsonException unfit) {
            throw error(Kind.INVALID_VALUE, String.valueOf(unfit.getMessage()), columns.get(i));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException unfit) {
            throw error(
                    TextFormat.kind(unfit, type),
                    "'" + shortened(text) + "' is not a value of type " + type,
                    columns.get(i));
        }
    }

    private byte[] bytes(String text, Type type) {
        byte[] parsed = TextFormat.parseBytes(text, type, zone);
        byte[] fitted = CoercionCheck.parts(parsed, type);
        if (fitted == null) {
            throw new IllegalArgumentException("an element does not fit");
        }
        return fitted;
    }

    private static String shortened(String text) {
        return text.length() <= QUOTED_CHARS_MAX
                ? text
                : text.substring(0, QUOTED_CHARS_MAX) + "...";
    }

    /// Position of the record, for messages.
    public String where() {
        return "file=" + file + " line=" + records.line();
    }

    private SqlException error(Kind kind, String message, @Nullable Column column) {
        return place.error(
                kind,
                message + ": " + where() + (column == null ? "" : " column=" + column.name()));
    }

    public void close() {
        try {
            records.close();
        } catch (IOException failure) {
            throw failed(file, failure, place);
        }
    }

    /// The error that a file cannot be read or written.
    public static SqlException failed(Path file, IOException failure, Place place) {
        if (failure instanceof NoSuchFileException) {
            return place.error(
                    Kind.UNKNOWN_FILE,
                    "There is no file \""
                            + file
                            + "\" (relative names begin at the working directory, "
                            + Path.of("").toAbsolutePath().getFileName()
                            + ")");
        }
        if (failure instanceof CharacterCodingException) {
            return place.error(
                    Kind.INVALID_ENCODING,
                    "The file \""
                            + file
                            + "\" holds bytes that are not characters in its encoding; name"
                            + " another one with ENCODING");
        }
        if (failure instanceof FileRefusedException refused) {
            return place.error(
                    Kind.FILE_REFUSED,
                    "The file \"" + file + "\" cannot be used: " + refused.getMessage());
        }
        String why =
                failure instanceof AccessDeniedException
                        ? "access is denied"
                        : String.valueOf(failure.getMessage());
        return place.error(Kind.FILE_ACCESS, "The file \"" + file + "\" cannot be used: " + why);
    }
}
