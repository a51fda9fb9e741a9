package dev.oriel.cli.migration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The result of a migration: the objects taken over, changed and left out.
public final class MigrationReport {
    private final Map<String, Long> tables = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private int indexes;
    private int checks;
    private int foreignKeys;
    private int sequences;
    private int views;

    MigrationReport() {}

    void table(String name, long rows) {
        tables.put(name, rows);
    }

    void index() {
        indexes++;
    }

    void check() {
        checks++;
    }

    void foreignKey() {
        foreignKeys++;
    }

    void sequence() {
        sequences++;
    }

    void view() {
        views++;
    }

    void note(String name, String text) {
        notes.add(name + ": " + text);
    }

    void left(String name, @Nullable String reason) {
        left.add(name + ": " + String.valueOf(reason).lines().findFirst().orElse(""));
    }

    /// Number of rows of each table.
    public Map<String, Long> tables() {
        return Map.copyOf(tables);
    }

    public int indexes() {
        return indexes;
    }

    public int checks() {
        return checks;
    }

    public int foreignKeys() {
        return foreignKeys;
    }

    public int sequences() {
        return sequences;
    }

    public int views() {
        return views;
    }

    /// Objects that differ from the source, such as columns of other types.
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /// Objects left out, each with the reason.
    public List<String> left() {
        return List.copyOf(left);
    }
}
