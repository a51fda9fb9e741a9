package dev.oriel.bench.run;

import dev.oriel.bench.Scale;
import java.nio.file.Path;
import java.time.Duration;

/// Options of an invocation.
///
/// @param scale amount of work
/// @param cases a regular expression looked for in the names of cases; empty for all
/// @param budget time after which no further round is begun
/// @param roundsMin number of rounds that every scenario gets if the time allows it
/// @param widthGoal the half width of intervals, as a share, at which a scenario is repeated no more;
///     infinite if it gets `roundsMin` and no more
/// @param folder for the databases, on a disk
/// @param seed of data and order
/// @param command as typed
public record Options(
        Scale scale,
        String cases,
        Duration budget,
        int roundsMin,
        double widthGoal,
        Path folder,
        long seed,
        String command) {}
