package dev.oriel.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.function.ThrowingConsumer;

/// Makes a failing list of operations short enough to understand.
///
/// Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), without the
/// half of it that tests single chunks. It takes away a chunk of the list, keeps the rest if it still fails, and
/// halves the chunks if none can be removed. At the end no single operation can be left out. The operations must
/// therefore make sense in any selection: one that refers to a missing object does nothing.
///
/// ```java
/// Shrink.check(operations, list -> runAgainstModel(new SimDirectory(), list));
/// ```
public final class Shrink {
    private Shrink() {}

    /// Runs the test on the operations. If it fails, throws an [AssertionError] with as few operations as possible that
    /// still fail, and with the failure as its cause.
    ///
    /// @param test throws an exception or an assertion error if it fails; starts afresh each time
    public static <T> void check(List<T> operations, ThrowingConsumer<List<T>> test) {
        if (!fails(test).test(operations)) {
            return;
        }
        List<T> few = minimal(operations, fails(test));
        StringBuilder message = new StringBuilder();
        message.append(few.size()).append(" of ").append(operations.size());
        message.append(" operations are enough to fail:");
        few.forEach(operation -> message.append("\n  ").append(operation));
        throw new AssertionError(message.toString(), failure(few, test));
    }

    /// A sub-list of `failing` for which `fails` holds, but not for any of its sub-lists with one element less.
    ///
    /// @throws IllegalArgumentException if it does not hold for `failing` itself
    public static <T> List<T> minimal(List<T> failing, Predicate<List<T>> fails) {
        if (!fails.test(failing)) {
            throw new IllegalArgumentException("the list does not fail");
        }
        List<T> kept = new ArrayList<>(failing);
        int chunk = Math.max(1, kept.size() / 2);
        while (!kept.isEmpty()) {
            boolean spared = false;
            // From the end: later operations mostly depend on earlier ones, not the reverse.
            for (int end = kept.size(); end > 0; end -= chunk) {
                List<T> rest = new ArrayList<>(kept);
                rest.subList(Math.max(0, end - chunk), end).clear();
                if (fails.test(List.copyOf(rest))) {
                    kept = rest;
                    spared = true;
                }
            }
            if (chunk == 1 && !spared) {
                break;
            }
            chunk = spared ? Math.min(chunk, Math.max(1, kept.size())) : chunk / 2;
        }
        return List.copyOf(kept);
    }

    private static <T> Predicate<List<T>> fails(ThrowingConsumer<List<T>> test) {
        return list -> failure(list, test) != null;
    }

    private static <T> @Nullable Throwable failure(List<T> list, ThrowingConsumer<List<T>> test) {
        try {
            test.accept(list);
            return null;
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable failure) {
            return failure;
        }
    }
}
