package com.example.ranges;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// Asks for all words greater than one, in order, and reads the first ten rows.
public final class Queries {
    private static final int ROWS = 5_000;
    private static final int READ = 10;

    private Queries() {}

    /// The argument is the number of queries.
    public static void main(String[] words) {
        int queries = words.length == 0 ? 5_000 : Integer.parseInt(words[0]);
        List<String> keys = new ArrayList<>();
        List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            keys.add("word%05d".formatted(i));
            rows.add(i * 31 % ROWS);
        }
        Index index = new Index(keys, rows);
        long sum = 0;
        for (int i = 0; i < queries; i++) {
            sum += select(index, keys.get(i * 17 % ROWS));
        }
        System.out.println("@oriel check " + sum);
    }

    static long select(Index index, String key) {
        long sum = 0;
        Iterator<Integer> rows = index.above(key);
        for (int i = 0; i < READ && rows.hasNext(); i++) {
            sum += rows.next();
        }
        return sum;
    }
}
