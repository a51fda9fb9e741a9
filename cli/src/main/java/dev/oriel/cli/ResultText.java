package dev.oriel.cli;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.jspecify.annotations.Nullable;

/// Formats the results of traversals as text.
final class ResultText {
    private ResultText() {}

    static String of(@Nullable Object value) {
        return value instanceof byte[] bytes
                ? "X'" + HexFormat.of().formatHex(bytes) + "'"
                : Objects.toString(value);
    }

    /// Returns the values of an element's properties, by key, in order.
    static Map<String, List<Object>> properties(Element element) {
        Map<String, List<Object>> values = new LinkedHashMap<>();
        Iterator<? extends Property<Object>> properties = element.properties();
        while (properties.hasNext()) {
            Property<Object> property = properties.next();
            values.computeIfAbsent(property.key(), _ -> new ArrayList<>(1)).add(property.value());
        }
        return values;
    }
}
