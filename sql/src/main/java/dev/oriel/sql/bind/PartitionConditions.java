package dev.oriel.sql.bind;

import dev.oriel.table.definition.Partition.Strategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes bounds as conditions on the key. Each is true for the rows within the bound; for others it is false or
/// unknown. No two partitions have the same condition, as their own checks and indexes are found by it.
final class PartitionConditions {
    static final String TRUE = "TRUE";
    static final String FALSE = "FALSE";

    private final Strategy strategy;

    /// Texts of the key's expressions.
    private final List<String> key;

    PartitionConditions(Strategy strategy, List<String> key) {
        this.strategy = strategy;
        this.key = key;
    }

    /// The condition of `bound`.
    ///
    /// @param all bounds of all partitions; the DEFAULT partition leaves out the other ones
    String of(KeyBound bound, List<KeyBound> all) {
        return switch (bound) {
            case KeyBound.Range range -> range(range);
            case KeyBound.Listed list -> list(list.present(), list.hasNull());
            case KeyBound.Remainder hash ->
                    remainder(hash.modulus(), List.of(Long.toString(hash.remainder())));
            case KeyBound.Rest _ -> "(" + any(all) + ") IS NOT TRUE";
        };
    }

    /// The condition of the rows within one of `bounds`. Adjacent ranges are merged, and so are lists.
    String any(List<KeyBound> bounds) {
        return switch (strategy) {
            case RANGE -> ranges(bounds);
            case LIST -> {
                List<KeyValue> values = new ArrayList<>();
                boolean hasNull = false;
                for (KeyBound bound : bounds) {
                    if (bound instanceof KeyBound.Listed list) {
                        values.addAll(list.present());
                        hasNull |= list.hasNull();
                    }
                }
                yield values.isEmpty() && !hasNull ? FALSE : list(values, hasNull);
            }
            case HASH -> {
                Map<Long, List<String>> remainders = new TreeMap<>();
                double share = 0;
                for (KeyBound bound : bounds) {
                    if (bound instanceof KeyBound.Remainder hash) {
                        remainders
                                .computeIfAbsent(hash.modulus(), modulus -> new ArrayList<>())
                                .add(Long.toString(hash.remainder()));
                        share += 1.0 / hash.modulus();
                    }
                }
                List<String> all = new ArrayList<>();
                remainders.forEach((modulus, each) -> all.add(remainder(modulus, each)));
                boolean whole = share > 1 - 1e-12;
                yield whole ? TRUE : all.isEmpty() ? FALSE : String.join(" OR ", all);
            }
            case NONE -> FALSE;
        };
    }

    private String ranges(List<KeyBound> bounds) {
        List<KeyBound.Range> sorted = new ArrayList<>();
        for (KeyBound bound : bounds) {
            if (bound instanceof KeyBound.Range range) {
                sorted.add(range);
            }
        }
        sorted.sort(Comparator.comparing(KeyBound.Range::lower, KeyBound.Range::compare));
        List<String> all = new ArrayList<>();
        KeyBound.Range open = null;
        for (KeyBound.Range range : sorted) {
            if (open != null && KeyBound.Range.compare(open.upper(), range.lower()) == 0) {
                open = new KeyBound.Range(open.lower(), range.upper());
                continue;
            }
            if (open != null) {
                all.add("(" + range(open) + ")");
            }
            open = range;
        }
        if (open == null) {
            return FALSE;
        }
        all.add(all.isEmpty() ? range(open) : "(" + range(open) + ")");
        return String.join(" OR ", all);
    }

    private String list(List<KeyValue> values, boolean hasNull) {
        String name = key.getFirst();
        List<String> texts = values.stream().map(KeyValue::text).toList();
        String in = name + compared(texts);
        return !hasNull
                ? in
                : texts.isEmpty() ? name + " IS NULL" : "(" + name + " IS NULL OR " + in + ")";
    }

    private String range(KeyBound.Range range) {
        List<String> all = new ArrayList<>();
        add(all, compared(range.lower(), 0, ">"), range.lower(), ">=");
        add(all, compared(range.upper(), 0, "<"), range.upper(), "<=");
        boolean compares =
                range.lower().getFirst().infinity() == 0
                        || range.upper().getFirst().infinity() == 0;
        for (int i = compares ? 1 : 0; i < key.size(); i++) {
            all.add(key.get(i) + " IS NOT NULL");
        }
        return String.join(" AND ", all);
    }

    /// Adds a comparison. One with OR is preceded by a comparison of the first column, for an index.
    private void add(List<String> all, String condition, List<KeyValue> end, String first) {
        if (condition.equals(TRUE)) {
            return;
        }
        if (condition.contains(" OR ")) {
            all.add(key.getFirst() + " " + first + " " + end.getFirst().text());
            all.add("(" + condition + ")");
        } else {
            all.add(condition);
        }
    }

    /// The condition that the key from column `i` on is beyond `end`: at or above it for `>`, below it for `<`.
    private String compared(List<KeyValue> end, int i, String operator) {
        boolean above = operator.equals(">");
        if (i == end.size()) {
            return above ? TRUE : FALSE;
        }
        KeyValue value = end.get(i);
        if (value.infinity() != 0) {
            return above == (value.infinity() < 0) ? TRUE : FALSE;
        }
        String rest = compared(end, i + 1, operator);
        String name = key.get(i);
        if (rest.equals(TRUE)) {
            return name + " " + operator + "= " + value.text();
        }
        String beyond = name + " " + operator + " " + value.text();
        return rest.equals(FALSE)
                ? beyond
                : beyond + " OR (" + name + " = " + value.text() + " AND (" + rest + "))";
    }

    /// The condition that the hash of the key has one of `remainders` by `modulus`.
    private String remainder(long modulus, List<String> remainders) {
        return hash() + " % " + modulus + compared(remainders);
    }

    /// The comparison with one of `texts`.
    private static String compared(List<String> texts) {
        return texts.size() == 1
                ? " = " + texts.getFirst()
                : " IN (" + String.join(", ", texts) + ")";
    }

    /// The first three bytes of a digest of the key's texts, as a number.
    private String hash() {
        StringBuilder text = new StringBuilder();
        for (String each : key) {
            text.append(text.isEmpty() ? "" : " || ',' || ")
                    .append("COALESCE(CAST(")
                    .append(each)
                    .append(" AS TEXT), '')");
        }
        return "CAST(CAST('x' || SUBSTRING(MD5(" + text + ") FROM 1 FOR 6) AS BIT(24)) AS INTEGER)";
    }
}
