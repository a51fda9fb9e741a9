/// Conditions of Gremlin as ranges of indexes ([IndexChoice]), rows added while these are read, and deadlines of
/// traversals.
@NullMarked
package dev.oriel.graph.range;

import org.jspecify.annotations.NullMarked;
