package dev.oriel.compare.pairs;

import java.util.LinkedHashMap;
import java.util.Map;

/// Serves pages from a cache. Changed: the cache is smaller, so pages are loaded more often.
public final class Lru {
    private static int capacity = 400;
    private static final Map<Integer, Long> CACHE =
            new LinkedHashMap<>(1_000, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Integer, Long> eldest) {
                    return size() > capacity;
                }
            };

    private Lru() {}

    public static void main(String[] words) {
        capacity = Work.isChanged(words) ? 350 : capacity;
        int[] numbers = Work.numbers(10_000);
        Work.run(words, seed -> serve(numbers, (int) (seed & 4095)));
    }

    static long serve(int[] numbers, int first) {
        long sum = 0;
        for (int i = 0; i < 100; i++) {
            sum += page(numbers[first + i] % 500);
        }
        return sum;
    }

    private static long page(int number) {
        Long page = CACHE.get(number);
        if (page == null) {
            page = load(number);
            CACHE.put(number, page);
        }
        return page;
    }

    private static long load(int number) {
        return Work.steps(number, 3_000);
    }
}
