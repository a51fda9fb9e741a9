package dev.oriel.kv;

import dev.oriel.kv.JsonEdit.Operation;
import dev.oriel.kv.JsonEdit.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads and edits one JSON text by path. Edits are splices: all text outside the path stays byte for byte. The
/// text is valid JSON after each edit. Used by one thread.
final class JsonEditor {
    private static final byte[] NOTHING = {};

    private byte[] text;
    private JsonScan scan;

    // Result of `find`: the range of the value, and the start of its member (at the name) or
    // element.
    private int memberStart;
    private int valueStart;
    private int valueEnd;

    /// Number of path steps that `find` could follow.
    private int stepsFound;

    JsonEditor(byte[] text) {
        this.text = text;
        this.scan = new JsonScan(text);
    }

    /// Checks that the text is JSON.
    Status check() {
        return scan.check();
    }

    byte[] text() {
        return text;
    }

    @SuppressWarnings("ReferenceEquality") // every change makes another array
    private boolean isStill(byte[] before) {
        return text == before;
    }

    /// Applies `edit`; a failed one changes nothing. The text must have passed [#check()].
    Outcome apply(JsonEdit edit) {
        JsonPath path = JsonPath.parse(edit.path());
        if (path == null) {
            return failed(Status.PATH_INVALID);
        }
        if (!edit.operation().changes()) {
            return look(edit.operation(), path);
        }
        byte[] before = text;
        Outcome outcome = change(edit, path);
        if (!isStill(before)
                && scan.check() != Status.SUCCESS) { // the parts alone were not too deep
            text = before;
            scan = new JsonScan(before);
            return failed(Status.VALUE_TOO_DEEP);
        }
        return outcome;
    }

    private Outcome change(JsonEdit edit, JsonPath path) {
        return switch (edit.operation()) {
            case GET, EXISTS, COUNT -> look(edit.operation(), path);
            case INSERT, UPSERT -> putMember(edit, path);
            case REPLACE -> replace(edit, path);
            case REMOVE -> remove(path);
            case ARRAY_APPEND, ARRAY_PREPEND, ARRAY_ADD_UNIQUE -> addToArray(edit, path);
            case ARRAY_INSERT -> insertIntoArray(edit, path);
            case COUNTER -> count(edit, path);
        };
    }

    private static Outcome failed(Status status) {
        return new Outcome(status, NOTHING);
    }

    private static Outcome done() {
        return failed(Status.SUCCESS);
    }

    private Outcome look(Operation operation, JsonPath path) {
        Status found = find(path);
        if (found != Status.SUCCESS || operation == Operation.EXISTS) {
            return failed(found);
        }
        if (operation == Operation.GET) {
            return new Outcome(found, Arrays.copyOfRange(text, valueStart, valueEnd));
        }
        int count = members();
        return count < 0 ? failed(Status.PATH_MISMATCH) : new Outcome(found, digits(count));
    }

    private static byte[] digits(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    /// Number of members or elements of the found value; -1 if it is neither object nor array.
    private int members() {
        boolean object = text[valueStart] == '{';
        if (!object && text[valueStart] != '[') {
            return -1;
        }
        int count = 0;
        int i = scan.skipSpace(valueStart + 1);
        while (i < valueEnd - 1) {
            count++;
            i = scan.skipSpace(scan.skipValue(object ? scan.skipName(i) : i, 0));
            if (text[i] == ',') {
                i = scan.skipSpace(i + 1);
            }
        }
        return count;
    }

    private Status find(JsonPath path) {
        valueStart = scan.skipSpace(0);
        memberStart = valueStart;
        valueEnd = scan.skipValue(valueStart, 0);
        stepsFound = 0;
        for (Object step : path.steps()) {
            Status status = step instanceof String name ? enter(name) : enter((int) (Integer) step);
            if (status != Status.SUCCESS) {
                return status;
            }
            stepsFound++;
        }
        return Status.SUCCESS;
    }

    private Status enter(String name) {
        if (text[valueStart] != '{') {
            return Status.PATH_MISMATCH;
        }
        int i = scan.skipSpace(valueStart + 1);
        while (i < valueEnd - 1) {
            int value = scan.skipName(i);
            int after = scan.skipValue(value, 0);
            if (isName(i, name)) {
                memberStart = i;
                valueStart = value;
                valueEnd = after;
                return Status.SUCCESS;
            }
            i = scan.skipSpace(after);
            if (text[i] == ',') {
                i = scan.skipSpace(i + 1);
            }
        }
        return Status.PATH_NOT_FOUND;
    }

    private boolean isName(int from, String name) {
        int end = scan.skipString(from);
        String raw = new String(text, from + 1, end - from - 2, StandardCharsets.UTF_8);
        return (raw.indexOf('\\') < 0 ? raw : JsonReader.unescaped(raw)).equals(name);
    }

    private Status enter(int position) {
        if (text[valueStart] != '[') {
            return Status.PATH_MISMATCH;
        }
        int i = scan.skipSpace(valueStart + 1);
        int at = 0;
        boolean found = false;
        int end = valueEnd;
        while (i < end - 1) {
            int after = scan.skipValue(i, 0);
            if (at == position || position == -1) {
                memberStart = i;
                valueStart = i;
                valueEnd = after;
                found = true;
                if (at == position) {
                    break;
                }
            }
            at++;
            i = scan.skipSpace(after);
            if (text[i] == ',') {
                i = scan.skipSpace(i + 1);
            }
        }
        return found ? Status.SUCCESS : Status.PATH_NOT_FOUND;
    }

    private void splice(int from, int to, byte[] with) {
        byte[] changed = new byte[text.length - (to - from) + with.length];
        System.arraycopy(text, 0, changed, 0, from);
        System.arraycopy(with, 0, changed, from, with.length);
        System.arraycopy(text, to, changed, from + with.length, text.length - to);
        text = changed;
        scan = new JsonScan(changed);
    }

    private static boolean isValue(byte[] value) {
        return new JsonScan(value).check() == Status.SUCCESS;
    }

    private Outcome putMember(JsonEdit edit, JsonPath path) {
        if (path.isRoot() || !(path.last() instanceof String)) {
            return failed(Status.PATH_INVALID);
        }
        if (!isValue(edit.value())) {
            return failed(Status.CANNOT_INSERT);
        }
        Status found = find(path);
        if (found == Status.SUCCESS) {
            if (edit.operation() == Operation.INSERT) {
                return failed(Status.PATH_EXISTS);
            }
            splice(valueStart, valueEnd, edit.value());
            return done();
        }
        return found == Status.PATH_NOT_FOUND
                ? addMissing(path, edit.value(), edit.createParents())
                : failed(found);
    }

    /// Adds the missing members after a `find` that did not reach the end of the path.
    private Outcome addMissing(JsonPath path, byte[] value, boolean createParents) {
        int missing = path.steps().size() - stepsFound;
        if (missing > 1 && !createParents) {
            return failed(Status.PATH_NOT_FOUND);
        }
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (int i = stepsFound; i < path.steps().size(); i++) {
            if (!(path.steps().get(i) instanceof String name)) {
                return failed(Status.PATH_NOT_FOUND);
            }
            if (i > stepsFound) {
                before.append('{');
                after.append('}');
            }
            JsonWriter.quote(name, before);
            before.append(':');
        }
        byte[] begin = before.toString().getBytes(StandardCharsets.UTF_8);
        byte[] end = after.toString().getBytes(StandardCharsets.UTF_8);
        append(valueStart, valueEnd, joined(begin, value, end));
        return done();
    }

    private static byte[] joined(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] whole = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        return whole;
    }

    private static final byte[] COMMA = {','};

    /// Adds `more` after the last member or element of the value at `from` to `to`.
    private void append(int from, int to, byte[] more) {
        int last = to - 1;
        boolean empty = scan.skipSpace(from + 1) == last;
        while (!empty && text[last - 1] <= ' ') {
            last--;
        }
        splice(last, last, empty ? more : joined(COMMA, more));
    }

    private void prepend(int from, int to, byte[] more) {
        boolean empty = scan.skipSpace(from + 1) == to - 1;
        splice(from + 1, from + 1, empty ? more : joined(more, COMMA));
    }

    private Outcome replace(JsonEdit edit, JsonPath path) {
        if (!isValue(edit.value())) {
            return failed(Status.CANNOT_INSERT);
        }
        Status found = find(path);
        if (found == Status.SUCCESS) {
            splice(valueStart, valueEnd, edit.value());
        }
        return failed(found);
    }

    private Outcome remove(JsonPath path) {
        if (path.isRoot()) {
            return failed(Status.PATH_INVALID);
        }
        Status found = find(path);
        if (found != Status.SUCCESS) {
            return failed(found);
        }
        int from = memberStart;
        int to = scan.skipSpace(valueEnd);
        if (text[to] == ',') {
            splice(from, scan.skipSpace(to + 1), NOTHING);
            return done();
        }
        int before = from - 1;
        while (text[before] <= ' ' && text[before] >= 0) {
            before--;
        }
        splice(text[before] == ',' ? before : from, valueEnd, NOTHING);
        return done();
    }

    /// Whether `values` is a list of values separated by commas.
    private static boolean isList(byte[] values) {
        byte[] open = {'['};
        byte[] close = {']'};
        return values.length > 0
                && isValue(joined(open, values, close))
                && !new String(values, StandardCharsets.UTF_8).isBlank();
    }

    private Outcome addToArray(JsonEdit edit, JsonPath path) {
        boolean unique = edit.operation() == Operation.ARRAY_ADD_UNIQUE;
        byte[] value = edit.value();
        if (unique ? !isValue(value) || isNested(value) : !isList(value)) {
            return failed(Status.CANNOT_INSERT);
        }
        Status found = find(path);
        if (found == Status.PATH_NOT_FOUND && !path.isRoot() && edit.createParents()) {
            return addMissing(path, joined(new byte[] {'['}, value, new byte[] {']'}), true);
        }
        if (found != Status.SUCCESS) {
            return failed(found);
        }
        if (text[valueStart] != '[') {
            return failed(Status.PATH_MISMATCH);
        }
        if (unique) {
            Status fresh = compareWithElements(value);
            if (fresh != Status.SUCCESS) {
                return failed(fresh);
            }
        }
        if (edit.operation() == Operation.ARRAY_PREPEND) {
            prepend(valueStart, valueEnd, value);
        } else {
            append(valueStart, valueEnd, value);
        }
        return done();
    }

    private static boolean isNested(byte[] value) {
        byte first = value[new JsonScan(value).skipSpace(0)];
        return first == '{' || first == '[';
    }

    private Status compareWithElements(byte[] value) {
        String wanted = new String(value, StandardCharsets.UTF_8).strip();
        int i = scan.skipSpace(valueStart + 1);
        while (i < valueEnd - 1) {
            if (text[i] == '{' || text[i] == '[') {
                return Status.PATH_MISMATCH;
            }
            int after = scan.skipValue(i, 0);
            if (new String(text, i, after - i, StandardCharsets.UTF_8).equals(wanted)) {
                return Status.PATH_EXISTS;
            }
            i = scan.skipSpace(after);
            if (text[i] == ',') {
                i = scan.skipSpace(i + 1);
            }
        }
        return Status.SUCCESS;
    }

    private Outcome insertIntoArray(JsonEdit edit, JsonPath path) {
        if (path.isRoot() || !(path.last() instanceof Integer position) || position < 0) {
            return failed(Status.PATH_INVALID);
        }
        if (!isList(edit.value())) {
            return failed(Status.CANNOT_INSERT);
        }
        Status parent = find(path.parent());
        if (parent != Status.SUCCESS) {
            return failed(parent);
        }
        int from = valueStart;
        int to = valueEnd;
        if (text[from] != '[') {
            return failed(Status.PATH_MISMATCH);
        }
        if (members() == position) {
            append(from, to, edit.value());
            return done();
        }
        Status found = enter(position);
        if (found == Status.SUCCESS) {
            splice(valueStart, valueStart, joined(edit.value(), COMMA));
        }
        return failed(found);
    }

    private Outcome count(JsonEdit edit, JsonPath path) {
        if (path.isRoot()) {
            return failed(Status.PATH_INVALID);
        }
        long delta;
        try {
            delta = Long.parseLong(new String(edit.value(), StandardCharsets.US_ASCII).strip());
        } catch (NumberFormatException e) {
            return failed(Status.DELTA_INVALID);
        }
        if (delta == 0) {
            return failed(Status.DELTA_INVALID);
        }
        Status found = find(path);
        if (found == Status.PATH_NOT_FOUND) {
            Outcome added = addMissing(path, digits(delta), edit.createParents());
            return added.status() == Status.SUCCESS
                    ? new Outcome(Status.SUCCESS, digits(delta))
                    : added;
        }
        if (found != Status.SUCCESS) {
            return failed(found);
        }
        String number = new String(text, valueStart, valueEnd - valueStart, StandardCharsets.UTF_8);
        if (!number.matches("-?[0-9]+")) {
            return failed(Status.PATH_MISMATCH);
        }
        try {
            long sum = Math.addExact(Long.parseLong(number), delta);
            splice(valueStart, valueEnd, digits(sum));
            return new Outcome(Status.SUCCESS, digits(sum));
        } catch (NumberFormatException e) {
            return failed(Status.NUMBER_RANGE);
        } catch (ArithmeticException e) {
            return failed(Status.DELTA_INVALID);
        }
    }
}
