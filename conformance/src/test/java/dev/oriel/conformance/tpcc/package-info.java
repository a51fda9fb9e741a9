/// The transactions of TPC-C, by our own code, for what they leave: its consistency conditions.
@NullMarked
package dev.oriel.conformance.tpcc;

import org.jspecify.annotations.NullMarked;
