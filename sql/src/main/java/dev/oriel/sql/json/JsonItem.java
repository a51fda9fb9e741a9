package dev.oriel.sql.json;

import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import java.math.BigDecimal;

/// A JSON value found by a path: its position in the bytes that contain it.
@SuppressWarnings("ArrayRecordComponent") // never changed
public record JsonItem(byte[] json, int at) {
    static JsonItem of(byte[] json) {
        return new JsonItem(json, 0);
    }

    static JsonItem of(BigDecimal number) {
        return of(new JsonBuilder().putNumber(number).toBytes());
    }

    static JsonItem of(String text) {
        return of(new JsonBuilder().putString(text).toBytes());
    }

    /// @param truth 1, 0 or -1 for null
    static JsonItem of(int truth) {
        JsonBuilder builder = new JsonBuilder();
        return of((truth < 0 ? builder.putNull() : builder.putBoolean(truth == 1)).toBytes());
    }

    JsonItem in(int other) {
        return new JsonItem(json, other);
    }

    public Json.Kind kind() {
        return Json.kind(json, at);
    }

    int count() {
        return Json.count(json, at);
    }

    public BigDecimal number() {
        return Json.number(json, at);
    }

    public String string() {
        return Json.string(json, at);
    }

    public boolean truth() {
        return Json.truth(json, at);
    }

    /// The bytes of the value alone.
    public byte[] alone() {
        return Json.copy(json, at);
    }
}
