package dev.oriel.bench.axion;

/// The rows of the table while they are modified, one after the other and around: each goes by its
/// word or by its other one in turn.
final class AxionRows {
    private final AxionWords words;
    private final boolean[] swapped;
    private int row;

    AxionRows(AxionWords words) {
        this.words = words;
        swapped = new boolean[words.rows()];
    }

    /// What the row at hand is called.
    String word() {
        return swapped[row] ? words.other(row) : words.first(row);
    }

    /// What it is to be called.
    String other() {
        return swapped[row] ? words.first(row) : words.other(row);
    }

    String second() {
        return words.second(row);
    }

    /// It is called so now; on to the next row.
    void swap() {
        swapped[row] = !swapped[row];
        row = row + 1 == swapped.length ? 0 : row + 1;
    }
}
