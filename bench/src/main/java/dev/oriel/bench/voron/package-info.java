/// The workload of the articles on Voron's page table: versions of pages, in ways of ours and theirs.
@NullMarked
package dev.oriel.bench.voron;

import org.jspecify.annotations.NullMarked;
