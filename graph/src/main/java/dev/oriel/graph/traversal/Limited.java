package dev.oriel.graph.traversal;

import dev.oriel.graph.range.RunLimit;

/// A step that works for long between two traversers, and looks meanwhile whether it may go on.
interface Limited {
    void limit(RunLimit limit);
}
