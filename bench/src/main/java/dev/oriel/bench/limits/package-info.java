/// Limits of the machine itself: syncs, writes, copies, loads.
@NullMarked
package dev.oriel.bench.limits;

import org.jspecify.annotations.NullMarked;
