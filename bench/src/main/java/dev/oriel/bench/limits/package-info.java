/// What the machine itself can do: syncs, writes, copies, loads.
@NullMarked
package dev.oriel.bench.limits;

import org.jspecify.annotations.NullMarked;
