package dev.oriel.sql.json;

import dev.oriel.sql.value.DateTemplate;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A JSON value found by a path: its position in the bytes that contain it.
///
/// @param moment the date or time that the value, a string, stands for; null for all other values
@SuppressWarnings("ArrayRecordComponent") // never changed
public record JsonItem(byte[] json, int at, DateTemplate.@Nullable Moment moment) {
    public JsonItem(byte[] json, int at) {
        this(json, at, null);
    }

    static JsonItem of(byte[] json) {
        return new JsonItem(json, 0);
    }

    static JsonItem of(BigDecimal number) {
        return of(new JsonBuilder().putNumber(number).toBytes());
    }

    static JsonItem of(String text) {
        return of(new JsonBuilder().putString(text).toBytes());
    }

    static JsonItem of(DateTemplate.Moment moment) {
        String text = JsonMoments.text(moment);
        return new JsonItem(new JsonBuilder().putString(text).toBytes(), 0, moment);
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

    /// Whether it is a string, and not a date or time.
    boolean isText() {
        return moment == null && kind() == Json.Kind.STRING;
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
