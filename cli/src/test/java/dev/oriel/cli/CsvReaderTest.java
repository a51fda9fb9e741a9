package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvReaderTest {
    @Test
    void plainFieldsAreCutAtCommas() throws IOException {
        assertEquals(List.of(List.of("1", "ATL", "x y")), read("1,ATL,x y\n"));
    }

    @Test
    void emptyFieldsAreKept() throws IOException {
        assertEquals(List.of(List.of("", "a", "", "")), read(",a,,\n"));
    }

    @Test
    void emptyFieldsAreToldFromQuotedOnes() throws IOException {
        try (CsvReader reader = new CsvReader(new StringReader("\"\",,\"a\"\n,\"\"\n"))) {
            assertEquals(List.of("", "", "a"), reader.read());
            assertTrue(reader.wasQuoted(0));
            assertFalse(reader.wasQuoted(1));
            assertTrue(reader.wasQuoted(2));
            assertEquals(List.of("", ""), reader.read());
            assertFalse(reader.wasQuoted(0));
            assertTrue(reader.wasQuoted(1));
            assertFalse(reader.wasQuoted(2));
        }
    }

    @Test
    void quotedFieldsHoldCommasQuotesAndLineEnds() throws IOException {
        assertEquals(
                List.of(List.of("a,b", "say \"hi\"", "two\nlines", ""), List.of("next")),
                read("\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"\"\nnext\n"));
    }

    @Test
    void linesEndInAnyOfTheUsualWays() throws IOException {
        assertEquals(
                List.of(List.of("a"), List.of("b"), List.of("c"), List.of("d")),
                read("a\nb\r\nc\rd"));
    }

    @Test
    void byteOrderMarkIsSkipped() throws IOException {
        assertEquals(List.of(List.of("a", "\ufeffb")), read("\ufeffa,\ufeffb\n"));
    }

    @Test
    void lastLineNeedsNoEnd() throws IOException {
        assertEquals(List.of(List.of("a", "b")), read("a,b"));
        assertEquals(List.of(List.of("a", "")), read("a,"));
        assertEquals(List.of(List.of("q")), read("\"q\""));
    }

    @Test
    void nothingHoldsNoRecord() throws IOException {
        assertEquals(List.of(), read(""));
    }

    @Test
    void unclosedQuoteNamesTheLineItBeginsIn() {
        IOException e = assertThrows(IOException.class, () -> read("a\n\"b\nc\n"));
        assertEquals(
                "CSV, line 4: the quoted field that begins in line 2 never ends", e.getMessage());
    }

    @Test
    void quoteInsidePlainFieldIsRefused() {
        IOException e = assertThrows(IOException.class, () -> read("a\nb\"c\n"));
        assertEquals("CSV, line 2: a quote inside a field that is not quoted", e.getMessage());
    }

    @Test
    void textAfterClosingQuoteIsRefused() {
        IOException e = assertThrows(IOException.class, () -> read("\"a\"b,c\n"));
        assertEquals("CSV, line 1: text after a closing quote", e.getMessage());
    }

    private static List<List<String>> read(String text) throws IOException {
        List<List<String>> records = new ArrayList<>();
        try (CsvReader csv = new CsvReader(new StringReader(text))) {
            for (List<String> r = csv.read(); r != null; r = csv.read()) {
                records.add(r);
            }
        }
        return records;
    }
}
