package dev.oriel.compare.pairs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Adds up a list of boxes. Changed: the boxes lie in the memory in another order than in the list.
public final class Boxes {
    private static final int COUNT = 300_000;

    private Boxes() {}

    public static void main(String[] words) {
        List<Long> boxes = new ArrayList<>();
        for (long i = 0; i < COUNT; i++) {
            boxes.add(i + 1_000);
        }
        if (Work.isChanged(words)) {
            Collections.shuffle(boxes, new Random(1));
        }
        int[] numbers = Work.numbers(COUNT);
        Work.run(words, seed -> add(boxes, numbers) + seed % 2);
    }

    static long add(List<Long> boxes, int[] numbers) {
        long sum = total(boxes);
        for (int i = 0; i < 4; i++) {
            sum += spread(numbers, i);
        }
        return sum;
    }

    private static long total(List<Long> boxes) {
        long sum = 0;
        for (Long each : boxes) {
            sum += each;
        }
        return sum;
    }

    private static long spread(int[] numbers, int shift) {
        long sum = 0;
        for (int each : numbers) {
            sum = sum * 31 + (each >> shift);
        }
        return sum;
    }
}
