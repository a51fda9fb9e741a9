package dev.oriel.table.definition;

import java.util.Locale;

/// Names of tables, columns and indexes: their comparison, and suggestions for a misspelt one.
public final class Names {
    /// Separator between the name of a schema and another name; no name has it.
    public static final char SCHEMA_END = '\0';

    private Names() {}

    /// The form in which names are compared.
    public static String folded(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /// The form in which names of a schema are compared; names of PUBLIC, the empty schema, have no prefix.
    public static String key(String schema, String name) {
        return schema.isEmpty() || schema.equalsIgnoreCase(SearchPath.PUBLIC)
                ? folded(name)
                : folded(schema) + SCHEMA_END + folded(name);
    }

    /// A phrase with the candidate most like `name`, or an empty text if none is near.
    public static String nearest(String name, Iterable<String> candidates) {
        String folded = folded(name);
        String nearest = "";
        int least = Math.max(2, name.length() / 3) + 1;
        for (String candidate : candidates) {
            int distance = distance(folded, folded(candidate));
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest.isEmpty() ? "" : " nearest=" + nearest;
    }

    /// Levenshtein's distance: the fewest characters to insert, delete or replace.
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j - 1], diagonal) + 1);
            }
        }
        return row[b.length()];
    }
}
