package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sets a value in JSON as `SET j['a'][0] = ...` does: missing objects and arrays on the way are made, and arrays are
/// filled up with null.
public final class JsonAssignment {
    /// Maximum number of nulls that one step adds.
    private static final long NULLS_MAX = 1_000_000;

    private final byte[] json;
    private final List<String> path;
    private final byte[] value;
    private final Place place;
    private final JsonBuilder out = new JsonBuilder();

    private JsonAssignment(byte[] json, List<String> path, byte[] value, Place place) {
        this.json = json;
        this.path = path;
        this.value = value;
        this.place = place;
    }

    /// `json` with `value` at the end of `path`.
    ///
    /// @param json null for an empty array or object
    /// @param array whether it is an array
    public static byte[] assigned(
            byte @Nullable [] json, boolean array, List<String> path, byte[] value, Place place) {
        byte[] whole = json == null ? Json.parse(array ? "[]" : "{}") : json;
        JsonAssignment assignment = new JsonAssignment(whole, path, value, place);
        assignment.write(0, 0);
        return JsonFunctions.built(assignment.out, place);
    }

    /// Writes the value at `at` with the change that begins with `step`.
    private void write(int at, int step) {
        if (step == path.size()) {
            out.putJson(value, 0);
            return;
        }
        switch (Json.kind(json, at)) {
            case OBJECT -> object(at, step);
            case ARRAY -> array(at, step);
            case NULL, STRING, NUMBER, BOOLEAN ->
                    throw place.error(
                            Kind.INVALID_PARAMETER,
                            "Step "
                                    + (step + 1)
                                    + " of the path, \""
                                    + path.get(step)
                                    + "\", leads into a value that is neither object nor array");
        }
    }

    private void object(int at, int step) {
        String name = path.get(step);
        boolean found = false;
        JsonBuilder.Open object = out.beginObject();
        int i = Json.first(at);
        for (int left = Json.count(json, at); left > 0; left--) {
            int member = Json.value(json, i);
            String own = Json.name(json, i);
            object.name(own);
            if (own.equals(name)) {
                found = true;
                write(member, step + 1);
            } else {
                out.putJson(json, member);
            }
            i = Json.end(json, member);
        }
        if (!found) {
            object.name(name);
            made(step + 1);
        }
        object.end();
    }

    private void array(int at, int step) {
        int count = Json.count(json, at);
        Long number = number(path.get(step));
        if (number == null) {
            throw place.error(
                    Kind.INVALID_VALUE,
                    "Step "
                            + (step + 1)
                            + " of the path, \""
                            + path.get(step)
                            + "\", leads into an array and is no number; write the number of an element");
        }
        long index = number < 0 ? number + count : number;
        if (index < 0) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "Step "
                            + (step + 1)
                            + " of the path, "
                            + number
                            + ", is before the first of "
                            + count
                            + " elements");
        }
        JsonBuilder.Open array = out.beginArray();
        int i = Json.first(at);
        for (int n = 0; n < count; n++) {
            array.element();
            if (n == index) {
                write(i, step + 1);
            } else {
                out.putJson(json, i);
            }
            i = Json.end(json, i);
        }
        if (index >= count) {
            filled(array, index - count);
            array.element();
            made(step + 1);
        }
        array.end();
    }

    /// Writes the objects and arrays for the steps from `step` on, and the value.
    private void made(int step) {
        if (step == path.size()) {
            out.putJson(value, 0);
            return;
        }
        Long number = number(path.get(step));
        if (number == null) {
            JsonBuilder.Open object = out.beginObject();
            object.name(path.get(step));
            made(step + 1);
            object.end();
        } else {
            JsonBuilder.Open array = out.beginArray();
            filled(array, number);
            array.element();
            made(step + 1);
            array.end();
        }
    }

    private void filled(JsonBuilder.Open array, long nulls) {
        if (nulls > NULLS_MAX) {
            throw place.error(
                    Kind.OUT_OF_RANGE,
                    "An element cannot be more than " + NULLS_MAX + " behind the end of its array");
        }
        for (long n = 0; n < nulls; n++) {
            array.element();
            out.putNull();
        }
    }

    private static @Nullable Long number(String step) {
        try {
            return (long) Integer.parseInt(step);
        } catch (NumberFormatException none) {
            return null;
        }
    }
}
