package dev.oriel.sql.file;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.CopyParser;
import dev.oriel.sql.syntax.DelimitedForm;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options of an external table's file, from its ORGANIZATION clause.
///
/// @param form delimiters, quotes and encoding; with fixed widths only record delimiter and encoding apply
/// @param widths characters of each field; empty if fields are delimited
/// @param header whether the first line names the columns
/// @param skipped number of records before the first row
/// @param headerBytes number of bytes before the first record
/// @param faultsMax number of malformed records that may be skipped
/// @param trims whether blanks around values are ignored
/// @param creates whether the file is created with the table, if it does not exist
@SuppressWarnings("ArrayRecordComponent") // never changed
public record ExternalForm(
        Path file,
        DelimitedForm form,
        int[] widths,
        boolean header,
        long skipped,
        long headerBytes,
        long faultsMax,
        boolean trims,
        boolean creates) {
    public static final List<String> OPTIONS =
            List.of(
                    "LOADTYPE",
                    "FILENAME",
                    "FIELDDELIMITER",
                    "RECORDDELIMITER",
                    "QUALIFIER",
                    "ISFIRSTLINEHEADER",
                    "ROWSTOSKIP",
                    "HEADERBYTESOFFSET",
                    "MAXFAULTS",
                    "TRIMWHITESPACE",
                    "CREATE_IF_NOT_EXIST",
                    "ENCODING",
                    "WIDTHS");

    /// Widest field of fixed width.
    private static final int WIDTH_MAX = 1 << 20;

    boolean fixed() {
        return widths.length > 0;
    }

    /// `external` as a table, for binding names and values.
    public static Table table(ExternalTable external) {
        return new Table(external.id(), external.name(), external.columns(), List.of(), List.of());
    }

    /// The form that the options of `table` specify.
    ///
    /// @param place for errors
    public static ExternalForm of(ExternalTable table, Place place) {
        return new Reading(table.options(), place).form(table);
    }

    /// Options while they are parsed.
    private record Reading(Map<String, String> options, Place place) {
        ExternalForm form(ExternalTable table) {
            String type = text("LOADTYPE", "delimited").toLowerCase(Locale.ROOT);
            boolean fixed = type.equals("fixedwidth");
            if (!fixed && !type.equals("delimited")) {
                throw wrong("LOADTYPE is 'delimited' or 'fixedwidth', not '" + type + "'");
            }
            String file = text("FILENAME", table.name() + (fixed ? ".txt" : ".csv"));
            String records = options.get("RECORDDELIMITER");
            String recordDelimiter = records == null ? null : unescaped(records);
            if (recordDelimiter != null && recordDelimiter.isEmpty() && !fixed) {
                throw wrong("RECORDDELIMITER can be empty for LOADTYPE='fixedwidth' alone");
            }
            if (recordDelimiter != null && recordDelimiter.matches("\\r?\\n")) {
                recordDelimiter = null;
            }
            String qualifier = unescaped(text("QUALIFIER", fixed ? "" : "\""));
            if (qualifier.length() > 1) {
                throw wrong("QUALIFIER is one character, or none");
            }
            int quote = qualifier.isEmpty() ? DelimitedForm.NONE : qualifier.charAt(0);
            String fieldDelimiter = unescaped(text("FIELDDELIMITER", ","));
            if (fieldDelimiter.isEmpty() || fieldDelimiter.charAt(0) == quote) {
                throw wrong("FIELDDELIMITER needs a character, which is not the QUALIFIER");
            }
            DelimitedForm form =
                    new DelimitedForm(
                            fieldDelimiter, recordDelimiter, quote, quote, false, "", charset());
            return new ExternalForm(
                    path(file, place),
                    form,
                    fixed ? widths(table.columns()) : new int[0],
                    truth("ISFIRSTLINEHEADER", false),
                    number("ROWSTOSKIP"),
                    number("HEADERBYTESOFFSET"),
                    number("MAXFAULTS"),
                    truth("TRIMWHITESPACE", fixed),
                    truth("CREATE_IF_NOT_EXIST", true));
        }

        private String text(String option, String usual) {
            return options.getOrDefault(option, usual);
        }

        private boolean truth(String option, boolean usual) {
            String text = text(option, String.valueOf(usual));
            if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
                throw wrong(option + " is 'true' or 'false', not '" + text + "'");
            }
            return text.equalsIgnoreCase("true");
        }

        private long number(String option) {
            String text = text(option, "0");
            if (!text.matches("[0-9]{1,18}")) {
                throw wrong(option + " is a number from 0 on, not '" + text + "'");
            }
            return Long.parseLong(text);
        }

        private Charset charset() {
            String name = text("ENCODING", StandardCharsets.UTF_8.name());
            Charset charset = CopyParser.charset(name);
            if (charset == null) {
                throw wrong("There is no encoding '" + name + "'");
            }
            return charset;
        }

        private SqlException wrong(String message) {
            return place.error(Kind.INVALID_PARAMETER, message);
        }

        private int[] widths(List<Column> columns) {
            String given = options.get("WIDTHS");
            String[] parts = given == null ? new String[0] : given.split(",", -1);
            if (given != null && parts.length != columns.size()) {
                throw wrong("WIDTHS needs a number for each column, with commas between");
            }
            int[] widths = new int[columns.size()];
            for (int i = 0; i < widths.length; i++) {
                if (given != null) {
                    String part = parts[i].strip();
                    widths[i] = part.matches("[0-9]{1,7}") ? Integer.parseInt(part) : 0;
                } else {
                    widths[i] = width(columns.get(i).type());
                }
                if (widths[i] < 1 || widths[i] > WIDTH_MAX) {
                    throw wrong(
                            "Column \""
                                    + columns.get(i).name()
                                    + "\" needs a width: give its type a length, or say WIDTHS");
                }
            }
            return widths;
        }

        /// Width in characters that holds every value; 0 if none does.
        private static int width(Type type) {
            return switch (type.name()) {
                case BOOLEAN -> 5;
                case TINYINT -> 4;
                case SMALLINT -> 6;
                case INTEGER -> 11;
                case BIGINT -> 20;
                case REAL -> 15;
                case DOUBLE -> 24;
                case DECIMAL ->
                        type.length() == 0
                                ? 0
                                // sign and point, and a leading zero if all digits are fractional
                                : Math.max(type.length() + 2, type.scale() + 3);
                case CHAR, VARCHAR, VARCHAR_IGNORECASE, BIT, VARBIT -> type.length();
                case DATE -> 10;
                case TIME -> 15;
                case TIME_TZ -> 24;
                case TIMESTAMP -> 26;
                case TIMESTAMP_TZ -> 29;
                case UUID -> 36;
                case CLOB, BINARY, VARBINARY, BLOB, JSON, ARRAY, INTERVAL, ENUM, COMPOSITE -> 0;
            };
        }
    }

    /// `text` with the escape sequences of options replaced: `\n`, `\r`, `\t` and `\\`.
    private static String unescaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 == text.length()) {
                out.append(c);
                continue;
            }
            char next = text.charAt(++i);
            switch (next) {
                case 'n' -> out.append('\n');
                case 'r' -> out.append('\r');
                case 't' -> out.append('\t');
                case '\\' -> out.append('\\');
                default -> out.append(c).append(next);
            }
        }
        return out.toString();
    }

    /// Record delimiter for writing.
    public String recordEnd() {
        @Nullable String delimiter = form.recordDelimiter();
        return delimiter == null ? "\n" : delimiter;
    }

    /// Path of the file named `text`.
    public static Path path(String text, Place place) {
        try {
            Path path = Path.of(text);
            if (text.isEmpty() || path.getFileName() == null) {
                throw place.error(Kind.UNKNOWN_FILE, "'" + text + "' is not the name of a file");
            }
            return path;
        } catch (InvalidPathException unfit) {
            throw place.error(Kind.UNKNOWN_FILE, "'" + text + "' is not the name of a file");
        }
    }
}
