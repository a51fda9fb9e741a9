/// Property graphs: loads, reads, LinkBench's mix, for HugeGraph's article, of ours and of peers.
@NullMarked
package dev.oriel.bench.graph;

import org.jspecify.annotations.NullMarked;
