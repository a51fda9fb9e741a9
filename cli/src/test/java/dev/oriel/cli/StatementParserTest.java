package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jline.reader.EOFError;
import org.jline.reader.Parser.ParseContext;
import org.junit.jupiter.api.Test;

class StatementParserTest {
    private final StatementParser parser = StatementParser.ofSql();

    @Test
    void statementWithoutSemicolonGoesOn() {
        assertThrows(EOFError.class, () -> accept("SELECT 1"));
        assertThrows(EOFError.class, () -> accept("SELECT ';"));
    }

    @Test
    void completeStatementIsAccepted() {
        assertDoesNotThrow(() -> accept("SELECT 1;"));
        assertDoesNotThrow(() -> accept(""));
    }

    @Test
    void commandsOfTheShellNeedNoSemicolon() {
        assertDoesNotThrow(() -> accept("\\d airports"));
        assertDoesNotThrow(() -> accept("  \\q"));
    }

    @Test
    void nameBeforeTheCursorIsCompleted() {
        assertEquals("airp", parser.parse("FROM airp;", 9, ParseContext.COMPLETE).word());
        assertEquals("", parser.parse("FROM ", 5, ParseContext.COMPLETE).word());
    }

    private void accept(String line) {
        parser.parse(line, line.length(), ParseContext.ACCEPT_LINE);
    }
}
