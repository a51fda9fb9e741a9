package dev.oriel.compare.pairs;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Prints dates. Changed: the formatter is made for each of them.
public final class Dates {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("dd.MM.yyyy", Locale.ROOT);
    private static boolean changed;

    private Dates() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Dates::calendar);
    }

    static long calendar(long seed) {
        long sum = 0;
        for (int day = 0; day < 30; day++) {
            LocalDate date = date(seed & 1023, day);
            sum += text(date).length() + feast(date);
        }
        return sum;
    }

    private static LocalDate date(long seed, int day) {
        return LocalDate.ofEpochDay(seed * 17 + day);
    }

    private static String text(LocalDate date) {
        return (changed ? DateTimeFormatter.ofPattern("dd.MM.yyyy", Locale.ROOT) : FORMAT)
                .format(date);
    }

    private static long feast(LocalDate date) {
        return Work.steps(date.getDayOfYear(), 1_000) & 1;
    }
}
