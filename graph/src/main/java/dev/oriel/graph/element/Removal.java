package dev.oriel.graph.element;

/// State of the removals of one transaction, shared by the removed elements: if it is rolled back, they exist
/// again. Safe for use by any number of threads.
public final class Removal {
    private volatile boolean undone;

    public boolean isUndone() {
        return undone;
    }

    public void undo() {
        undone = true;
    }
}
