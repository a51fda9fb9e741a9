/// TinkerPop's graph computer ([OrielGraphComputer]) over a snapshot.
@NullMarked
package dev.oriel.graph.computer;

import org.jspecify.annotations.NullMarked;
