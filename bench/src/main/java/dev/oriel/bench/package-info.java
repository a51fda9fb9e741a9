/// The workloads, their subjects, and what runs them.
@NullMarked
package dev.oriel.bench;

import org.jspecify.annotations.NullMarked;
