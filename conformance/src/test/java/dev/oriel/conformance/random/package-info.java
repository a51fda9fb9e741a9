/// Random queries, whose answers are held against those of other databases and against what must be
/// equal by the rules of SQL.
@NullMarked
package dev.oriel.conformance.random;

import org.jspecify.annotations.NullMarked;
