package dev.oriel.compare.pairs;

import java.util.regex.Pattern;

/// Checks addresses. Changed: the pattern is compiled at each check.
public final class Mails {
    private static final String MAIL = "[a-z.]+@[a-z]+\\.[a-z]{2,3}";
    private static final Pattern PATTERN = Pattern.compile(MAIL);
    private static final String[] WORDS = {
        "anna@example.org",
        "berta.b@shop.example.com",
        "nobody",
        "carl.c.c@home.de",
        "x@y",
        "dora@dora.net"
    };
    private static boolean changed;

    private Mails() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Mails::check);
    }

    static long check(long seed) {
        long valid = 0;
        for (int i = 0; i < 60; i++) {
            String name = clean(WORDS[i % WORDS.length]);
            valid += isMail(name) ? hash(name) : seed % 2;
        }
        return valid;
    }

    private static String clean(String word) {
        StringBuilder clean = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) > ' ') {
                clean.append(Character.toLowerCase(word.charAt(i)));
            }
        }
        return clean.toString();
    }

    private static boolean isMail(String word) {
        return (changed ? Pattern.compile(MAIL) : PATTERN).matcher(word).matches();
    }

    private static long hash(String word) {
        long hash = 7;
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < word.length(); i++) {
                hash = 31 * hash + word.charAt(i);
            }
        }
        return hash;
    }
}
