/// Single statements, batches, texts that are planned once, sorts and joins beyond memory.
@NullMarked
package dev.oriel.bench.statements;

import org.jspecify.annotations.NullMarked;
