package dev.oriel.sql.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.sql.engine.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ends of records of fixed width, and of their file.
class FixedWidthFilesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void emptyLinesAtTheEndAreNoRecords() throws IOException {
        for (String text :
                new String[] {"ab", "ab\n", "ab\r\n", "ab\n\n", "ab\r\n\r\n\r\n", "ab\r\r\n\n\r"}) {
            assertEquals(List.of("1 ab"), records(text, null));
        }
        for (String text : new String[] {"", "\n", "\r\n\r\n"}) {
            assertEquals(List.of(), records(text, null));
        }
    }

    @Test
    void emptyLinesBeforeOthersAreRecords() throws IOException {
        assertEquals(
                List.of("1   ", "2 ab", "3   ", "4   ", "5   ", "6 c ", "7   ", "8 d "),
                records("\nab\n\r\n\n\rc\n\nd\n\n\n", null));
    }

    @Test
    void recordsThatAnotherDelimiterEndsMayBeEmptyAnywhere() throws IOException {
        assertEquals(List.of("1 ab", "2   "), records("ab||||", "||"));
        assertEquals(List.of("1 ab", "2 cd"), records("abcd", ""));
    }

    @Test
    void rowsAreAddedBehindTheLastThatIsThere() throws IOException {
        assertEquals("2b\n", added("", ""));
        assertEquals("1a\n2b\n", added("1a", ""));
        assertEquals("1a\n2b\n", added("1a\n", ""));
        assertEquals("1a\r\n2b\n", added("1a\r\n", ""));
        assertEquals("1a\n2b\n", added("1a\n\n\n", ""));
        assertEquals("1a\r\n2b\n", added("1a\r\n\r\n", ""));
        assertEquals("\n1a\n2b\n", added("\n1a\n\n", ""));
        assertEquals("2b\n", added("\n\n", ""));
        String many = "1a\n".repeat(40_000);
        assertEquals(many + "2b\n", added(many + "\n".repeat(40_000), ""));
        String parted = "1a\n" + "\n".repeat(40_000) + "3c";
        assertEquals(parted + "\n2b\n", added(parted, ""));
    }

    @Test
    void whatComesBeforeTheRowsStaysAsItIs() throws IOException {
        assertEquals("\n\n2b\n", added("\n\n", " ISFIRSTLINEHEADER='true'"));
        assertEquals("id\n2b\n", added("id\n\n", " ISFIRSTLINEHEADER='true'"));
        assertEquals("x\n\n\n2b\n", added("x\n\n\n", " ROWSTOSKIP='3'"));
        assertEquals("x\n\n\n2b\n", added("x\n\n\n", " HEADERBYTESOFFSET='4'"));
        assertEquals("1a||||2b||", added("1a||||", " RECORDDELIMITER='||'"));
    }

    /// Line numbers and content of the records.
    private static List<String> records(String text, @Nullable String delimiter)
            throws IOException {
        List<String> records = new ArrayList<>();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (FixedWidthReader reader =
                new FixedWidthReader(
                        new ByteArrayInputStream(bytes),
                        StandardCharsets.UTF_8,
                        new int[] {2},
                        delimiter,
                        false)) {
            while (reader.next()) {
                records.add(reader.line() + " " + reader.field(0));
            }
        }
        return records;
    }

    /// The file with the content `text`, after a row was added.
    private String added(String text, String options) throws IOException {
        Path file = Files.writeString(folder.resolve("added.txt"), text);
        try (TestDatabase database = new TestDatabase()) {
            database.update(
                    "CREATE EXTERNAL TABLE t (i SMALLINT, v CHAR(1)) ORGANIZATION"
                            + " (LOADTYPE='fixedwidth' WIDTHS='1,1' FILENAME='"
                            + file
                            + "'"
                            + options
                            + ")");
            database.update("INSERT INTO t VALUES (2, 'b')");
        }
        return Files.readString(file);
    }
}
