package dev.oriel.server;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of an admin's request: as a JSON array of objects, or as lines of cells separated by tabs, the first of
/// them the names.
final class AdminRows {
    private final List<String> names;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    AdminRows(String... names) {
        this.names = List.of(names);
    }

    AdminRows(List<String> names) {
        this.names = List.copyOf(names);
    }

    /// Adds a row of texts, numbers, truth values and nulls.
    AdminRows add(@Nullable Object... cells) {
        List<@Nullable Object> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell);
        }
        rows.add(row);
        return this;
    }

    String json() {
        StringBuilder json = new StringBuilder("[");
        String comma = "";
        for (List<@Nullable Object> row : rows) {
            json.append(comma).append('{');
            for (int i = 0; i < names.size(); i++) {
                json.append(i == 0 ? "" : ",");
                Json.quote(names.get(i), json);
                json.append(':');
                value(row.get(i), json);
            }
            json.append('}');
            comma = ",\n";
        }
        return json.append("]\n").toString();
    }

    private static void value(@Nullable Object cell, StringBuilder json) {
        switch (cell) {
            case null -> json.append("null");
            case Boolean truth -> json.append(truth);
            case Number number when isPlain(number) -> json.append(number);
            default -> Json.quote(cell.toString(), json);
        }
    }

    /// Whether every reader of JSON keeps all its digits.
    private static boolean isPlain(Number number) {
        return switch (number) {
            case Integer _, Short _, Byte _ -> true;
            case Long value -> Math.abs(value) <= 1L << 53;
            case Double value -> Double.isFinite(value);
            case Float value -> Float.isFinite(value);
            default -> false;
        };
    }

    /// A null is `\N`; a tab, line end and backslash in a cell are `\t`, `\n`, `\r` and `\\`.
    String lines() {
        StringBuilder text = new StringBuilder();
        line(new ArrayList<>(names), text);
        for (List<@Nullable Object> row : rows) {
            line(row, text);
        }
        return text.toString();
    }

    private static void line(List<? extends @Nullable Object> cells, StringBuilder text) {
        for (int i = 0; i < cells.size(); i++) {
            Object cell = cells.get(i);
            text.append(i == 0 ? "" : "\t");
            if (cell == null) {
                text.append("\\N");
            } else {
                escape(cell.toString(), text);
            }
        }
        text.append('\n');
    }

    private static void escape(String cell, StringBuilder text) {
        for (int i = 0; i < cell.length(); i++) {
            char c = cell.charAt(i);
            switch (c) {
                case '\\' -> text.append("\\\\");
                case '\t' -> text.append("\\t");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                default -> text.append(c);
            }
        }
    }
}
