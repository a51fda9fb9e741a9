/// What workloads, their subjects and what runs them know of each other: a [Workload] has scenarios, a
/// [Subject] is an engine under one set of settings, a [Worker] runs one [Scenario] for one subject in a
/// fresh JVM and tells of it through a [Run].
@NullMarked
package dev.oriel.bench;

import org.jspecify.annotations.NullMarked;
