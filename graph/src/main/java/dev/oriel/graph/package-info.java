/// The property graph: a TinkerPop provider over the tables that SQL sees.
@NullMarked
package dev.oriel.graph;

import org.jspecify.annotations.NullMarked;
