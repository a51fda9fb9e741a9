/// Measurement of runs: clocks that cost a memory access to read, and the [Analysis] of one run by plan node.
package dev.oriel.sql.measure;
