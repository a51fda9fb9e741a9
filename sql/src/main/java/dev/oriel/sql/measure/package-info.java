/// What runs are measured with: clocks that cost a memory access to read, and the [Analysis] of one run by
/// the parts of its plan.
package dev.oriel.sql.measure;
