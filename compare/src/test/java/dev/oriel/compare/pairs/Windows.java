package dev.oriel.compare.pairs;

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

/// Moves a window over the events of a day. Changed: the events are in a linked list, which `window` reads by position.
public final class Windows {
    private static final int EVENTS = 200;
    private static boolean changed;

    private Windows() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        int[] numbers = Work.numbers(4_096);
        Work.run(words, seed -> day(numbers, (int) (seed & 2_047)));
    }

    @SuppressWarnings("JdkObsolete") // that is the change
    static long day(int[] numbers, int first) {
        List<Integer> events = changed ? new LinkedList<>() : new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            events.add(numbers[first + i] & 127);
        }
        long sum = 0;
        for (int from = 0; from < EVENTS; from += 20) {
            sum += smooth(window(events, from));
        }
        return sum;
    }

    private static long window(List<Integer> events, int from) {
        long sum = 0;
        for (int i = from; i < from + 10; i++) {
            sum += events.get(i);
        }
        return sum;
    }

    private static long smooth(long weight) {
        return Work.steps(weight, 1_000) & 255;
    }
}
