/// The working tree against a revision.
@NullMarked
package dev.oriel.bench.gate;

import org.jspecify.annotations.NullMarked;
