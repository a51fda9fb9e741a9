package dev.oriel.compare;

import java.util.List;

/// A method that is called more or less often per operation, by exact counts, whatever its time.
///
/// @param name `owner.method`
/// @param path path to the call whose number changes, outermost method first, the method itself last; twice if it
///     calls itself more or less often
/// @param callsA calls per operation of A; 0 if B alone calls it
/// @param callsB calls per operation of B
/// @param nanos time of the further calls, from the time of a call; 0 if calls were not timed
public record CallChange(
        String name, List<String> path, double callsA, double callsB, double nanos) {
    /// Copies the list.
    public CallChange {
        path = List.copyOf(path);
    }

    /// The change, as a sentence without its full stop.
    public String sentence() {
        String caller = path.size() < 2 ? "" : path.get(path.size() - 2);
        String by = caller.isEmpty() ? "" : " by " + (caller.equals(name) ? "itself" : caller);
        if (isLambdaOf(caller)) {
            String calls = caller + " calls its lambda ";
            return callsB == 0
                    ? "%sno more, in A %s an operation".formatted(calls, times(callsA))
                    : "%s%s an operation%s"
                            .formatted(
                                    calls,
                                    times(callsB),
                                    callsA == 0
                                            ? ", and never in A"
                                            : " instead of " + Costs.count(callsA));
        }
        if (callsA == 0) {
            return "%s is called %s an operation%s, and never in A"
                    .formatted(name, times(callsB), by);
        }
        if (callsB == 0) {
            return "%s is called no more, in A %s an operation%s"
                    .formatted(name, times(callsA), by);
        }
        return "%s is called %s an operation instead of %s%s"
                .formatted(name, times(callsB), Costs.count(callsA), by);
    }

    /// Whether it is part of the source of the caller, whose name says more to a reader.
    private boolean isLambdaOf(String caller) {
        int owner = caller.lastIndexOf('.') + 1;
        return name.equals(caller.substring(0, owner) + "lambda$" + caller.substring(owner));
    }

    /// Whether there are more calls.
    public boolean more() {
        return callsB > callsA;
    }

    private static String times(double calls) {
        String count = Costs.count(calls);
        return count.equals("1") ? "once" : count.startsWith("1 in") ? count : count + " times";
    }
}
