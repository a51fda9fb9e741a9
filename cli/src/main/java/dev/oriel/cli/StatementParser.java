package dev.oriel.cli;

import java.util.List;
import java.util.function.Predicate;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/// Tells the line editor whether a statement is complete, and the name at the cursor.
final class StatementParser implements Parser {
    private final Predicate<String> complete;
    private final String more;
    private final char commandSign;

    /// @param complete whether the input can be run
    /// @param more missing part of incomplete input
    /// @param commandSign first character of the shell's commands
    StatementParser(Predicate<String> complete, String more, char commandSign) {
        this.complete = complete;
        this.more = more;
        this.commandSign = commandSign;
    }

    /// Creates a parser for SQL.
    static StatementParser ofSql() {
        return new StatementParser(
                line -> Shell.isTyped(line) || StatementSplitter.complete(line),
                "a statement ends with a semicolon",
                '\\');
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (context == ParseContext.ACCEPT_LINE && !complete.test(line)) {
            throw new EOFError(-1, -1, more);
        }
        int start = cursor;
        while (start > 0 && isName(line.charAt(start - 1))) {
            start--;
        }
        if (start > 0
                && line.charAt(start - 1) == commandSign
                && line.substring(0, start - 1).isBlank()) {
            start--;
        }
        return new NameAtCursor(line.substring(start, cursor), line, cursor);
    }

    private static boolean isName(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }

    /// A line as one word: the name before the cursor.
    private record NameAtCursor(String word, String line, int cursor)
            implements CompletingParsedLine {
        @Override
        public int wordCursor() {
            return word.length();
        }

        @Override
        public int wordIndex() {
            return 0;
        }

        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate;
        }

        @Override
        public int rawWordCursor() {
            return word.length();
        }

        @Override
        public int rawWordLength() {
            return word.length();
        }

        @Override
        public List<String> words() {
            return List.of(word);
        }
    }
}
