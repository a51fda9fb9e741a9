package dev.oriel.compare.pairs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/// Takes tasks from a line. Changed: the line is a list, whose head is removed by moving all others.
public final class Waiting {
    private static boolean changed;

    private Waiting() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Waiting::day);
    }

    static long day(long seed) {
        Collection<Long> line = changed ? new ArrayList<>() : new ArrayDeque<>();
        for (long i = 0; i < 1_500; i++) {
            line.add(seed + i);
        }
        long sum = 0;
        while (!line.isEmpty()) {
            sum += serve(next(line));
        }
        return sum;
    }

    private static long next(Collection<Long> line) {
        return line instanceof List<Long> list
                ? list.removeFirst()
                : ((Deque<Long>) line).removeFirst();
    }

    private static long serve(long task) {
        return Work.steps(task, 200);
    }
}
