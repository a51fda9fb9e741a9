package dev.oriel.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a script of sqllogictest, record by record. The format is that of
/// <https://www.sqlite.org/sqllogictest>: records are separated by blank lines, and may begin with
/// `skipif ENGINE` and `onlyif ENGINE`.
///
/// This engine follows PostgreSQL: records for another engine only are skipped, and so are features that PostgreSQL
/// lacks. Records that PostgreSQL skips only because it requires AS before the name of a column are kept.
final class LogicScript {
    private static final String ENGINE = "postgresql";
    private static final String WANTS_AS = "requires AS";

    private final BufferedReader reader;
    private int line;
    private int skipped;

    LogicScript(BufferedReader reader) {
        this.reader = reader;
    }

    /// Number of records skipped so far.
    int skipped() {
        return skipped;
    }

    /// The next record that is for this engine; null at the end.
    ///
    /// @throws IllegalArgumentException if a record is invalid
    @Nullable LogicRecord next() {
        boolean applies = true;
        while (true) {
            String text = readLine();
            if (text == null) {
                return null;
            }
            String[] words = text.strip().split("\\s+", -1);
            switch (words[0].startsWith("#") ? "" : words[0]) {
                case "" -> {}
                case "skipif" -> applies &= !words[1].equals(ENGINE) || text.contains(WANTS_AS);
                case "onlyif" -> applies &= words[1].equals(ENGINE);
                case "hash-threshold" -> {}
                case "halt" -> {
                    if (applies) {
                        return null;
                    }
                    applies = true;
                }
                case "statement", "query" -> {
                    LogicRecord record = words[0].equals("query") ? query(words) : statement(words);
                    if (applies) {
                        return record;
                    }
                    skipped++;
                    applies = true;
                }
                default ->
                        throw new IllegalArgumentException(
                                "line " + line + " is no record: " + text);
            }
        }
    }

    private LogicRecord statement(String[] words) {
        int start = line;
        return new LogicRecord.Change(start, sql(), words[1].equals("ok"));
    }

    private LogicRecord query(String[] words) {
        int start = line;
        LogicRecord.Sort sort =
                switch (words.length > 2 ? words[2] : "nosort") {
                    case "nosort" -> LogicRecord.Sort.NONE;
                    case "rowsort" -> LogicRecord.Sort.ROWS;
                    case "valuesort" -> LogicRecord.Sort.VALUES;
                    default ->
                            throw new IllegalArgumentException(
                                    "line " + start + " sorts by " + words[2]);
                };
        String sql = sql();
        List<String> expected = new ArrayList<>();
        for (String text = readLine(); text != null && !text.isEmpty(); text = readLine()) {
            expected.add(text);
        }
        String label = words.length > 3 ? words[3] : "";
        return new LogicRecord.Query(start, sql, words[1], sort, label, expected);
    }

    /// The lines up to a blank one, or up to the dashes before the answer.
    private String sql() {
        StringBuilder sql = new StringBuilder();
        for (String text = readLine(); text != null; text = readLine()) {
            if (text.isBlank() || text.strip().equals("----")) {
                break;
            }
            sql.append(sql.isEmpty() ? "" : "\n").append(text);
        }
        return sql.toString();
    }

    private @Nullable String readLine() {
        try {
            line++;
            return reader.readLine();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
