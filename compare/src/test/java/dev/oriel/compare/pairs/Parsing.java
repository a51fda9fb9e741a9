package dev.oriel.compare.pairs;

/// Parses a text of numbers and words. Changed: a loop in `number` looks at each digit once more.
public final class Parsing {
    private static final String TEXT =
            "[12345,alpha,678901,beta,23456789,gamma,1,delta]".repeat(20);
    private static boolean changed;

    private final String text;
    private int at;

    private Parsing(String text) {
        this.text = text;
    }

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, seed -> parse(TEXT));
    }

    static long parse(String text) {
        return new Parsing(text).document();
    }

    private long document() {
        long sum = 0;
        while (at < text.length()) {
            sum = 31 * sum + value();
        }
        return sum;
    }

    private long value() {
        char c = text.charAt(at);
        if (Character.isDigit(c)) {
            return number();
        }
        if (Character.isLetter(c)) {
            return word();
        }
        at++;
        return c;
    }

    private long number() {
        int begin = at;
        long value = 0;
        while (at < text.length() && Character.isDigit(text.charAt(at))) {
            value = 10 * value + text.charAt(at) - '0';
            at++;
        }
        if (changed) {
            for (int i = begin; i < at; i++) {
                value += Work.steps(text.charAt(i), 4) & 1;
            }
        }
        return value;
    }

    private long word() {
        long hash = 7;
        while (at < text.length() && Character.isLetter(text.charAt(at))) {
            hash = Work.steps(31 * hash + text.charAt(at), 6);
            at++;
        }
        return hash;
    }
}
