package dev.oriel.graph.element;

/// The removals of one transaction, for the objects that stand for what was removed: where it is rolled back, that
/// is there again. Safe for use by any number of threads.
public final class Removal {
    private volatile boolean undone;

    public boolean isUndone() {
        return undone;
    }

    public void undo() {
        undone = true;
    }
}
