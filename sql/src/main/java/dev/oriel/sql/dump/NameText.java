package dev.oriel.sql.dump;

import dev.oriel.sql.plan.Quoting;
import dev.oriel.table.definition.Column;
import java.util.List;

/// Names and strings as a script writes them.
final class NameText {
    private NameText() {}

    static String of(String name) {
        return Quoting.name(name);
    }

    /// `name` in quotes, in a place where a plain name may be read as a word such as OUT.
    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /// `name` with its schema, the empty one for PUBLIC.
    static String of(String schema, String name) {
        return (schema.isEmpty() ? "public" : Quoting.name(schema)) + "." + Quoting.name(name);
    }

    static String literal(String text) {
        return Quoting.literal(text);
    }

    static String list(List<String> names) {
        return "(" + String.join(", ", names.stream().map(NameText::of).toList()) + ")";
    }

    /// The names of the columns at `positions`, in parentheses.
    static String list(List<Column> columns, List<Integer> positions) {
        return list(positions.stream().map(i -> columns.get(i).name()).toList());
    }
}
