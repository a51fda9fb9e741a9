/// One transaction over rows, entries and vertices, tested by banks, histories, programs, crashes and misuse.
@NullMarked
package dev.oriel.graph.faces;

import org.jspecify.annotations.NullMarked;
