package dev.oriel.graph.traversal;

import dev.oriel.graph.range.TraversalDeadline;

/// A step that works for long between two traversers, and looks meanwhile whether it may go on.
interface Cancellable {
    void limit(TraversalDeadline limit);
}
