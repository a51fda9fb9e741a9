package dev.oriel.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.JsonEdit.Operation;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Random edits of random documents, compared with the same done to maps and lists.
final class JsonEditModelTest {
    private static final int DOCUMENTS = Integer.getInteger("documents", 4_000);
    private static final int EDITS = 8;
    private static final String[] NAMES = {"a", "b", "c.d", "`"};

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void everyEditIsWhatMapsAndListsDo() {
        Gen gen = new Gen(Seed.of("JsonEditModelTest", 21));
        Map<Operation, Set<Status>> seen = new EnumMap<>(Operation.class);
        for (int i = 0; i < DOCUMENTS; i++) {
            Object model = container(gen, 3);
            byte[] document = spaced(gen, JsonWriter.write(model));
            JsonEditor editor = new JsonEditor(document);
            assertEquals(Status.SUCCESS, editor.check(), text(document));
            for (int e = 0; e < EDITS; e++) {
                JsonEdit edit = edit(gen);
                String before = text(editor.text());
                Object[] holder = {model};
                StringBuilder found = new StringBuilder();
                Status expected = new Model(holder, found).apply(edit);
                JsonEdit.Outcome outcome = editor.apply(edit);
                String what =
                        edit.operation()
                                + " "
                                + edit.path()
                                + " "
                                + text(edit.value())
                                + " in "
                                + before;
                assertEquals(expected, outcome.status(), what);
                assertEquals(Status.SUCCESS, new JsonEditor(editor.text()).check(), what);
                if (expected == Status.SUCCESS) {
                    model = holder[0];
                    if (edit.operation() != Operation.EXISTS && !found.isEmpty()) {
                        assertEquals(
                                JsonReader.read(bytes(found.toString())),
                                JsonReader.read(outcome.value()),
                                what);
                    }
                } else {
                    assertEquals(before, text(editor.text()), "a failed edit changes nothing");
                }
                assertEquals(model, JsonReader.read(editor.text()), what);
                seen.computeIfAbsent(edit.operation(), key -> new TreeSet<>()).add(expected);
            }
        }
        for (Operation operation : Operation.values()) {
            Set<Status> statuses = seen.getOrDefault(operation, Set.of());
            assertTrue(statuses.contains(Status.SUCCESS) && statuses.size() > 1, "" + seen);
        }
    }

    /// What an edit puts where may together be nested too deeply, though neither is by itself.
    @Test
    void whatWouldBeNestedTooDeeplyIsNotPutIn() {
        String deep = "[".repeat(20) + "]".repeat(20);
        JsonEditor editor = new JsonEditor(bytes("{\"a\":" + deep + "}"));
        assertEquals(Status.SUCCESS, editor.check());
        String path = "a" + "[0]".repeat(19);
        for (Operation operation :
                List.of(Operation.ARRAY_APPEND, Operation.ARRAY_PREPEND, Operation.REPLACE)) {
            JsonEdit edit = JsonEdit.of(operation, path, deep);
            assertEquals(Status.VALUE_TOO_DEEP, editor.apply(edit).status(), "" + operation);
            assertEquals("{\"a\":" + deep + "}", text(editor.text()));
        }
        String names = "x.".repeat(30) + "x";
        JsonEdit parents = JsonEdit.of(Operation.UPSERT, names, "[[]]").withParents();
        assertEquals(Status.VALUE_TOO_DEEP, editor.apply(parents).status());
        JsonEdit look = JsonEdit.of(Operation.GET, path);
        assertEquals("[]", text(editor.apply(look).value()));
    }

    private static JsonEdit edit(Gen gen) {
        Operation operation = gen.pick(List.of(Operation.values()));
        StringBuilder path = new StringBuilder();
        for (int steps = gen.below(4); steps > 0; steps--) {
            if (gen.chance(60)) {
                String name = NAMES[gen.below(NAMES.length)];
                path.append(path.isEmpty() ? "" : ".");
                boolean plain = name.length() == 1 && !name.equals("`");
                path.append(plain ? name : "`" + name.replace("`", "``") + "`");
            } else {
                path.append('[').append(gen.chance(30) ? -1 : gen.below(4)).append(']');
            }
        }
        if (operation == Operation.ARRAY_INSERT && gen.chance(80)) {
            path.append('[').append(gen.below(3)).append(']');
        }
        String value =
                switch (operation) {
                    case GET, EXISTS, COUNT, REMOVE -> "";
                    case COUNTER -> gen.chance(10) ? "x" : Long.toString(gen.between(-5, 5));
                    default -> gen.chance(5) ? "}" : text(JsonWriter.write(any(gen, 2)));
                };
        if (gen.chance(10)) {
            value = " " + value + " ";
        }
        return new JsonEdit(operation, path.toString(), bytes(value), gen.chance(40));
    }

    private static Object container(Gen gen, int depth) {
        if (gen.chance(40)) {
            List<@Nullable Object> list = new ArrayList<>();
            for (int i = gen.below(4); i > 0; i--) {
                list.add(any(gen, depth - 1));
            }
            return list;
        }
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = gen.below(4); i > 0; i--) {
            map.put(NAMES[gen.below(NAMES.length)], any(gen, depth - 1));
        }
        return map;
    }

    private static @Nullable Object any(Gen gen, int depth) {
        return switch (gen.below(depth <= 0 ? 4 : 7)) {
            case 0 -> gen.between(-9, 9);
            case 1 -> gen.text(4);
            case 2 -> gen.chance(50);
            case 3 -> null;
            default -> container(gen, depth);
        };
    }

    /// The same document with space in it where space may be.
    private static byte[] spaced(Gen gen, byte[] json) {
        if (gen.chance(50)) {
            return json;
        }
        StringBuilder spaced = new StringBuilder(" ");
        boolean inString = false;
        String text = text(json);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' && (i == 0 || text.charAt(i - 1) != '\\' || isEscaped(text, i))) {
                inString = !inString;
            }
            boolean between = !inString && "{}[],:".indexOf(c) >= 0;
            spaced.append(between && gen.chance(30) ? " \n" : "").append(c);
            spaced.append(between && gen.chance(30) ? "\t " : "");
        }
        return bytes(spaced.toString());
    }

    /// Whether the backslash before position `at` is itself behind one.
    private static boolean isEscaped(String text, int at) {
        int slashes = 0;
        while (at - 1 - slashes >= 0 && text.charAt(at - 1 - slashes) == '\\') {
            slashes++;
        }
        return slashes % 2 == 0;
    }

    /// An edit of Java's own collections. The document is what `holder` has.
    @SuppressWarnings("ArrayRecordComponent") // a place to put a document
    private record Model(@Nullable Object[] holder, StringBuilder found) {
        Status apply(JsonEdit edit) {
            JsonPath path = JsonPath.parse(edit.path());
            if (path == null) {
                return Status.PATH_INVALID;
            }
            List<Object> steps = path.steps();
            switch (edit.operation()) {
                case GET, EXISTS, COUNT -> {
                    return look(edit.operation(), steps);
                }
                case INSERT, UPSERT -> {
                    if (steps.isEmpty() || !(steps.getLast() instanceof String)) {
                        return Status.PATH_INVALID;
                    }
                }
                case REMOVE, COUNTER -> {
                    if (steps.isEmpty()) {
                        return Status.PATH_INVALID;
                    }
                }
                case ARRAY_INSERT -> {
                    if (steps.isEmpty() || !(steps.getLast() instanceof Integer at) || at < 0) {
                        return Status.PATH_INVALID;
                    }
                }
                default -> {}
            }
            return change(edit, steps);
        }

        private Status look(Operation operation, List<Object> steps) {
            Object[] at = {holder[0]};
            Status status = walk(steps, at);
            if (status == Status.SUCCESS && operation == Operation.GET) {
                found.append(text(JsonWriter.write(at[0])));
            }
            if (status == Status.SUCCESS && operation == Operation.COUNT) {
                if (at[0] instanceof Map<?, ?> map) {
                    found.append(map.size());
                } else if (at[0] instanceof Collection<?> list) {
                    found.append(list.size());
                } else {
                    return Status.PATH_MISMATCH;
                }
            }
            return status;
        }

        /// Leaves in `at` what the path leads to.
        private static Status walk(List<Object> steps, @Nullable Object[] at) {
            for (Object step : steps) {
                if (step instanceof String name) {
                    if (!(at[0] instanceof Map<?, ?> map)) {
                        return Status.PATH_MISMATCH;
                    }
                    if (!map.containsKey(name)) {
                        return Status.PATH_NOT_FOUND;
                    }
                    at[0] = map.get(name);
                } else {
                    if (!(at[0] instanceof List<?> list)) {
                        return Status.PATH_MISMATCH;
                    }
                    int position = (Integer) step == -1 ? list.size() - 1 : (Integer) step;
                    if (position < 0 || position >= list.size()) {
                        return Status.PATH_NOT_FOUND;
                    }
                    at[0] = list.get(position);
                }
            }
            return Status.SUCCESS;
        }

        private Status change(JsonEdit edit, List<Object> steps) {
            Operation operation = edit.operation();
            List<@Nullable Object> values = new ArrayList<>();
            Status form = values(edit, values);
            if (form != Status.SUCCESS) {
                return form;
            }
            Object copy = JsonReader.read(JsonWriter.write(holder[0]));
            if (operation == Operation.ARRAY_INSERT) {
                Object[] parent = {copy};
                Status status = walk(steps.subList(0, steps.size() - 1), parent);
                if (status != Status.SUCCESS) {
                    return status;
                }
                if (!(parent[0] instanceof List<?>)) {
                    return Status.PATH_MISMATCH;
                }
                List<@Nullable Object> list = list(parent[0]);
                if ((Integer) steps.getLast() > list.size()) {
                    return Status.PATH_NOT_FOUND;
                }
                list.addAll((Integer) steps.getLast(), values);
                holder[0] = copy;
                return Status.SUCCESS;
            }
            Object[] at = {copy};
            Status status = walk(steps, at);
            if (status == Status.PATH_NOT_FOUND && mayCreate(edit, steps)) {
                return create(edit, steps, copy, values);
            }
            if (status != Status.SUCCESS) {
                return status;
            }
            Status changed =
                    switch (operation) {
                        case INSERT -> Status.PATH_EXISTS;
                        case UPSERT, REPLACE -> put(steps, copy, values.getFirst());
                        case REMOVE -> remove(steps, copy);
                        case COUNTER -> count(steps, copy, at[0], (Long) values.getFirst());
                        default -> addTo(at[0], operation, values);
                    };
            if (changed == Status.SUCCESS) {
                boolean whole = steps.isEmpty() && operation == Operation.REPLACE;
                holder[0] = whole ? values.getFirst() : copy;
            }
            return changed;
        }

        private static boolean mayCreate(JsonEdit edit, List<Object> steps) {
            return switch (edit.operation()) {
                case INSERT, UPSERT, COUNTER -> true;
                case ARRAY_APPEND, ARRAY_PREPEND, ARRAY_ADD_UNIQUE ->
                        !steps.isEmpty() && edit.createParents();
                default -> false;
            };
        }

        private Status create(
                JsonEdit edit,
                List<Object> steps,
                @Nullable Object copy,
                List<@Nullable Object> values) {
            Object[] at = {copy};
            int there = 0;
            while (walk(steps.subList(there, there + 1), at) == Status.SUCCESS) {
                there++;
            }
            for (Object step : steps.subList(there, steps.size())) {
                if (!(step instanceof String)) {
                    return Status.PATH_NOT_FOUND;
                }
            }
            if (steps.size() - there > 1 && !edit.createParents()) {
                return Status.PATH_NOT_FOUND;
            }
            boolean one =
                    edit.operation() == Operation.INSERT
                            || edit.operation() == Operation.UPSERT
                            || edit.operation() == Operation.COUNTER;
            Object made = one ? values.getFirst() : new ArrayList<>(values);
            for (int i = steps.size() - 1; i > there; i--) {
                Map<String, @Nullable Object> parent = new LinkedHashMap<>();
                parent.put((String) steps.get(i), made);
                made = parent;
            }
            map(at[0]).put((String) steps.get(there), made);
            if (edit.operation() == Operation.COUNTER) {
                found.append(values.getFirst());
            }
            holder[0] = copy;
            return Status.SUCCESS;
        }

        private static Status values(JsonEdit edit, List<@Nullable Object> values) {
            String json = text(edit.value());
            boolean broken = json.strip().equals("}");
            return switch (edit.operation()) {
                case REMOVE -> Status.SUCCESS;
                case COUNTER -> {
                    boolean number = json.strip().matches("-?[0-9]+");
                    if (!number || Long.parseLong(json.strip()) == 0) {
                        yield Status.DELTA_INVALID;
                    }
                    values.add(Long.parseLong(json.strip()));
                    yield Status.SUCCESS;
                }
                default -> {
                    if (broken) {
                        yield Status.CANNOT_INSERT;
                    }
                    Object value = JsonReader.read(edit.value());
                    boolean nested = value instanceof Map<?, ?> || value instanceof List<?>;
                    if (edit.operation() == Operation.ARRAY_ADD_UNIQUE && nested) {
                        yield Status.CANNOT_INSERT;
                    }
                    values.add(value);
                    yield Status.SUCCESS;
                }
            };
        }

        private Status put(List<Object> steps, @Nullable Object copy, @Nullable Object value) {
            if (steps.isEmpty()) {
                return Status.SUCCESS;
            }
            Object[] parent = {copy};
            walk(steps.subList(0, steps.size() - 1), parent);
            if (steps.getLast() instanceof String name) {
                map(parent[0]).put(name, value);
            } else {
                List<@Nullable Object> list = list(parent[0]);
                int at = (Integer) steps.getLast();
                list.set(at == -1 ? list.size() - 1 : at, value);
            }
            return Status.SUCCESS;
        }

        private static Status remove(List<Object> steps, @Nullable Object copy) {
            Object[] parent = {copy};
            walk(steps.subList(0, steps.size() - 1), parent);
            if (steps.getLast() instanceof String name) {
                map(parent[0]).remove(name);
            } else {
                List<@Nullable Object> list = list(parent[0]);
                int at = (Integer) steps.getLast();
                list.remove(at == -1 ? list.size() - 1 : at);
            }
            return Status.SUCCESS;
        }

        private Status count(
                List<Object> steps, @Nullable Object copy, @Nullable Object old, long delta) {
            if (!(old instanceof Long number)) {
                return Status.PATH_MISMATCH;
            }
            found.append(number + delta);
            return put(steps, copy, number + delta);
        }

        private static Status addTo(
                @Nullable Object array, Operation operation, List<@Nullable Object> values) {
            if (!(array instanceof List<?>)) {
                return Status.PATH_MISMATCH;
            }
            List<@Nullable Object> list = list(array);
            if (operation == Operation.ARRAY_ADD_UNIQUE) {
                for (Object one : list) {
                    if (one instanceof Map<?, ?> || one instanceof List<?>) {
                        return Status.PATH_MISMATCH;
                    }
                    if (java.util.Objects.equals(one, values.getFirst())) {
                        return Status.PATH_EXISTS;
                    }
                }
            }
            list.addAll(operation == Operation.ARRAY_PREPEND ? 0 : list.size(), values);
            return Status.SUCCESS;
        }

        @SuppressWarnings("unchecked") // what JsonReader makes
        private static Map<String, @Nullable Object> map(@Nullable Object value) {
            if (value == null) {
                throw new AssertionError("no map");
            }
            return (Map<String, @Nullable Object>) value;
        }

        @SuppressWarnings("unchecked") // what JsonReader makes
        private static List<@Nullable Object> list(@Nullable Object value) {
            if (value == null) {
                throw new AssertionError("no list");
            }
            return (List<@Nullable Object>) value;
        }
    }
}
