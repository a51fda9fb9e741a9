package dev.oriel.bench;

import java.util.List;

/// A source of subjects, found by `ServiceLoader`: ours in this module, the peers beside it.
public interface Subjects {
    /// All its subjects, of every kind. Naming them loads none of their classes.
    List<Subject> subjects();
}
