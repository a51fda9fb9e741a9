package dev.oriel.cli;

import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/// Tells the line editor when a statement is complete, and which name the cursor stands in.
final class StatementParser implements Parser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (context == ParseContext.ACCEPT_LINE
                && !Shell.isCommand(line)
                && !StatementSplitter.complete(line)) {
            throw new EOFError(-1, -1, "a statement ends with a semicolon");
        }
        int start = cursor;
        while (start > 0 && isName(line.charAt(start - 1))) {
            start--;
        }
        return new NameAtCursor(line.substring(start, cursor), line, cursor);
    }

    private static boolean isName(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '\\';
    }

    /// A line seen as one word: the name before the cursor.
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
