/// Records of bytes under ids: the workload of the thread on jdbm, and our stores of such records.
@NullMarked
package dev.oriel.bench.jdbm;

import org.jspecify.annotations.NullMarked;
