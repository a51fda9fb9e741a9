/// Workloads of our store alone: opening after a crash, commits, writers on one key.
@NullMarked
package dev.oriel.bench.store;

import org.jspecify.annotations.NullMarked;
