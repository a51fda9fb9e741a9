package dev.oriel.compare.pairs;

/// Reads a table with gaps. Changed: a gap is recognised by the exception of the parser.
public final class Numbers {
    private static final String[] CELLS = {
        "12", "7", "", "199", "20000", "5", "n/a", "17", "3", "1024"
    };
    private static boolean changed;

    private Numbers() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Numbers::table);
    }

    static long table(long seed) {
        long sum = seed;
        for (int i = 0; i < 200; i++) {
            sum = style(sum + cell(CELLS[i % CELLS.length]));
        }
        return sum;
    }

    private static int cell(String text) {
        if (!changed && (text.isEmpty() || !Character.isDigit(text.charAt(0)))) {
            return 0;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static long style(long value) {
        return Work.steps(value, 300);
    }
}
