package dev.oriel.store.model;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A 128-bit hash of an object graph: fields, arrays, and the references that lead to the same object. Two graphs
/// of the same shape and values have the same print; a collision of two others is practically impossible.
///
/// It knows the classes of this package, arrays, enums and [AtomicReference]; any other class is an error, so that
/// nothing is left out unseen.
public final class HeapPrint {
    /// The resulting hash.
    public record Print(long high, long low) {}

    private static final Map<Class<?>, List<Field>> FIELDS = new HashMap<>();

    private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();
    private long high = 0x9E3779B97F4A7C15L;
    private long low = 0xC2B2AE3D27D4EB4FL;

    private HeapPrint() {}

    public static Print of(Object root) {
        HeapPrint print = new HeapPrint();
        print.object(root);
        return new Print(print.high, print.low);
    }

    private void number(long value) {
        high = (high ^ value) * 0xFF51AFD7ED558CCDL;
        high ^= high >>> 32;
        low = Long.rotateLeft(low + value, 27) * 0x9FB21C651E98DF25L;
        low ^= low >>> 29;
    }

    private void object(@Nullable Object object) {
        if (object == null) {
            number(-1);
            return;
        }
        Integer known = seen.putIfAbsent(object, seen.size());
        if (known != null) {
            number(known);
            return;
        }
        number(-2);
        switch (object) {
            case long[] longs -> {
                number(longs.length);
                for (int i = 0; i < longs.length; i++) {
                    if (i == 0 || longs[i] != longs[i - 1]) { // most are long runs
                        number(i);
                        number(longs[i]);
                    }
                }
            }
            case int[] ints -> {
                number(ints.length);
                for (int i = 0; i < ints.length; i++) {
                    if (i == 0 || ints[i] != ints[i - 1]) {
                        number(i);
                        number(ints[i]);
                    }
                }
            }
            case Enum<?> one -> number(one.name().hashCode());
            case AtomicReference<?> reference -> object(reference.get());
            default -> array(object);
        }
    }

    private void array(Object object) {
        if (!object.getClass().isArray()) {
            fields(object);
            return;
        }
        int length = Array.getLength(object);
        number(length);
        for (int i = 0; i < length; i++) {
            object(Array.get(object, i));
        }
    }

    private void fields(Object object) {
        if (!object.getClass().getName().startsWith("dev.oriel.store.")) {
            throw new AssertionError("No print of a " + object.getClass());
        }
        try {
            for (Field field : FIELDS.computeIfAbsent(object.getClass(), HeapPrint::fieldsOf)) {
                Class<?> type = field.getType();
                if (type == boolean.class) {
                    number(field.getBoolean(object) ? 1 : 0);
                } else if (type.isPrimitive()) {
                    number(field.getLong(object)); // widens
                } else {
                    object(field.get(object));
                }
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Field> fieldsOf(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> each = type; each != Object.class; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (!Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return fields;
    }
}
