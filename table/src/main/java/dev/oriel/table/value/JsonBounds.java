package dev.oriel.table.value;

import dev.oriel.store.CorruptionException;

/// One pass over a [Json] value that comes from a row. It tests kinds, counts and ends of all nested values:
/// readers then stay within its bytes, and within the limits of depth and of numbers.
public final class JsonBounds {
    private static final int PAIRS = 100;

    /// Greatest exponent. Results of computations may have larger ones than texts.
    private static final int EXPONENT_MAX = 4 * Json.EXPONENT_MAX;

    private final byte[] json;
    private int at;

    private JsonBounds(byte[] json) {
        this.json = json;
    }

    /// Checks that all of `json` is one value.
    ///
    /// @throws CorruptionException if it is not
    public static void check(byte[] json) {
        JsonBounds bounds = new JsonBounds(json);
        if (json.length > 0 && json[0] < Json.ARRAY) {
            bounds.scalar();
        } else {
            bounds.nested();
        }
        if (bounds.at != json.length) {
            throw bounds.damaged();
        }
    }

    private void nested() {
        // Number of values left in each open array or object.
        int[] left = new int[Json.DEPTH_MAX + 1];
        boolean[] named = new boolean[left.length];
        int level = 0;
        left[0] = 1;
        while (level > 0 || left[0] > 0) {
            if (left[level] == 0) {
                level--;
                continue;
            }
            left[level]--;
            if (named[level]) {
                string();
            }
            byte kind = peek();
            if (kind != Json.ARRAY && kind != Json.OBJECT) {
                scalar();
                continue;
            }
            demand(json.length - at >= Json.HEAD_BYTES && level < Json.DEPTH_MAX);
            int count = Json.count(json, at);
            at += Json.HEAD_BYTES;
            demand(count >= 0 && count <= json.length - at);
            level++;
            left[level] = count;
            named[level] = kind == Json.OBJECT;
        }
    }

    private void scalar() {
        switch (take()) {
            case Json.NULL, Json.FALSE, Json.TRUE -> {}
            case Json.STRING -> string();
            case Json.NUMBER -> number();
            default -> throw damaged();
        }
    }

    /// Passes the bytes of a string with its end.
    private void string() {
        for (byte next = take(); next != 0; next = take()) {
            if (next == Utf8.ESCAPE) {
                byte escaped = take();
                demand(escaped == 1 || escaped == 2);
            }
        }
    }

    private void number() {
        int sign = take();
        if (sign == Json.ZERO) {
            return;
        }
        demand(sign == Json.NEGATIVE || sign == Json.POSITIVE);
        int flip = sign == Json.NEGATIVE ? 0xFF : 0;
        int exponent = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            exponent = (exponent << 8) | ((take() & 0xFF) ^ flip);
        }
        demand(Math.abs((long) (exponent ^ Integer.MIN_VALUE)) <= EXPONENT_MAX);
        int digits = 0;
        for (int pair = (take() & 0xFF) ^ flip; pair != 0; pair = (take() & 0xFF) ^ flip) {
            demand(pair <= PAIRS);
            digits++;
        }
        demand(digits > 0);
    }

    private byte peek() {
        demand(at < json.length);
        return json[at];
    }

    private byte take() {
        byte next = peek();
        at++;
        return next;
    }

    private void demand(boolean right) {
        if (!right) {
            throw damaged();
        }
    }

    private CorruptionException damaged() {
        return new CorruptionException(
                "A JSON value in a row is damaged; run check",
                "at=%d bytes=%d".formatted(at, json.length));
    }
}
