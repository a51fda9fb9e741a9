package dev.oriel.compare.pairs;

import java.util.HashMap;
import java.util.Map;

/// Looks places up in a map. Changed: the hash of a place leaves a coordinate out, so places collide.
public final class Keys {
    private static boolean changed;

    private Keys() {}

    private static final class Place {
        private final int x;
        private final int y;

        Place(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place place && place.x == x && place.y == y;
        }

        @Override
        public int hashCode() {
            return changed ? x : 31 * x + y;
        }
    }

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Map<Place, Integer> places = new HashMap<>();
        for (int i = 0; i < 400; i++) {
            places.put(new Place(i % 80, i), i);
        }
        Work.run(words, seed -> visit(places) + seed % 2);
    }

    private static long visit(Map<Place, Integer> places) {
        long sum = 0;
        for (int i = 0; i < 400; i++) {
            sum += find(places, i) + far(i);
        }
        return sum;
    }

    private static int find(Map<Place, Integer> places, int i) {
        return places.getOrDefault(new Place(i % 80, i), 0);
    }

    private static long far(int i) {
        double sum = 0;
        for (int k = 1; k < 40; k++) {
            sum += Math.sqrt(i * k);
        }
        return (long) sum;
    }
}
