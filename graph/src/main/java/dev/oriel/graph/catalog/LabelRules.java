package dev.oriel.graph.catalog;

import dev.oriel.graph.value.Bytes;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Rules of a declared label for its elements. Names are of property keys.
///
/// @param declared false for a label created by its first element: it has no rules
/// @param keys the primary keys of a vertex label, in order; the sort keys of an edge label
/// @param properties all properties that an element may have
/// @param nullable properties that an element may lack
/// @param ttlMillis lifetime of an element; 0 for unlimited
public record LabelRules(
        boolean declared,
        IdStrategy ids,
        List<String> keys,
        List<String> properties,
        List<String> nullable,
        long ttlMillis) {
    public LabelRules {
        keys = List.copyOf(keys);
        properties = List.copyOf(properties);
        nullable = List.copyOf(nullable);
    }

    /// These rules with other properties.
    public LabelRules with(List<String> otherProperties, List<String> otherNullable) {
        return new LabelRules(declared, ids, keys, otherProperties, otherNullable, ttlMillis);
    }

    /// Source of the ids of vertices.
    public enum IdStrategy {
        /// The graph allots numbers; if the label is not declared, users may give ids of any kind.
        AUTOMATIC,
        /// Made of the label and the values of the primary keys.
        PRIMARY_KEY,
        CUSTOM_STRING,
        CUSTOM_NUMBER,
        CUSTOM_UUID
    }

    /// Refuses a key that the label does not accept.
    public void accept(String label, String key) {
        if (declared && !properties.contains(key)) {
            throw new IllegalArgumentException(
                    "The label %s has no property %s; append it to the label first"
                            .formatted(label, key));
        }
    }

    /// The id of a vertex with these properties; null if its number is its id.
    ///
    /// @param given the user-supplied id, or null
    /// @param known property keys, to convert the values of primary keys
    public @Nullable Object id(
            String label, @Nullable Object given, PropertyKeys known, Object... keyValues) {
        boolean fits =
                switch (ids) {
                    case AUTOMATIC -> given == null || !declared;
                    case PRIMARY_KEY -> given == null;
                    case CUSTOM_STRING -> given instanceof String;
                    case CUSTOM_NUMBER -> given instanceof Number;
                    case CUSTOM_UUID -> given instanceof UUID;
                };
        if (!fits) {
            throw new IllegalArgumentException(
                    "The label %s has ids of the kind %s, not %s".formatted(label, ids, given));
        }
        if (ids != IdStrategy.PRIMARY_KEY) {
            return given;
        }
        if (keys.size() == 1) {
            return label + ':' + escaped(value(label, keys.getFirst(), known, keyValues));
        }
        StringJoiner id = new StringJoiner("!", label + ":", "");
        for (String key : keys) {
            id.add(escaped(value(label, key, known, keyValues)));
        }
        return id.toString();
    }

    private static Object value(String label, String key, PropertyKeys known, Object... keyValues) {
        for (int i = 0; i < keyValues.length; i += 2) {
            if (key.equals(keyValues[i]) && keyValues[i + 1] != null) {
                PropertyKey of = known.byName(key);
                return of == null ? keyValues[i + 1] : of.checked(keyValues[i + 1]);
            }
        }
        throw new IllegalArgumentException(
                "A vertex of %s must have the primary key %s".formatted(label, key));
    }

    /// Ensures that different values give different ids, and equal values the same id on any machine.
    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    public static String escaped(Object value) {
        String text =
                switch (value) {
                    case Date moment -> Instant.ofEpochMilli(moment.getTime()).toString();
                    case byte[] bytes -> HexFormat.of().formatHex(bytes);
                    default -> value.toString();
                };
        return text.replace("\\", "\\\\").replace("!", "\\!");
    }

    public static long checkedTtl(long millis) {
        if (millis < 1 || millis > Long.MAX_VALUE / 2_000_000) {
            throw new IllegalArgumentException(
                    "A ttl is 1 millisecond or more, and 146 years at most, not " + millis);
        }
        return millis;
    }

    public boolean requires(String key) {
        return declared && properties.contains(key) && !nullable.contains(key);
    }

    @SuppressWarnings("EnumOrdinal") // the order of strategies is part of the format
    void encode(Bytes out) {
        out.put(declared ? 1 : 0);
        out.put(ids.ordinal());
        encode(out, keys);
        encode(out, properties);
        encode(out, nullable);
        out.putVarint(ttlMillis);
    }

    private static void encode(Bytes out, List<String> names) {
        out.putVarint(names.size());
        names.forEach(out::putText);
    }

    static LabelRules decode(Bytes in) {
        boolean declared = in.take() != 0;
        IdStrategy ids = IdStrategy.values()[in.take()];
        return new LabelRules(
                declared,
                ids,
                names(in),
                names(in),
                names(in),
                in.more() ? in.takeVarint() : 0); // an older release has none
    }

    private static List<String> names(Bytes in) {
        String[] names = new String[in.takeCount()];
        for (int i = 0; i < names.length; i++) {
            names[i] = in.takeText();
        }
        return List.of(names);
    }
}
