package dev.oriel.bench.axion;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// The article's rows: pairs of relatively short strings, in random order. The first of each pair is a word of 6 to
/// 12 letters, the second has 4 to 20 letters. The first words are distinct, and there are as many further words
/// for updates.
public final class AxionWords {
    private final String[] firsts;
    private final String[] seconds;
    private final String[] others;

    private AxionWords(String[] firsts, String[] seconds, String[] others) {
        this.firsts = firsts;
        this.seconds = seconds;
        this.others = others;
    }

    /// Generates the words from a seed.
    public static AxionWords of(int rows, long seed) {
        Random random = new Random(seed);
        Set<String> distinct = new LinkedHashSet<>();
        while (distinct.size() < 2 * rows) {
            distinct.add(letters(random, 6, 12));
        }
        List<String> words = new ArrayList<>(distinct);
        Collections.shuffle(words, random);
        String[] second = new String[rows];
        for (int i = 0; i < rows; i++) {
            second[i] = letters(random, 4, 20);
        }
        return new AxionWords(
                words.subList(0, rows).toArray(new String[0]),
                second,
                words.subList(rows, 2 * rows).toArray(new String[0]));
    }

    private static String letters(Random random, int min, int max) {
        int length = min + random.nextInt(max - min + 1);
        StringBuilder word = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }

    /// Number of rows.
    public int rows() {
        return firsts.length;
    }

    /// The first text of row `row`, from 0.
    public String first(int row) {
        return firsts[row];
    }

    /// The second text of row `row`, from 0.
    public String second(int row) {
        return seconds[row];
    }

    /// The word that an update of the row sets.
    String other(int row) {
        return others[row];
    }
}
