package dev.oriel.conformance;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The rows of a query as sqllogictest writes them: one value per line.
final class LogicAnswer {
    private final List<String[]> rows = new ArrayList<>();
    private final int columns;

    private LogicAnswer(int columns) {
        this.columns = columns;
    }

    /// Reads all of `result`.
    static LogicAnswer of(ResultSet result, String types) throws SQLException {
        int columns = result.getMetaData().getColumnCount();
        if (columns != types.length()) {
            throw new SQLException(
                    "The query has " + columns + " columns, " + types.length() + " were expected");
        }
        LogicAnswer answer = new LogicAnswer(columns);
        while (result.next()) {
            String[] row = new String[columns];
            for (int i = 0; i < columns; i++) {
                row[i] = text(result.getObject(i + 1), types.charAt(i));
            }
            answer.rows.add(row);
        }
        return answer;
    }

    private static String text(@Nullable Object value, char type) {
        if (value == null) {
            return "NULL";
        }
        return switch (type) {
            case 'I' -> Long.toString(integer(value));
            case 'R' -> String.format(Locale.ROOT, "%.3f", real(value));
            default -> printable(value.toString());
        };
    }

    private static long integer(Object value) {
        return switch (value) {
            case Number number -> number.longValue();
            case Boolean truth -> truth ? 1 : 0;
            default -> {
                String digits = value.toString().strip();
                int end = 0;
                while (end < digits.length() && Character.isDigit(digits.charAt(end))) {
                    end++;
                }
                yield end == 0 ? 0 : Long.parseLong(digits.substring(0, end));
            }
        };
    }

    private static double real(Object value) {
        return value instanceof Number number ? number.doubleValue() : integer(value);
    }

    private static String printable(String text) {
        if (text.isEmpty()) {
            return "(empty)";
        }
        StringBuilder printable = new StringBuilder(text);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                printable.setCharAt(i, '@');
            }
        }
        return printable.toString();
    }

    /// The values in the order that `sort` asks for.
    List<String> values(LogicRecord.Sort sort) {
        if (sort == LogicRecord.Sort.ROWS) {
            rows.sort(Arrays::compare);
        }
        List<String> values = new ArrayList<>(rows.size() * columns);
        for (String[] row : rows) {
            values.addAll(Arrays.asList(row));
        }
        if (sort == LogicRecord.Sort.VALUES) {
            values.sort(null);
        }
        return values;
    }

    /// Whether `values` match `expected`.
    static boolean matches(List<String> values, List<String> expected) {
        if (expected.size() == 1 && expected.getFirst().contains(" values hashing to ")) {
            return expected.getFirst().equals(digest(values));
        }
        return values.equals(expected);
    }

    /// The digest line that replaces a long list of `values`.
    static String digest(List<String> values) {
        MessageDigest md5;
        try {
            md5 = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has MD5", missing);
        }
        for (String value : values) {
            md5.update(value.getBytes(StandardCharsets.ISO_8859_1));
            md5.update((byte) '\n');
        }
        return values.size() + " values hashing to " + HexFormat.of().formatHex(md5.digest());
    }
}
