package dev.oriel.cli.migration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a migration has taken over, and what it has not.
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

    /// Tables and their rows.
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

    /// What is there and differs: columns of other types.
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /// What is not there, each with the reason.
    public List<String> left() {
        return List.copyOf(left);
    }
}
