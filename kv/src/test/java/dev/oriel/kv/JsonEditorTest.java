package dev.oriel.kv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.JsonEdit.Operation;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonEditorTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "GET | {\"a\":{\"b\":[1,2,3]}} | a.b[-1] | | SUCCESS 3",
                "GET | {\"a\":{\"b\":[1,2,3]}} | a.b[1] | | SUCCESS 2",
                "GET | {\"a\":1} | | | SUCCESS {\"a\":1}",
                "GET | {\"a.b\":1} | `a.b` | | SUCCESS 1",
                "GET | {\"a`\":1} | `a``` | | SUCCESS 1",
                "GET | {\"\\u0061\":7} | a | | SUCCESS 7",
                "GET | {\"a\":1} | b | | PATH_NOT_FOUND",
                "GET | {\"a\":1} | a.b | | PATH_MISMATCH",
                "GET | {\"a\":1} | a[0] | | PATH_MISMATCH",
                "GET | {\"a\":[]} | a[-1] | | PATH_NOT_FOUND",
                "GET | {\"a\":1} | a. | | PATH_INVALID",
                "GET | {\"a\":1} | a[x] | | PATH_INVALID",
                "EXISTS | {\"a\":null} | a | | SUCCESS",
                "COUNT | {\"a\":[1, [2,3], {\"x\":4}]} | a | | SUCCESS 3",
                "COUNT | {\"a\":1} | a | | PATH_MISMATCH",
                "INSERT | {} | a | 1 | SUCCESS -> {\"a\":1}",
                "INSERT | {\"a\":1} | a | 1 | PATH_EXISTS",
                "INSERT | {\"a\":1 } | b | [2] | SUCCESS -> {\"a\":1,\"b\":[2] }",
                "INSERT | {\"a\":1} | b | x | CANNOT_INSERT",
                "UPSERT | {\"a\":1} | a | \"x\" | SUCCESS -> {\"a\":\"x\"}",
                "UPSERT | {} | a.b.c | 1 | PATH_NOT_FOUND",
                "UPSERT+ | {} | a.b.c | 1 | SUCCESS -> {\"a\":{\"b\":{\"c\":1}}}",
                "UPSERT | [1] | [0] | 1 | PATH_INVALID",
                "REPLACE | {\"a\":[1,2]} | a[0] | {} | SUCCESS -> {\"a\":[{},2]}",
                "REPLACE | {\"a\":1} | b | 1 | PATH_NOT_FOUND",
                "REMOVE | {\"a\":1,\"b\":2} | a | | SUCCESS -> {\"b\":2}",
                "REMOVE | {\"a\":1 , \"b\":2} | b | | SUCCESS -> {\"a\":1 }",
                "REMOVE | {\"a\":1} | a | | SUCCESS -> {}",
                "REMOVE | [1,2,3] | [-1] | | SUCCESS -> [1,2]",
                "ARRAY_APPEND | {\"a\":[]} | a | 1,2 | SUCCESS -> {\"a\":[1,2]}",
                "ARRAY_APPEND | [1] |  | 2 | SUCCESS -> [1,2]",
                "ARRAY_APPEND+ | {} | a | 2 | SUCCESS -> {\"a\":[2]}",
                "ARRAY_APPEND | {\"a\":1} | a | 2 | PATH_MISMATCH",
                "ARRAY_PREPEND | {\"a\":[3]} | a | 1,2 | SUCCESS -> {\"a\":[1,2,3]}",
                "ARRAY_INSERT | [1,3] | [1] | 2 | SUCCESS -> [1,2,3]",
                "ARRAY_INSERT | [1,3] | [2] | 4 | SUCCESS -> [1,3,4]",
                "ARRAY_INSERT | [1,3] | [3] | 4 | PATH_NOT_FOUND",
                "ARRAY_ADD_UNIQUE | [1,3] |  | 3 | PATH_EXISTS",
                "ARRAY_ADD_UNIQUE | [1,3] |  | 4 | SUCCESS -> [1,3,4]",
                "ARRAY_ADD_UNIQUE | [1,{}] |  | 4 | PATH_MISMATCH",
                "ARRAY_ADD_UNIQUE | [1] |  | {} | CANNOT_INSERT",
                "COUNTER | {\"n\":5} | n | -7 | SUCCESS -2 -> {\"n\":-2}",
                "COUNTER | {} | n | 3 | SUCCESS 3 -> {\"n\":3}",
                "COUNTER | {\"n\":1.5} | n | 3 | PATH_MISMATCH",
                "COUNTER | {\"n\":1} | n | 0 | DELTA_INVALID",
                "COUNTER | {\"n\":9223372036854775807} | n | 1 | DELTA_INVALID",
                "COUNTER | {\"n\":9223372036854775808} | n | 1 | NUMBER_RANGE",
                "GET | {\"a\":01} | a | | NOT_JSON",
                "GET | {\"a\":1,} | a | | NOT_JSON",
            })
    void operations(String operation, String json, String path, String value, String expected) {
        boolean parents = operation.endsWith("+");
        JsonEdit edit =
                new JsonEdit(
                        Operation.valueOf(operation.replace("+", "")),
                        path == null ? "" : path,
                        bytes(value == null ? "" : value),
                        parents);
        JsonEditor editor = new JsonEditor(bytes(json));
        Status form = editor.check();
        String found;
        if (form != Status.SUCCESS) {
            found = form.name();
        } else {
            JsonEdit.Outcome outcome = editor.apply(edit);
            found = outcome.status().name();
            if (outcome.value().length > 0) {
                found += " " + text(outcome.value());
            }
            if (!text(editor.text()).equals(json)) {
                found += " -> " + text(editor.text());
            }
        }
        assertEquals(expected, found);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void nestingIsBounded() {
        byte[] deep = bytes("[".repeat(100_000) + "]".repeat(100_000));
        assertEquals(Status.DOCUMENT_TOO_DEEP, new JsonEditor(deep).check());
    }

    /// Cut off and changed texts are read to an end or refused, never past their end.
    @Test
    void damagedTextsAreRefusedOrRead() {
        Gen gen = new Gen(Seed.of("JsonEditorTest.damaged", 3));
        int fine = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] text = JsonWriter.write(random(gen, 3));
            if (text.length > 0 && gen.chance(50)) {
                text[gen.below(text.length)] = gen.bytes(1).length == 0 ? 0 : (byte) gen.anyInt();
            } else {
                text = java.util.Arrays.copyOf(text, gen.below(text.length + 1));
            }
            if (new JsonEditor(text).check() == Status.SUCCESS) {
                fine++;
                byte[] again = JsonWriter.write(JsonReader.read(text));
                assertEquals(JsonReader.read(text), JsonReader.read(again));
            }
        }
        assertTrue(fine > 1_000, "fine " + fine);
    }

    @Test
    void writtenValuesAreReadAsTheyWere() {
        Gen gen = new Gen(Seed.of("JsonEditorTest.written", 5));
        for (int i = 0; i < 5_000; i++) {
            Object value = random(gen, 4);
            byte[] text = JsonWriter.write(value);
            assertEquals(Status.SUCCESS, new JsonEditor(text).check());
            assertEquals(value, JsonReader.read(text));
            assertArrayEquals(text, JsonWriter.write(JsonReader.read(text)));
        }
    }

    private static @Nullable Object random(Gen gen, int depth) {
        return switch (gen.below(depth == 0 ? 4 : 6)) {
            case 0 -> gen.anyLong();
            case 1 -> gen.text(10);
            case 2 -> gen.chance(50);
            case 3 -> null;
            case 4 -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (int i = gen.below(4); i > 0; i--) {
                    list.add(random(gen, depth - 1));
                }
                yield list;
            }
            default -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                for (int i = gen.below(4); i > 0; i--) {
                    map.put(gen.text(5), random(gen, depth - 1));
                }
                yield map;
            }
        };
    }
}
