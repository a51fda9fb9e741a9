package dev.oriel.sql.bind;

import dev.oriel.table.definition.EnumType;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/// The bound of a partition with its values.
sealed interface KeyBound {
    /// The bound as it is stored, and shown by PG_GET_EXPR.
    String text();

    /// Whether the bound has the label `label` of the type `of`.
    default boolean hasLabel(EnumType of, String label) {
        return switch (this) {
            case Range range ->
                    hasLabel(range.lower, of, label) || hasLabel(range.upper, of, label);
            case Listed list -> hasLabel(list.values, of, label);
            case Remainder _, Rest _ -> false;
        };
    }

    private static boolean hasLabel(List<KeyValue> values, EnumType of, String label) {
        return values.stream().anyMatch(value -> value.hasLabel(of, label));
    }

    /// Keys from `lower` on, up to but not including `upper`.
    record Range(List<KeyValue> lower, List<KeyValue> upper) implements KeyBound {
        boolean isEmpty() {
            return compare(lower, upper) >= 0;
        }

        boolean overlaps(Range other) {
            return compare(lower, other.upper) < 0 && compare(other.lower, upper) < 0;
        }

        /// Compares ends of ranges, column by column up to an infinity.
        static int compare(List<KeyValue> a, List<KeyValue> b) {
            for (int i = 0; i < a.size(); i++) {
                int order = a.get(i).compareTo(b.get(i));
                if (order != 0 || a.get(i).infinity() != 0) {
                    return order;
                }
            }
            return 0;
        }

        @Override
        public String text() {
            return "FOR VALUES FROM " + listed(lower) + " TO " + listed(upper);
        }
    }

    /// Keys that are one of `values`, each different; NULL may be one.
    record Listed(List<KeyValue> values) implements KeyBound {
        boolean hasNull() {
            return values.stream().anyMatch(KeyValue::isNull);
        }

        boolean holds(KeyValue value) {
            for (KeyValue own : values) {
                boolean hasNull = own.isNull() || value.isNull();
                if (hasNull ? own.isNull() == value.isNull() : own.compareTo(value) == 0) {
                    return true;
                }
            }
            return false;
        }

        List<KeyValue> present() {
            List<KeyValue> present = new ArrayList<>(values);
            present.removeIf(KeyValue::isNull);
            return present;
        }

        @Override
        public String text() {
            return "FOR VALUES IN " + listed(values);
        }
    }

    /// Keys whose hash, divided by `modulus`, leaves `remainder`.
    record Remainder(long modulus, long remainder) implements KeyBound {
        boolean overlaps(Remainder other) {
            long smaller = Math.min(modulus, other.modulus);
            return remainder % smaller == other.remainder % smaller;
        }

        @Override
        public String text() {
            return "FOR VALUES WITH (modulus " + modulus + ", remainder " + remainder + ")";
        }
    }

    /// Keys that no other partition takes.
    record Rest() implements KeyBound {
        @Override
        public String text() {
            return "DEFAULT";
        }
    }

    private static String listed(List<KeyValue> values) {
        StringJoiner listed = new StringJoiner(", ", "(", ")");
        values.forEach(value -> listed.add(value.text()));
        return listed.toString();
    }
}
