package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Edits of JSON at the end of a path of names and numbers: one value is replaced, inserted or removed, and the
/// rest stays as it is.
public final class JsonEdits {
    private final byte[] json;
    private final List<String> path;

    /// The new value; null to remove the old one.
    private final byte @Nullable [] value;

    private final boolean creates;

    /// Position of the new value relative to an existing one: in its place, before it, or after it.
    private final Meeting meeting;

    private final Place place;
    private final JsonBuilder out = new JsonBuilder();

    private enum Meeting {
        REPLACE,
        BEFORE,
        BEHIND
    }

    private JsonEdits(
            byte[] json,
            List<String> path,
            byte @Nullable [] value,
            boolean creates,
            Meeting meeting,
            Place place) {
        this.json = json;
        this.path = path;
        this.value = value;
        this.creates = creates;
        this.meeting = meeting;
        this.place = place;
    }

    /// `json` with `value` at the end of `path`.
    ///
    /// @param creates whether a missing value is added: a member, or an element before the first or after the last
    public static byte[] set(
            byte[] json, List<String> path, byte[] value, boolean creates, Place place) {
        return new JsonEdits(json, path, value, creates, Meeting.REPLACE, place).edited();
    }

    /// `json` with `value` before the element at the end of `path`, or `behind` it; at the path itself if it has no
    /// value.
    public static byte[] inserted(
            byte[] json, List<String> path, byte[] value, boolean behind, Place place) {
        Meeting meeting = behind ? Meeting.BEHIND : Meeting.BEFORE;
        return new JsonEdits(json, path, value, true, meeting, place).edited();
    }

    /// `json`, which must be an object or an array.
    public static byte[] checked(byte[] json, Place place) {
        return without(json, List.of(), place);
    }

    /// `json` without the value at the end of `path`.
    public static byte[] without(byte[] json, List<String> path, Place place) {
        return new JsonEdits(json, path, null, false, Meeting.REPLACE, place).edited();
    }

    /// `json - name`: an object without that member, an array without the strings that are equal to it.
    public static byte[] withoutName(byte[] json, String name, Place place) {
        if (Json.kind(json, 0) != Json.Kind.ARRAY) {
            return without(json, List.of(name), place);
        }
        JsonBuilder fewer = new JsonBuilder();
        JsonBuilder.Open array = fewer.beginArray();
        int i = Json.first(0);
        for (int left = Json.count(json, 0); left > 0; left--) {
            if (Json.kind(json, i) != Json.Kind.STRING || !Json.string(json, i).equals(name)) {
                array.element();
                fewer.putJson(json, i);
            }
            i = Json.end(json, i);
        }
        array.end();
        return fewer.toBytes();
    }

    /// `json - number`: an array without that element.
    public static byte[] withoutElement(byte[] json, long number, Place place) {
        if (Json.kind(json, 0) == Json.Kind.OBJECT) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "A member of an object cannot be removed by number; use its name");
        }
        return without(json, List.of(Long.toString(number)), place);
    }

    private byte[] edited() {
        switch (Json.kind(json, 0)) {
            case NULL, STRING, NUMBER, BOOLEAN ->
                    throw place.error(
                            Kind.INVALID_PARAMETER,
                            "A JSON value that is neither object nor array has no parts to"
                                    + " change");
            case OBJECT, ARRAY -> {}
        }
        if (path.isEmpty()) {
            return json;
        }
        write(0, 0);
        return JsonFunctions.built(out, place);
    }

    private void write(int at, int step) {
        switch (Json.kind(json, at)) {
            case OBJECT -> object(at, step);
            case ARRAY -> array(at, step);
            case NULL, STRING, NUMBER, BOOLEAN -> out.putJson(json, at);
        }
    }

    private void object(int at, int step) {
        String name = path.get(step);
        boolean last = step + 1 == path.size();
        boolean found = false;
        JsonBuilder.Open object = out.beginObject();
        int i = Json.first(at);
        for (int left = Json.count(json, at); left > 0; left--) {
            int member = Json.value(json, i);
            String own = Json.name(json, i);
            boolean meant = own.equals(name);
            found |= meant;
            if (meant && last && meeting != Meeting.REPLACE) {
                throw place.error(
                        Kind.INVALID_PARAMETER,
                        "The object has a member \"" + name + "\" already; JSONB_SET replaces it");
            }
            if (!meant || !last || value != null) {
                object.name(own);
                put(member, step, meant, last);
            }
            i = Json.end(json, member);
        }
        if (!found && last && creates && value != null) {
            object.name(name);
            out.putJson(value, 0);
        }
        object.end();
    }

    private void array(int at, int step) {
        int count = Json.count(json, at);
        long index = index(step);
        index += index < 0 ? count : 0;
        boolean last = step + 1 == path.size();
        boolean adds = last && creates && value != null;
        JsonBuilder.Open array = out.beginArray();
        if (adds && index < 0) {
            add(array);
        }
        int i = Json.first(at);
        for (int n = 0; n < count; n++) {
            boolean meant = n == index;
            boolean beside = meant && last && meeting != Meeting.REPLACE;
            if (beside && meeting == Meeting.BEFORE) {
                add(array);
            }
            if (!meant || !last || value != null) {
                array.element();
                put(i, step, meant && !beside, last);
            }
            if (beside && meeting == Meeting.BEHIND) {
                add(array);
            }
            i = Json.end(json, i);
        }
        if (adds && index >= count) {
            add(array);
        }
        array.end();
    }

    private void add(JsonBuilder.Open array) {
        if (value != null) {
            array.element();
            out.putJson(value, 0);
        }
    }

    /// Writes the value at `at`: unchanged, edited within, or replaced.
    private void put(int at, int step, boolean meant, boolean last) {
        if (!meant) {
            out.putJson(json, at);
        } else if (!last) {
            write(at, step + 1);
        } else if (value != null) {
            out.putJson(value, 0);
        }
    }

    private long index(int step) {
        try {
            return Long.parseLong(path.get(step));
        } catch (NumberFormatException noNumber) {
            throw place.error(
                    Kind.INVALID_VALUE,
                    "Step "
                            + (step + 1)
                            + " of the path must be the number of an element, not \""
                            + path.get(step)
                            + "\"");
        }
    }
}
