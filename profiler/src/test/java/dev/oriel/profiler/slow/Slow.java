package dev.oriel.profiler.slow;

import dev.oriel.profiler.Probe;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;

/// Small programs, each with one of the faults that advice is about, and its cure beside it. Each does
/// some work until it is told that the time is over, and returns something that depends on all of it.
public final class Slow {
    private static final Probe LOAD = Probe.of(Slow.class, "load");
    private static final Probe LOOK_UP = Probe.of(Slow.class, "lookUp");
    private static final Probe ADD = Probe.of(Slow.class, "add");
    private static final Probe MATCHES = Probe.of(Slow.class, "matches");
    private static final Object LOCK = new Object();
    private static final ReentrantLock OTHER_LOCK = new ReentrantLock();
    private static final Map<Long, long[]> EVERYTHING = new HashMap<>();
    private static final Map<Long, long[]> LATEST =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, long[]> eldest) {
                    return size() > 2_000;
                }
            };

    /// When to end.
    public interface Clock {
        /// Whether there is time left.
        boolean goesOn();
    }

    /// A kind of something.
    private enum Kind {
        ONE,
        TWO,
        THREE,
        FOUR
    }

    private static long blackHole;

    private Slow() {}

    /// Looks up the same thing for every element.
    public static long callInLoop(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            sum += load(true);
        }
        return sum;
    }

    /// Looks it up once for all elements.
    public static long callBeforeLoop(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            sum += load(false);
        }
        return sum;
    }

    private static long load(boolean each) {
        long entered = LOAD.enter();
        try {
            long rate = each ? 0 : lookUp(7);
            long sum = 0;
            for (int i = 0; i < 500; i++) {
                sum += each ? lookUp(7) * i : rate * i;
            }
            return sum;
        } finally {
            LOAD.exit(entered);
        }
    }

    private static long lookUp(long key) {
        long entered = LOOK_UP.enter();
        try {
            double x = key;
            for (int i = 0; i < 100; i++) {
                x = Math.sqrt(x + i);
            }
            return (long) x;
        } finally {
            LOOK_UP.exit(entered);
        }
    }

    /// Looks through all names before it adds one.
    public static long linearSearch(Clock clock) {
        long sum = 0;
        List<String> names = new ArrayList<>();
        while (clock.goesOn()) {
            sum += 1 + add(names, "name" + names.size(), names.size());
        }
        return sum;
    }

    /// Looks at a few before it adds one.
    public static long boundedSearch(Clock clock) {
        long sum = 0;
        List<String> names = new ArrayList<>();
        while (clock.goesOn()) {
            sum += 1 + add(names, "name" + names.size(), Math.min(10, names.size()));
        }
        return sum;
    }

    private static long add(List<String> names, String name, int looks) {
        long entered = ADD.enter();
        try {
            long found = 0;
            for (int i = 0; i < looks; i++) {
                found += matches(names.get(i), name) ? 1 : 0;
            }
            names.add(name);
            return found;
        } finally {
            ADD.exit(entered);
        }
    }

    private static boolean matches(String one, String other) {
        long entered = MATCHES.enter();
        try {
            return one.equals(other);
        } finally {
            MATCHES.exit(entered);
        }
    }

    /// Threads hold one lock for a long time.
    public static long lock(Clock clock) throws InterruptedException {
        return twice(
                clock,
                () -> {
                    synchronized (LOCK) {
                        blackHole += work(2_000_000);
                    }
                });
    }

    /// The same with a lock of `java.util.concurrent`.
    public static long otherLock(Clock clock) throws InterruptedException {
        return twice(
                clock,
                () -> {
                    OTHER_LOCK.lock();
                    try {
                        blackHole += work(2_000_000);
                    } finally {
                        OTHER_LOCK.unlock();
                    }
                });
    }

    /// Threads work by themselves and hold the lock to add up alone.
    public static long shortLock(Clock clock) throws InterruptedException {
        return twice(
                clock,
                () -> {
                    long done = work(2_000_000);
                    synchronized (LOCK) {
                        blackHole += done;
                    }
                });
    }

    private static long twice(Clock clock, Runnable step) throws InterruptedException {
        Thread other =
                new Thread(() -> {
                    while (clock.goesOn()) {
                        step.run();
                    }
                });
        other.start();
        while (clock.goesOn()) {
            step.run();
        }
        other.join();
        return blackHole;
    }

    private static long work(int steps) {
        long x = 1;
        for (int i = 0; i < steps; i++) {
            x = x * 31 + i;
        }
        return x;
    }

    /// A buffer of 64 KiB for a few bytes.
    public static long largeBuffer(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            byte[] buffer = new byte[65_536];
            sum += fill(buffer, sum);
        }
        return sum;
    }

    /// A buffer as large as it has to be.
    public static long smallBuffer(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            byte[] buffer = new byte[32];
            sum += fill(buffer, sum);
        }
        return sum;
    }

    private static long fill(byte[] buffer, long seed) {
        for (int i = 0; i < 32; i++) {
            buffer[i] = (byte) (seed + i);
        }
        return (Arrays.hashCode(buffer) & 7) | 1;
    }

    /// Copies the values of an enum each time.
    public static long valuesEachTime(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            for (int i = 0; i < 1_000; i++) {
                sum += kind(Kind.values(), i);
            }
        }
        return sum;
    }

    /// Copies them once.
    public static long valuesOnce(Clock clock) {
        Kind[] kinds = Kind.values();
        long sum = 0;
        while (clock.goesOn()) {
            for (int i = 0; i < 1_000; i++) {
                sum += kind(kinds, i);
            }
        }
        return sum;
    }

    private static long kind(Kind[] kinds, long seed) {
        last = kinds;
        return kinds[(int) (seed & 3)].name().length();
    }

    /// Where what was made goes, so that the JVM has to make it.
    static volatile Object last = "";

    /// Looks a method up for every call.
    public static long reflection(Clock clock) throws ReflectiveOperationException {
        long sum = 0;
        while (clock.goesOn()) {
            for (int i = 0; i < 100; i++) {
                Method method = String.class.getMethod("length");
                sum += (int) method.invoke("abc");
            }
        }
        return sum;
    }

    /// Calls it.
    public static long direct(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            for (int i = 0; i < 100; i++) {
                last = "abc" + i;
                sum += last.toString().length();
            }
        }
        return sum;
    }

    /// Builds the message of a check that never fails.
    public static long message(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            for (int i = 0; i < 100; i++) {
                sum++;
                checkThat(sum > 0, "the sum " + sum + " of " + i + " is negative");
            }
        }
        return sum;
    }

    /// Builds it only where it fails.
    public static long messageOnFailure(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            for (int i = 0; i < 100; i++) {
                sum++;
                last = "the sum " + sum + " of " + i;
                if (sum < 0) {
                    throw new IllegalStateException("the sum " + sum + " is negative");
                }
            }
        }
        return sum;
    }

    private static void checkThat(boolean right, String message) {
        last = message;
        if (!right) {
            throw new IllegalStateException(message);
        }
    }

    /// Boxes numbers, and makes a lambda for each of them.
    public static long boxes(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            List<Long> numbers = new ArrayList<>(1_000);
            for (int i = 0; i < 1_000; i++) {
                numbers.add(sum + i + 1_000);
            }
            last = numbers;
            sum += numbers.get(500) & 7;
        }
        return sum;
    }

    /// Makes a lambda for each number.
    public static long lambdas(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            for (int i = 0; i < 1_000; i++) {
                long factor = sum + i;
                LongUnaryOperator operator = x -> x * factor;
                last = operator;
                sum += operator.applyAsLong(i) & 3;
            }
        }
        return sum;
    }

    /// Keeps numbers as numbers.
    public static long primitives(Clock clock) {
        long sum = 0;
        while (clock.goesOn()) {
            long[] numbers = new long[1_000];
            for (int i = 0; i < 1_000; i++) {
                numbers[i] = sum + i + 1_000;
            }
            last = numbers;
            sum += numbers[500] & 7;
        }
        return sum;
    }

    /// Makes an iterator for every element. Rounds differ in length: allocation is sampled where a
    /// thread's buffer ends, and rounds of equal size could end theirs at one and the same line.
    public static long views(Clock clock) {
        List<Long> numbers = new ArrayList<>(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L));
        long sum = 0;
        for (int round = 0; clock.goesOn(); round++) {
            int length = 5 + round % 7;
            List<Iterator<Long>> chain = new ArrayList<>(length);
            for (int i = 0; i < length; i++) {
                chain.add(numbers.subList(i, i + 1).iterator());
            }
            last = chain;
            sum += chain.getFirst().next();
        }
        return sum;
    }

    /// Goes through them by their places.
    public static long oneCursor(Clock clock) {
        List<Long> numbers = new ArrayList<>(List.of(1L, 2L, 3L, 4L, 5L));
        long sum = 0;
        while (clock.goesOn()) {
            last = new long[numbers.size()];
            sum += numbers.get(1);
        }
        return sum;
    }

    /// Searches a list of the JDK.
    public static long listSearch(Clock clock) {
        List<Long> numbers = new ArrayList<>();
        for (long i = 0; i < 5_000; i++) {
            numbers.add(i);
        }
        long sum = 0;
        while (clock.goesOn()) {
            sum += numbers.indexOf(4_000 + (sum & 511)) + 1;
        }
        return sum;
    }

    /// Remembers everything.
    public static long growingMap(Clock clock) {
        return remember(clock, EVERYTHING);
    }

    /// Remembers the latest.
    public static long boundedMap(Clock clock) {
        return remember(clock, LATEST);
    }

    private static long remember(Clock clock, Map<Long, long[]> map) {
        map.clear();
        long sum = 0;
        while (clock.goesOn()) {
            for (int i = 0; i < 100; i++) {
                blackHole += work(300);
                map.put(sum++, new long[16]);
            }
        }
        return sum;
    }
}
