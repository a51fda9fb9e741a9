package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.file.DelimitedReader;
import dev.oriel.sql.file.DelimitedWriter;
import dev.oriel.sql.json.JsonPath;
import dev.oriel.sql.json.JsonPathParser;
import dev.oriel.sql.json.JsonPathRun;
import dev.oriel.sql.syntax.DelimitedForm;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Malformed statements, paths and files are rejected, without other effects.
class DataFuzzTest {
    private static final List<String> STATEMENTS =
            List.of(
                    "SELECT JSON_VALUE ( '{}' , '$.a' PASSING 1 AS x RETURNING INTEGER DEFAULT 2 ON"
                            + " EMPTY ERROR ON ERROR ) , JSON_EXISTS ( '1' , '$' TRUE ON ERROR )",
                    "SELECT JSON_QUERY ( '[1]' , '$[*]' RETURNING JSON WITH CONDITIONAL ARRAY WRAPPER"
                            + " OMIT QUOTES EMPTY ARRAY ON EMPTY NULL ON ERROR )",
                    "SELECT JSON_OBJECT ( 'a' VALUE 1 , KEY 'b' VALUE 2 , 'c' : 3 ABSENT ON NULL WITH"
                            + " UNIQUE KEYS RETURNING VARCHAR ( 9 ) )",
                    "SELECT JSON_ARRAY ( 1 , NULL , 'x' FORMAT JSON NULL ON NULL ) , JSON_ARRAY ("
                            + " SELECT 1 )",
                    "SELECT JSON_ARRAYAGG ( a ORDER BY b NULL ON NULL ) FILTER ( WHERE TRUE ) ,"
                            + " JSON_OBJECTAGG ( a : b ) FROM ( VALUES ( 1 , 2 ) ) v ( a , b )",
                    "SELECT '1' IS NOT JSON OBJECT WITH UNIQUE KEYS , '{}' :: JSON -> 'a' ->> 1 #>"
                            + " '{a}' #>> '{b}' , JSON '1' @> '1' , JSON '1' <@ '2'",
                    "COPY t ( a , b ) FROM 'f' WITH ( FORMAT CSV , HEADER MATCH , DELIMITER ';' ,"
                            + " QUOTE '''' , ESCAPE '!' , NULL 'x' , ENCODING 'UTF8' )",
                    "COPY ( SELECT 1 ) TO 'f' WITH CSV HEADER DELIMITER ','",
                    "COMMENT ON COLUMN t . a IS 'x'",
                    "CREATE EXTERNAL TABLE e ( a INTEGER NOT NULL , b VARCHAR ( 3 ) ) ORGANIZATION ("
                            + " LOADTYPE = 'delimited' , FILENAME = 'x' )");

    private static final List<String> PARTS =
            List.of(
                    "$",
                    "@",
                    ".a",
                    ".\"b\"",
                    ".*",
                    "[0]",
                    "[*]",
                    "[last]",
                    "[1 to 2]",
                    ".**",
                    "? (@ > 1)",
                    "? (exists (@.a))",
                    "strict ",
                    "lax ",
                    ".size()",
                    ".type()",
                    " == ",
                    " && ",
                    " || ",
                    "!",
                    "(",
                    ")",
                    " + ",
                    " - ",
                    " * ",
                    " / ",
                    "1",
                    "2.5",
                    "\"x\"",
                    "true",
                    "null",
                    " starts with ",
                    " like_regex ",
                    " is unknown",
                    ".double()",
                    ".keyvalue()",
                    "$x",
                    ", ",
                    "[",
                    "]",
                    ".**{1 to last}");

    @Test
    void statementsWithTokensLostDoubledAndExchangedAreParsedOrRefused() {
        Gen gen = new Gen(Seed.of("DataFuzzTest.statements", 21));
        int compiled = 0;
        for (int i = 0; i < 40_000; i++) {
            List<String> tokens = new ArrayList<>(List.of(gen.pick(STATEMENTS).split(" ")));
            for (int changes = 1 + gen.below(3); changes > 0; changes--) {
                int at = gen.below(tokens.size());
                int other = gen.below(tokens.size());
                switch (gen.below(3)) {
                    case 0 -> tokens.add(at, tokens.get(other));
                    case 1 -> Collections.swap(tokens, at, other);
                    default -> {
                        if (tokens.size() > 1) {
                            tokens.remove(at);
                        }
                    }
                }
            }
            String text = String.join(" ", tokens);
            try {
                Compiler.compile(text, new Catalog(1, Map.of()));
                compiled++;
            } catch (SqlException expected) {
                assertTrue(
                        String.valueOf(expected.getMessage()).endsWith("^"), expected.getMessage());
            } catch (RuntimeException | StackOverflowError unexpected) {
                throw new AssertionError("on: " + text, unexpected);
            }
        }
        assertTrue(compiled > 500, "only " + compiled + " could be compiled");
    }

    @Test
    void pathsThatMakeNoSenseAreRefused() {
        Gen gen = new Gen(Seed.of("DataFuzzTest.paths", 22));
        List<byte[]> documents = new ArrayList<>();
        for (String text :
                List.of(
                        "{\"a\":[1,\"2\",null,{\"b\":true}],\"b\":{\"a\":-1.5}}",
                        "[[1,[2]],{\"a\":1}]",
                        "\"x\"",
                        "7",
                        "null",
                        "[]")) {
            documents.add(Json.parse(text));
        }
        SqlText.Place place = new SqlText("path").at(0);
        int found = 0;
        for (int i = 0; i < 60_000; i++) {
            StringBuilder text = new StringBuilder(gen.chance(80) ? "$" : "");
            for (int length = gen.below(6); length > 0; length--) {
                text.append(gen.pick(PARTS));
            }
            try {
                JsonPath path = JsonPathParser.parse(text.toString(), place);
                for (byte[] document : documents) {
                    try {
                        JsonPathRun.items(path, document, Map.of("x", document), place);
                        found++;
                    } catch (JsonPathRun.Failure nowhere) {
                        assertEquals(false, String.valueOf(nowhere.getMessage()).isEmpty());
                    }
                }
            } catch (SqlException expected) {
                assertTrue(String.valueOf(expected.getMessage()).endsWith("^"), text.toString());
            } catch (RuntimeException | StackOverflowError unexpected) {
                throw new AssertionError("on: " + text, unexpected);
            }
        }
        assertTrue(found > 20_000, "only " + found + " were followed");
    }

    @Test
    void deepPathsAndArraysOverflowNoStack() throws InterruptedException {
        SqlText.Place place = new SqlText("path").at(0);
        List<Throwable> failures = new ArrayList<>();
        List<String> paths =
                List.of(
                        "(".repeat(10_000) + "$" + ")".repeat(10_000),
                        "-".repeat(10_000) + "1",
                        "$" + ".a".repeat(10_000),
                        "$" + " + 1".repeat(10_000),
                        "!".repeat(10_000) + "(1 == 1)",
                        "$[" + "$[".repeat(10_000),
                        "$ ? (" + "@ ? (".repeat(10_000),
                        "(" + "1 == 1 && ".repeat(10_000) + "1 == 1)");
        Thread thread =
                new Thread(
                        null,
                        () -> {
                            for (String path : paths) {
                                try {
                                    JsonPathParser.parse(path, place);
                                } catch (SqlException refused) {
                                    assertTrue(
                                            String.valueOf(refused.getMessage()).length() < 1_000);
                                }
                            }
                            String deep = "[".repeat(Json.DEPTH_MAX) + "]".repeat(Json.DEPTH_MAX);
                            JsonPath all = JsonPathParser.parse("$.**", place);
                            assertEquals(
                                    Json.DEPTH_MAX,
                                    JsonPathRun.items(all, Json.parse(deep), Map.of(), place)
                                            .size());
                        },
                        "small stack",
                        512 << 10);
        thread.setUncaughtExceptionHandler((t, failure) -> failures.add(failure));
        thread.start();
        thread.join();
        assertEquals(List.of(), failures);
    }

    private static DelimitedForm form(Gen gen, boolean csv) {
        String delimiter = gen.pick(List.of(",", ";", "\t", "|"));
        int quote = csv ? gen.pick(List.of('"', '\'')) : DelimitedForm.NONE;
        int escape = csv ? gen.pick(List.of((char) quote, '\\')) : DelimitedForm.NONE;
        String nulls = csv ? gen.pick(List.of("", "NULL", "\\N")) : "\\N";
        return new DelimitedForm(
                delimiter, null, quote, escape, !csv, nulls, StandardCharsets.UTF_8);
    }

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        Gen gen = new Gen(Seed.of("DataFuzzTest.files", 23));
        for (int i = 0; i < 3_000; i++) {
            DelimitedForm form = form(gen, gen.chance(60));
            int columns = 1 + gen.below(4);
            List<List<@Nullable String>> rows = new ArrayList<>();
            StringWriter out = new StringWriter();
            DelimitedWriter writer =
                    new DelimitedWriter(
                            form,
                            out,
                            Collections.nCopies(columns, Typing.TEXT),
                            new boolean[columns],
                            Zone.UTC);
            for (int row = gen.below(6); row > 0; row--) {
                Tuple tuple = new Tuple(columns);
                List<@Nullable String> texts = new ArrayList<>();
                for (int c = 0; c < columns; c++) {
                    String text =
                            switch (gen.below(4)) {
                                case 0 -> null;
                                case 1 -> gen.text(8);
                                case 2 -> gen.pick(List.of("", "NULL", "\\N", "\\.", "\n", "\r\n"));
                                default -> "a" + gen.pick(List.of(",", ";", "\t", "\"", "'", "\\"));
                            };
                    tuple.setText(c, text);
                    texts.add(text);
                }
                rows.add(texts);
                writer.row(tuple);
            }
            byte[] bytes = out.toString().getBytes(StandardCharsets.UTF_8);
            List<List<@Nullable String>> read = new ArrayList<>();
            try (DelimitedReader reader =
                    new DelimitedReader(new ByteArrayInputStream(bytes), form)) {
                while (reader.next()) {
                    List<@Nullable String> texts = new ArrayList<>();
                    for (int c = 0; c < reader.fields(); c++) {
                        texts.add(reader.field(c));
                    }
                    read.add(texts);
                }
            }
            assertEquals(rows, read, form + " wrote " + out);
        }
    }

    /// Endless lines; counts the bytes read.
    private static final class Endless extends InputStream {
        private static final byte[] LINE = "1,some text\n".getBytes(StandardCharsets.UTF_8);
        private long given;

        @Override
        public int read() {
            return LINE[(int) (given++ % LINE.length)];
        }

        @Override
        public int read(byte[] into, int from, int length) {
            for (int i = 0; i < length; i++) {
                into[from + i] = (byte) read();
            }
            return length;
        }
    }

    @Test
    void ofAFileNoMoreIsReadThanWhatIsAskedFor() throws IOException {
        Endless endless = new Endless();
        DelimitedForm form =
                new DelimitedForm(",", null, '"', '"', false, "", StandardCharsets.UTF_8);
        try (DelimitedReader reader = new DelimitedReader(endless, form)) {
            for (int i = 1; i <= 1_000_000; i++) {
                assertTrue(reader.next());
                long ahead = endless.given - (long) i * Endless.LINE.length;
                assertTrue(ahead < 200_000, ahead + " bytes were read ahead");
            }
            assertEquals(1_000_000, reader.line());
        }
    }

    @Test
    void filesOfRandomBytesAreReadOrRefused() throws IOException {
        Gen gen = new Gen(Seed.of("DataFuzzTest.bytes", 24));
        int refused = 0;
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = new byte[gen.below(60)];
            for (int b = 0; b < bytes.length; b++) {
                bytes[b] =
                        gen.chance(80)
                                ? (byte) ",\"\n\r\\;ab\t'.N".charAt(gen.below(12))
                                : (byte) gen.anyInt();
            }
            DelimitedForm form = form(gen, gen.chance(60));
            try (DelimitedReader reader =
                    new DelimitedReader(new ByteArrayInputStream(bytes), form)) {
                int records = 0;
                while (reader.next()) {
                    assertTrue(++records <= bytes.length + 1);
                }
            } catch (IOException expected) {
                refused++;
            }
        }
        assertTrue(refused > 100 && refused < 4_900, refused + " were refused");
    }
}
