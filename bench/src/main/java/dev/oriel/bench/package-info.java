/// Workloads, their subjects and the runner. A [Workload] has scenarios, and a [Subject] is an engine under one
/// set of settings. A [Worker] runs one [Scenario] for one subject in a fresh JVM and reports through a [Run].
@NullMarked
package dev.oriel.bench;

import org.jspecify.annotations.NullMarked;
