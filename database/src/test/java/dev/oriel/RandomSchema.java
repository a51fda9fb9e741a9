package dev.oriel;

import dev.oriel.testkit.Gen;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/// A script that makes a random database: tables of random columns with random keys, indexes, checks, defaults and
/// rows, views of them, and sequences.
final class RandomSchema {
    /// Types that can be keys, then the others.
    private static final List<String> TYPES =
            List.of(
                    "INTEGER",
                    "BIGINT",
                    "SMALLINT",
                    "VARCHAR(40)",
                    "TEXT",
                    "DECIMAL(12, 3)",
                    "DATE",
                    "TIMESTAMP",
                    "TIMESTAMP WITH TIME ZONE",
                    "BOOLEAN",
                    "VARBINARY(20)",
                    "UUID",
                    "TIME",
                    "TIME WITH TIME ZONE",
                    "INTERVAL",
                    "mood",
                    "BIT VARYING(9)",
                    "DOUBLE",
                    "REAL",
                    "DECIMAL",
                    "JSON",
                    "INTEGER[]",
                    "TEXT[]",
                    "pair");

    private static final int KEYS = 17;

    private final Gen gen;
    private final StringBuilder script = new StringBuilder();
    private final List<String> names = new ArrayList<>();

    RandomSchema(Gen gen) {
        this.gen = gen;
    }

    private record Made(String name, List<String> columns, List<String> types, List<Integer> key) {}

    String script() {
        script.append("CREATE SCHEMA other;\nCREATE TYPE mood AS ENUM ('a', 'b', ' ', 'x y');\n");
        script.append("CREATE TYPE pair AS (n INTEGER, t TEXT);\n");
        List<Made> tables = new ArrayList<>();
        int count = 1 + gen.below(5);
        for (int i = 0; i < count; i++) {
            tables.add(table(tables));
        }
        for (int i = 0; i < gen.below(4); i++) {
            Made table = gen.pick(tables);
            String column = gen.pick(table.columns);
            script.append("CREATE VIEW ")
                    .append(name())
                    .append(" AS SELECT ")
                    .append(column)
                    .append(" AS c, COUNT(*) AS ")
                    .append(name())
                    .append(" FROM ")
                    .append(table.name)
                    .append(" GROUP BY 1;\n");
        }
        return script.toString();
    }

    /// A new name, often one that needs quotes.
    private String name() {
        while (true) {
            String text = gen.chance(50) ? "n" + gen.below(1000) : gen.text(12);
            text = text.replace("\0", "").strip();
            String folded = text.toUpperCase(Locale.ROOT);
            if (!text.isEmpty() && text.length() < 60 && !names.contains(folded)) {
                names.add(folded);
                return '"' + text.replace("\"", "\"\"") + '"';
            }
        }
    }

    private Made table(List<Made> others) {
        String name = (gen.chance(30) ? "other." : "") + name();
        List<String> columns = new ArrayList<>();
        List<String> types = new ArrayList<>();
        int width = 1 + gen.below(7);
        for (int i = 0; i < width; i++) {
            columns.add(name());
            types.add(gen.pick(TYPES));
        }
        List<Integer> key = new ArrayList<>();
        for (int i = 0; i < width && key.size() < 2; i++) {
            if (TYPES.indexOf(types.get(i)) < KEYS && gen.chance(40)) {
                key.add(i);
            }
        }
        if (gen.chance(50)) {
            Collections.reverse(key);
        }
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            String type = types.get(i);
            boolean defaults = gen.chance(30) && !type.contains("[");
            elements.add(
                    columns.get(i)
                            + " "
                            + type
                            + (gen.chance(20) ? " NOT NULL" : "")
                            + (defaults ? " DEFAULT " + value(type) : ""));
        }
        if (!key.isEmpty()) {
            elements.add("PRIMARY KEY (" + list(columns, key) + ")");
        }
        int first = gen.below(width);
        if (gen.chance(40)) {
            elements.add("CHECK (" + columns.get(first) + " IS NULL OR TRUE)");
        }
        script.append("CREATE TABLE ").append(name).append(" (");
        script.append(String.join(", ", elements)).append(");\n");
        Made made = new Made(name, columns, types, key);
        rows(made);
        indexes(made);
        if (!others.isEmpty() && gen.chance(50)) {
            reference(made, gen.pick(others));
        }
        return made;
    }

    private static String list(List<String> columns, List<Integer> key) {
        return String.join(", ", key.stream().map(columns::get).toList());
    }

    private void rows(Made table) {
        int rows = gen.below(40);
        for (int i = 0; i < rows; i++) {
            List<String> values = new ArrayList<>();
            for (String type : table.types) {
                values.add(value(type));
            }
            script.append("INSERT INTO ")
                    .append(table.name)
                    .append(" VALUES (")
                    .append(String.join(", ", values))
                    .append(") ON CONFLICT DO NOTHING;\n");
        }
    }

    private void indexes(Made table) {
        for (int i = 0; i < table.columns.size(); i++) {
            if (TYPES.indexOf(table.types.get(i)) < KEYS && gen.chance(25)) {
                script.append("CREATE INDEX ")
                        .append(name())
                        .append(" ON ")
                        .append(table.name)
                        .append(" (")
                        .append(table.columns.get(i))
                        .append(")")
                        .append(
                                gen.chance(30)
                                        ? " WHERE " + table.columns.get(i) + " IS NOT NULL"
                                        : "")
                        .append(";\n");
            }
        }
    }

    /// A column that refers to the key of `parent`; its values are NULL.
    private void reference(Made table, Made parent) {
        if (parent.key.size() != 1) {
            return;
        }
        String column = name();
        script.append("ALTER TABLE ")
                .append(table.name)
                .append(" ADD COLUMN ")
                .append(column)
                .append(' ')
                .append(parent.types.get(parent.key.getFirst()))
                .append(" REFERENCES ")
                .append(parent.name)
                .append(gen.chance(50) ? " ON DELETE CASCADE" : "")
                .append(";\n");
    }

    /// A value of `type` as SQL writes it, never NULL.
    private String value(String type) {
        return switch (type) {
            case "INTEGER" -> "(" + gen.anyInt() + ")";
            case "BIGINT" -> "(" + gen.between(Long.MIN_VALUE + 1, Long.MAX_VALUE) + ")";
            case "SMALLINT" -> "(" + gen.between(-32768, 32767) + ")";
            case "VARCHAR(40)", "TEXT" -> string(gen.text(20));
            case "DECIMAL(12, 3)" -> "(" + gen.between(-999_999_999, 999_999_999) + ".125)";
            case "DECIMAL" -> "(" + gen.anyLong() + "." + gen.below(1_000_000) + ")";
            case "DATE" ->
                    gen.chance(10)
                            ? "DATE 'infinity'"
                            : "DATE '2000-01-01' + " + gen.between(-900_000, 900_000);
            case "TIMESTAMP" -> "TIMESTAMP '2000-01-01' + " + interval();
            case "TIMESTAMP WITH TIME ZONE" ->
                    "TIMESTAMP WITH TIME ZONE '2000-01-01 00:00+00' + " + interval();
            case "BOOLEAN" -> gen.chance(50) ? "TRUE" : "FALSE";
            case "VARBINARY(20)" -> "X'" + HexFormat.of().formatHex(gen.bytes(20)) + "'";
            case "UUID" -> "CAST('" + new UUID(gen.anyLong(), gen.anyLong()) + "' AS UUID)";
            case "TIME" -> "TIME '00:00' + " + interval();
            case "TIME WITH TIME ZONE" ->
                    "TIME WITH TIME ZONE '"
                            + gen.pick(List.of("00:00+14", "12:00:00.000001-03:30"))
                            + "'";
            case "INTERVAL" -> interval();
            case "mood" -> gen.pick(List.of("'a'", "'b'", "' '", "'x y'"));
            case "BIT VARYING(9)" -> "B'" + Integer.toBinaryString(gen.below(512)) + "'";
            case "DOUBLE", "REAL" -> number(type);
            case "JSON" -> "'{\"a\": [" + gen.anyLong() + ", null, \"é\"]}'";
            case "INTEGER[]" -> "ARRAY[" + gen.anyInt() + ", NULL, " + gen.anyInt() + "]";
            case "TEXT[]" -> "ARRAY[" + string(gen.text(9)) + ", NULL, '']";
            default -> "ROW(" + gen.anyInt() + ", " + string(gen.text(9)) + ")";
        };
    }

    private String number(String type) {
        double value = gen.anyDouble();
        if (type.equals("REAL")) {
            float single = (float) value;
            return "CAST('"
                    + (Float.isInfinite(single) ? "Infinity" : String.valueOf(single))
                    + "' AS REAL)";
        }
        return "CAST('" + value + "' AS DOUBLE PRECISION)";
    }

    private String interval() {
        return "INTERVAL '"
                + gen.between(-900, 900)
                + " months "
                + gen.between(-9999, 9999)
                + " days "
                + gen.between(-999_999_999, 999_999_999)
                + " microseconds'";
    }

    private static String string(String text) {
        return "'" + text.replace("\0", "").replace("'", "''") + "'";
    }
}
