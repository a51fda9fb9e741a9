/// The workload of the article on Axion: 10 of 5,000 rows by an index.
@NullMarked
package dev.oriel.bench.axion;

import org.jspecify.annotations.NullMarked;
