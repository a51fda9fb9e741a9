package dev.oriel.table.key;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.IntervalValue;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.ShortText;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Keys in readable form, for messages: `(7, 'Ada', NULL, 2026-11-21)`.
public final class KeyText {
    private KeyText() {}

    /// The first columns of the encoded `key`, whose types are `types`. If it is damaged, its bytes: a message
    /// about damage must not fail by it.
    public static String of(Slice key, Type[] types) {
        try {
            return decoded(key, types);
        } catch (CorruptionException | DateTimeException e) {
            return "x'" + ShortText.of(HexFormat.of().formatHex(key.toBytes())) + "'";
        }
    }

    private static String decoded(Slice key, Type[] types) {
        KeyReader reader = new KeyReader().over(key);
        Tuple value = new Tuple(1);
        StringJoiner text = new StringJoiner(", ", "(", ")");
        for (Type type : types) {
            reader.read(type, value, 0);
            text.add(of(value, type));
        }
        return text.toString();
    }

    private static String of(Tuple value, Type type) {
        if (value.isNull(0)) {
            return "NULL";
        }
        return switch (type.shape()) {
            case LONG ->
                    type.name() == Type.Name.ENUM
                            ? "'" + type.labels().at(value.longAt(0)) + "'"
                            : of(value.longAt(0), type.name());
            case DOUBLE -> Double.toString(value.doubleAt(0));
            case DECIMAL -> {
                BigDecimal number = value.decimalAt(0);
                yield number != null && NonFinite.is(number)
                        ? NonFinite.text(number)
                        : String.valueOf(number);
            }
            case TEXT, FOLDED -> "'" + ShortText.of(String.valueOf(value.textAt(0))) + "'";
            case BYTES -> of(value.bytesAt(0), type);
        };
    }

    private static String of(long value, Type.Name name) {
        boolean dates =
                name == Type.Name.DATE
                        || name == Type.Name.TIMESTAMP
                        || name == Type.Name.TIMESTAMP_TZ;
        if (dates && NonFinite.is(value, name)) {
            return value > 0 ? "infinity" : "-infinity";
        }
        return switch (name) {
            case BOOLEAN -> value == 0 ? "FALSE" : "TRUE";
            case DATE -> LocalDate.ofEpochDay(value).toString();
            case TIME -> StoredValues.time(value).toString();
            case TIME_TZ -> StoredValues.zonedTime(value).toString();
            case TIMESTAMP -> timestamp(value).toString();
            case TIMESTAMP_TZ -> timestamp(value) + "Z";
            default -> Long.toString(value);
        };
    }

    private static LocalDateTime timestamp(long micros) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, 1_000_000L),
                (int) Math.floorMod(micros, 1_000_000L) * 1000,
                ZoneOffset.UTC);
    }

    private static String of(byte @Nullable [] bytes, Type type) {
        Type.Name name = type.name();
        if (bytes == null) {
            return "NULL";
        }
        if (name == Type.Name.UUID) {
            ByteBuffer numbers = ByteBuffer.wrap(bytes);
            return new UUID(numbers.getLong(), numbers.getLong()).toString();
        }
        if (type.element() != null) {
            Tuple elements = ArrayValue.elements(type.element(), bytes);
            StringJoiner text = new StringJoiner(", ", "{", "}");
            for (int i = 0;
                    i < elements.columns() && text.length() <= ShortText.CHARACTERS_MAX;
                    i++) {
                Tuple one = new Tuple(1);
                one.copy(0, elements, i, type.element().shape());
                text.add(of(one, type.element()));
            }
            return ShortText.of(text.toString());
        }
        if (name == Type.Name.COMPOSITE) {
            CompositeType composite = type.composite();
            Tuple attributes = CompositeValue.attributes(composite, bytes);
            StringJoiner text = new StringJoiner(", ", "(", ")");
            for (int i = 0;
                    i < composite.size() && text.length() <= ShortText.CHARACTERS_MAX;
                    i++) {
                Tuple one = new Tuple(1);
                one.copy(0, attributes, i, composite.type(i).shape());
                text.add(of(one, composite.type(i)));
            }
            return ShortText.of(text.toString());
        }
        if (name == Type.Name.INTERVAL) {
            return IntervalValue.of(bytes).toString();
        }
        if (name == Type.Name.JSON) {
            return "'" + ShortText.of(Json.text(bytes)) + "'";
        }
        return "X'" + ShortText.of(HexFormat.of().formatHex(bytes)) + "'";
    }
}
