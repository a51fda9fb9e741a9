package dev.oriel.testkit;

import java.util.ArrayList;
import java.util.List;

/// All cases of a small test, one after the other: an odometer whose wheels are the decisions the
/// test takes, in the order in which it takes them.
///
/// ```java
/// Exhaustive all = new Exhaustive();
/// do {
///     int first = all.choose(3);
///     if (first > 0 && all.flag()) {
///         ...
///     }
/// } while (all.next());
/// ```
///
/// The number of decisions, and of their alternatives, may depend on earlier decisions, but on nothing else. Not
/// thread-safe.
public final class Exhaustive implements Chooser {
    private record Wheel(int position, int alternatives) {}

    private final List<Wheel> wheels = new ArrayList<>();
    private int taken;
    private long cases;

    /// Starts with the first case, in which every decision is 0.
    public Exhaustive() {}

    @Override
    public int choose(int alternatives) {
        if (alternatives < 1) {
            throw new IllegalArgumentException("nothing to choose from");
        }
        if (taken == wheels.size()) {
            wheels.add(new Wheel(0, alternatives));
        }
        Wheel wheel = wheels.get(taken++);
        if (wheel.alternatives != alternatives) {
            throw new IllegalStateException(
                    "decision %d had %d alternatives in the case before, and now %d"
                            .formatted(taken, wheel.alternatives, alternatives));
        }
        return wheel.position;
    }

    /// One of 0 and 1, as false and true.
    public boolean flag() {
        return choose(2) == 1;
    }

    /// One of the elements.
    public <T> T pick(List<T> elements) {
        return elements.get(choose(elements.size()));
    }

    /// Turns to the next case; false after the last one.
    public boolean next() {
        cases++;
        // A case that ended early leaves later wheels from the case before.
        wheels.subList(taken, wheels.size()).clear();
        taken = 0;
        while (!wheels.isEmpty()) {
            Wheel last = wheels.removeLast();
            if (last.position + 1 < last.alternatives) {
                wheels.add(new Wheel(last.position + 1, last.alternatives));
                return true;
            }
        }
        return false;
    }

    /// Cases finished so far.
    public long cases() {
        return cases;
    }

    /// The decisions of this case, for the message of a failing test.
    @Override
    public String toString() {
        return wheels.stream().map(Wheel::position).toList().toString();
    }
}
