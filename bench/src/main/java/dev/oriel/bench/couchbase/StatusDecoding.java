package dev.oriel.bench.couchbase;

import dev.oriel.bench.Subject;
import java.util.Locale;
import java.util.function.ToIntFunction;

/// One way to find a status by its number.
///
/// @param loop decodes all of an array and returns the sum of the numbers of the statuses found, 65,535 for
///     an unknown one. It is a loop of its own for each, so that the compiler sees one way at a time
record StatusDecoding(String name, String settings, ToIntFunction<int[]> loop) implements Subject {
    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String toString() {
        return name.toLowerCase(Locale.ROOT);
    }
}
