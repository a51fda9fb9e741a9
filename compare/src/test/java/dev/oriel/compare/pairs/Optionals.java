package dev.oriel.compare.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads a configuration through generic lookups. Changed: the lookup runs a stream over all entries.
public final class Optionals {
    private static boolean changed;

    private Optionals() {}

    private record Entry<T>(String name, T value) {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        List<Entry<Integer>> entries = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            entries.add(new Entry<>("option " + i, i));
        }
        Work.run(words, seed -> configure(entries, seed));
    }

    private static long configure(List<Entry<Integer>> entries, long seed) {
        long sum = seed;
        for (Entry<Integer> entry : entries) {
            sum = apply(sum + find(entries, entry.name()).orElse(0));
        }
        return sum;
    }

    private static <T> Optional<T> find(List<Entry<T>> entries, String name) {
        if (changed) {
            return entries.stream()
                    .filter(entry -> entry.name().equals(name))
                    .map(Entry::value)
                    .findFirst();
        }
        for (Entry<T> entry : entries) {
            if (entry.name().equals(name)) {
                return Optional.of(entry.value());
            }
        }
        return Optional.empty();
    }

    private static long apply(long option) {
        return Work.steps(option, 400);
    }
}
