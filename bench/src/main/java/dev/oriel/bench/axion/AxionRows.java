package dev.oriel.bench.axion;

/// The rows of the table during updates, visited round-robin. Each row alternates between its first word and its
/// other one.
final class AxionRows {
    private final AxionWords words;
    private final boolean[] swapped;
    private int row;

    AxionRows(AxionWords words) {
        this.words = words;
        swapped = new boolean[words.rows()];
    }

    /// The current word of the row.
    String word() {
        return swapped[row] ? words.other(row) : words.first(row);
    }

    /// The word that replaces it.
    String other() {
        return swapped[row] ? words.first(row) : words.other(row);
    }

    String second() {
        return words.second(row);
    }

    /// Notes the change, and moves to the next row.
    void swap() {
        swapped[row] = !swapped[row];
        row = row + 1 == swapped.length ? 0 : row + 1;
    }
}
