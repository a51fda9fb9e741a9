package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TablePrinterTest {
    private static final RowPrinter.Column NAME = RowPrinter.Column.text("name");
    private static final RowPrinter.Column RUNWAYS = RowPrinter.Column.number("runways");

    private final StringWriter printed = new StringWriter();

    @Test
    void textStandsLeftAndNumbersRight() {
        print(Screen.ENDLESS, row("Atlanta", "5"), row("Oz", "12"));
        assertEquals(
                """
                 name    | runways
                ---------+---------
                 Atlanta |       5
                 Oz      |      12
                """,
                printed.toString());
    }

    @Test
    void nullIsShown() {
        print(Screen.ENDLESS, row(null, null));
        assertEquals(
                """
                 name | runways
                ------+---------
                 NULL |    NULL
                """,
                printed.toString());
    }

    @Test
    void resultWithoutRowsHasItsTitles() {
        print(Screen.ENDLESS);
        assertEquals(
                """
                 name | runways
                ------+---------
                """,
                printed.toString());
    }

    @Test
    void wideTextIsCutOnTerminals() {
        print(25, row("Hartsfield - Jackson Atlanta", "5"));
        assertEquals(
                """
                 name          | runways
                ---------------+---------
                 Hartsfield -… |       5
                """,
                printed.toString());
    }

    @Test
    void wideTextIsWholeInPipes() {
        print(Screen.ENDLESS, row("Hartsfield - Jackson Atlanta International Airport", "5"));
        assertTrue(
                printed.toString().contains("Hartsfield - Jackson Atlanta International Airport"));
    }

    @Test
    void numbersAreNeverCut() {
        print(20, row("short", "12345678901234567890"));
        assertTrue(printed.toString().contains("12345678901234567890"), printed.toString());
    }

    @Test
    void wideCharactersTakeTwoColumns() {
        print(Screen.ENDLESS, row("東京", "1"), row("Tokyo", "2"));
        assertEquals(
                """
                 name  | runways
                -------+---------
                 東京  |       1
                 Tokyo |       2
                """,
                printed.toString());
    }

    @Test
    void wideCharactersAreNotCutInTwo() {
        assertEquals("東…", DisplayText.cut("東京都", 4));
        assertEquals("東京…", DisplayText.cut("東京都", 5));
        assertEquals("東京都", DisplayText.cut("東京都", 6));
    }

    @Test
    void combiningMarksTakeNoColumn() {
        assertEquals(1, DisplayText.width("e\u0301"));
        assertEquals(2, DisplayText.width("\uD83D\uDE80"));
    }

    @Test
    void controlCharactersCannotReachTheTerminal() {
        print(Screen.ENDLESS, row("a\nb\u001b[31m\u009b", "1"));
        assertTrue(printed.toString().contains("a␊b␛[31m\ufffd"), printed.toString());
    }

    @Test
    void longRowsAreNotHeldBack() {
        TablePrinter printer = printer(Screen.ENDLESS);
        String text = "x".repeat(600_000);
        printer.row(row(text, "1"));
        assertEquals("", printed.toString());
        printer.row(row(text, "2"));
        assertEquals(4, printed.toString().lines().count());
        printer.finish();
        assertEquals(4, printed.toString().lines().count());
    }

    @Test
    void rowsAfterTheSampleKeepTheColumns() {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            rows.add(row("a", "1"));
        }
        rows.add(row("longer than all before", "2"));
        rows.add(row("b", "3"));
        TablePrinter printer = printer(Screen.ENDLESS);
        rows.forEach(printer::row);
        printer.finish();
        List<String> lines = printed.toString().lines().toList();
        assertEquals(1_004, lines.size());
        assertEquals(" longer than all before |       2", lines.get(1_002));
        assertEquals(" b    |       3", lines.get(1_003));
    }

    @Test
    void blocksShowOneColumnALine() {
        Screen screen = new Screen(new PrintWriter(printed, true), Screen.ENDLESS, false);
        RecordPrinter printer = new RecordPrinter(screen, List.of(NAME, RUNWAYS));
        printer.row(row("Oz", null));
        printer.finish();
        assertEquals(
                """
                - row 1 -
                name    | Oz
                runways | NULL
                """,
                printed.toString());
    }

    @SafeVarargs
    private void print(int columns, List<@Nullable String>... rows) {
        TablePrinter printer = printer(columns);
        for (List<@Nullable String> row : rows) {
            printer.row(row);
        }
        printer.finish();
    }

    private TablePrinter printer(int columns) {
        return new TablePrinter(
                new Screen(new PrintWriter(printed, true), columns, false), List.of(NAME, RUNWAYS));
    }

    private static List<@Nullable String> row(@Nullable String name, @Nullable String runways) {
        return Arrays.asList(name, runways);
    }
}
