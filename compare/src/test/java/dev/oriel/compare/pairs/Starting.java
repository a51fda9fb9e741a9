package dev.oriel.compare.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Starts and answers one request. Changed: each of its routes is compiled as a pattern.
public final class Starting {
    private static final List<Object> ROUTES = new ArrayList<>();

    private Starting() {}

    public static void main(String[] words) {
        boolean changed = Work.isChanged(words);
        for (int i = 0; i < 30_000; i++) {
            register("/shop/" + i + "/[a-z]+/(item|order)", changed);
        }
        Work.run(words, Starting::answer);
    }

    private static void register(String route, boolean changed) {
        ROUTES.add(changed ? Pattern.compile(route) : route);
    }

    private static long answer(long seed) {
        return Work.steps(seed, 60_000_000) + ROUTES.size();
    }
}
