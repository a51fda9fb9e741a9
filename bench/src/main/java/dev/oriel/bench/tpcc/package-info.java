/// TPC-C's transactions.
@NullMarked
package dev.oriel.bench.tpcc;

import org.jspecify.annotations.NullMarked;
