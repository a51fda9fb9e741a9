package dev.oriel.sql.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.syntax.DelimitedForm;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Rows written in a form are read back in it, even if a field crosses the end of a buffer.
class DelimitedFilesTest {
    private static final int FIELDS = 3;
    private static final List<DelimitedForm> FORMS =
            List.of(
                    form("|", null, DelimitedForm.NONE, DelimitedForm.NONE, true, "\\N"),
                    form(",", null, '"', '"', false, ""),
                    form(";", "\n", '\'', '\\', false, "NULL"),
                    form("\u20ac", "\u00a7", '\u00bb', '\u00bb', false, "nothing"),
                    form("||", "|\n|", '"', '"', false, "NULL"));

    /// Pieces of fields, with every character that is special in some form.
    private static final List<String> PIECES =
            List.of(
                    "plain text ",
                    "|",
                    ",",
                    ";",
                    "\"",
                    "'",
                    "\\",
                    "\n",
                    "\r",
                    "\r\n",
                    "\u20ac",
                    "\u00bb",
                    "\u00a7",
                    "N",
                    "\\.",
                    "NULL",
                    "\ud83d\ude00",
                    "a much longer piece of text without anything that means something in it");

    private static DelimitedForm form(
            String field,
            @Nullable String record,
            int quote,
            int escape,
            boolean backslashes,
            String nullText) {
        return new DelimitedForm(
                field, record, quote, escape, backslashes, nullText, StandardCharsets.UTF_8);
    }

    @Test
    void fieldsOfAnyKindAreReadAsTheyWereWritten() throws IOException {
        Gen gen = new Gen(Seed.of("DelimitedFilesTest", 1));
        for (DelimitedForm form : FORMS) {
            List<Tuple> rows = rows(gen);
            StringWriter out = new StringWriter();
            List<Type> types = List.of(Type.varchar(0), Type.varchar(0), Type.varchar(0));
            DelimitedWriter writer =
                    new DelimitedWriter(form, out, types, new boolean[FIELDS], Zone.UTC);
            for (Tuple row : rows) {
                writer.row(row);
            }
            String written = out.toString();
            assertTrue(written.length() > 100_000, "less than a few buffers");
            byte[] bytes = written.getBytes(StandardCharsets.UTF_8);
            DelimitedReader reader = new DelimitedReader(new ByteArrayInputStream(bytes), form);
            for (Tuple row : rows) {
                assertTrue(reader.next());
                assertEquals(FIELDS, reader.fields(), () -> form + " line " + reader.line());
                for (int i = 0; i < FIELDS; i++) {
                    assertEquals(row.textAt(i), reader.field(i), form + " line " + reader.line());
                }
            }
            assertFalse(reader.next());
        }
    }

    private static List<Tuple> rows(Gen gen) {
        List<Tuple> rows = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            Tuple row = new Tuple(FIELDS);
            for (int field = 0; field < FIELDS; field++) {
                if (!gen.chance(10)) {
                    StringBuilder text = new StringBuilder();
                    for (int j = gen.below(5); j > 0; j--) {
                        text.append(gen.pick(PIECES));
                    }
                    row.setText(field, text.toString());
                }
            }
            rows.add(row);
        }
        return rows;
    }
}
