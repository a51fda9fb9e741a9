/// TPC-H's questions.
@NullMarked
package dev.oriel.bench.tpch;

import org.jspecify.annotations.NullMarked;
