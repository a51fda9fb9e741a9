package dev.oriel.graph.traversal;

import dev.oriel.graph.range.TraversalDeadline;

/// A step that may work for long between two traversers, and checks a deadline meanwhile.
interface Cancellable {
    void limit(TraversalDeadline limit);
}
