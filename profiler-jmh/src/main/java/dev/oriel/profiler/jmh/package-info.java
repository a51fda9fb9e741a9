/// The profiler as one of JMH's.
@org.jspecify.annotations.NullMarked
package dev.oriel.profiler.jmh;
