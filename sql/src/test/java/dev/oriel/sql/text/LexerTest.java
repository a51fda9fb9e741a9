package dev.oriel.sql.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.sql.SqlException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LexerTest {
    private static List<String> tokens(String text) {
        return Lexer.tokens(new SqlText(text)).stream()
                .map(token -> token.kind() + " " + token.text())
                .toList();
    }

    @Test
    void numbersAreToldApartByHowTheyAreWritten() {
        assertEquals(
                List.of(
                        "INTEGER 12",
                        "DECIMAL 1.5",
                        "DECIMAL .5",
                        "DECIMAL 1.",
                        "DOUBLE 1e3",
                        "DOUBLE 1.5E-2",
                        "END "),
                tokens("12 1.5 .5 1. 1e3 1.5E-2"));
    }

    @Test
    void doubledQuotesStandForOne() {
        assertEquals(
                List.of("STRING it's", "QUOTED a\"b", "STRING '", "STRING ", "END "),
                tokens("'it''s' \"a\"\"b\" '''' ''"));
    }

    @Test
    void commentsAreBlanksAndNest() {
        assertEquals(
                List.of("WORD a", "WORD b", "SYMBOL -", "WORD c", "END "),
                tokens("a/* x /* y */ z */b -- to the end\n-c--"));
    }

    @Test
    void anyEndOfALineEndsItsComment() {
        assertEquals(
                List.of("WORD a", "WORD b", "WORD c", "WORD d", "END "),
                tokens("a -- LF\nb -- CR LF\r\nc -- CR\rd -- end"));
        assertEquals(
                List.of("WORD a", "WORD b", "SYMBOL /", "WORD c", "STRING //", "END "),
                tokens("// none\na // LF\nb / // CR\rc '//' // end"));
    }

    @Test
    void wordsKnowTheirKeywordAndWhere() {
        Token token = Lexer.tokens(new SqlText("  SeLeCt")).getFirst();
        assertEquals(Keyword.SELECT, token.keyword());
        assertEquals(2, token.position());
        assertEquals("SeLeCt", token.text());
    }

    @Test
    void lettersOfAnyLanguageAreNames() {
        assertEquals(
                List.of("WORD größe", "SYMBOL =", "WORD 名前", "SYMBOL <>", "WORD x$1", "END "),
                tokens("größe=名前 != x$1"));
        assertEquals(
                List.of("WORD नाम", "SYMBOL ,", "WORD ชื่อ", "SYMBOL ,", "WORD e\u0301", "END "),
                tokens("नाम, ชื่อ, e\u0301"));
    }

    @Test
    void bytesAreHexadecimalDigits() {
        assertEquals(List.of("BYTES 00fF", "WORD x", "END "), tokens("x'00fF' x"));
    }

    @Test
    void anErrorPointsAtItsCharacterInLongTextOfManyLines() {
        SqlException error =
                assertThrows(
                        SqlException.class,
                        () -> tokens("a\n" + "b ".repeat(100) + "@ " + "c ".repeat(100) + "\nd"));
        assertEquals(202, error.position());
        String[] lines = String.valueOf(error.getMessage()).split("\n", -1);
        assertEquals(3, lines.length);
        assertEquals('@', lines[1].charAt(lines[2].indexOf('^')));
    }
}
