package dev.oriel.kv;

import dev.oriel.store.UsageException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.temporal.Temporal;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Formats Java values as JSON text: all types that [JsonReader] returns, other numbers, records, arrays of
/// objects and enums. Dates, times and UUIDs become strings.
final class JsonWriter {
    private final StringBuilder out = new StringBuilder();

    private JsonWriter() {}

    /// @throws UsageException if a value has no form in JSON, or is nested too deeply
    static byte[] write(@Nullable Object value) {
        JsonWriter writer = new JsonWriter();
        writer.put(value, 0);
        return writer.out.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// @param depth the number of values that enclose this one
    private void put(@Nullable Object value, int depth) {
        switch (value) {
            case null -> out.append("null");
            case Boolean flag -> out.append(flag.booleanValue());
            case Double number -> putNumber(number, Double.isFinite(number));
            case Float number -> putNumber(number, Float.isFinite(number));
            case Number number -> out.append(number);
            case Map<?, ?> map -> putMap(map, depth);
            case Collection<?> elements -> putElements(elements, depth);
            case Object[] elements -> putElements(java.util.Arrays.asList(elements), depth);
            case Record record -> putRecord(record, depth);
            case CharSequence text -> quote(text, out);
            case Character letter -> quote(letter.toString(), out);
            case Enum<?> constant -> quote(constant.name(), out);
            case UUID uuid -> quote(uuid.toString(), out);
            case Temporal time -> quote(time.toString(), out);
            default ->
                    throw new UsageException(
                            "A value has no form in JSON; use maps, lists, records, text and numbers",
                            "class=" + value.getClass().getName());
        }
    }

    private void putNumber(Number number, boolean finite) {
        if (!finite) {
            throw new UsageException("JSON has no such number", "number=" + number);
        }
        out.append(number);
    }

    /// Begins a value that contains others.
    private void open(char bracket, int depth) {
        if (depth == JsonScan.DEPTH_MAX) {
            throw new UsageException(
                    "The value is nested too deeply for JSON; flatten it, or look for a cycle in"
                            + " it",
                    "depthMax=" + JsonScan.DEPTH_MAX);
        }
        out.append(bracket);
    }

    private void putMap(Map<?, ?> map, int depth) {
        open('{', depth);
        String comma = "";
        for (Map.Entry<?, ?> member : map.entrySet()) {
            out.append(comma);
            quote(String.valueOf(member.getKey()), out);
            out.append(':');
            put(member.getValue(), depth + 1);
            comma = ",";
        }
        out.append('}');
    }

    private void putElements(Collection<?> elements, int depth) {
        open('[', depth);
        String comma = "";
        for (Object element : elements) {
            out.append(comma);
            put(element, depth + 1);
            comma = ",";
        }
        out.append(']');
    }

    private void putRecord(Record record, int depth) {
        open('{', depth);
        String comma = "";
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            out.append(comma);
            quote(component.getName(), out);
            out.append(':');
            put(read(record, component), depth + 1);
            comma = ",";
        }
        out.append('}');
    }

    private static @Nullable Object read(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new UsageException(
                    "A record cannot be read; make it public, and export its package to"
                            + " dev.oriel.kv",
                    "record=" + record.getClass().getName() + " component=" + component.getName(),
                    e);
        }
    }

    /// Appends `text` as a JSON string.
    static void quote(CharSequence text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20 || (Character.isSurrogate(c) && isAlone(text, i))) {
                        out.append("\\u%04x".formatted((int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /// An unpaired surrogate has no UTF-8 form.
    private static boolean isAlone(CharSequence text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                ? i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))
                : i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
    }
}
