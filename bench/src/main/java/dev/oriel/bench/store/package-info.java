/// What our store alone is asked: opening after a crash, commits, writers on one key.
@NullMarked
package dev.oriel.bench.store;

import org.jspecify.annotations.NullMarked;
