package dev.oriel.cli;

import org.jspecify.annotations.Nullable;

/// Splits text that arrives line by line into statements. A statement ends at a semicolon outside strings, quoted
/// names and comments. Comments before a statement are dropped. Comments within it stay, so that positions in
/// errors are right.
final class StatementSplitter {
    private enum State {
        PLAIN,
        STRING,

        /// `E'...'`, with backslash escapes.
        ESCAPED_STRING,

        /// `$tag$...$tag$`.
        TAGGED_STRING,
        QUOTED_NAME,
        BACKQUOTED_NAME,
        LINE_COMMENT,
        BLOCK_COMMENT
    }

    private final StringBuilder pending = new StringBuilder();
    private State state = State.PLAIN;
    private final AtomicBody body = new AtomicBody();
    private int commentDepth;

    /// Closing tag of a tagged string.
    private String tag = "";

    /// Number of characters scanned.
    private int scanned;

    /// Start of the statement in `pending`; -1 before its first character.
    private int start = -1;

    /// Number of the line of `scanned`.
    private int line = 1;

    private int startLine;

    /// A statement without its semicolon.
    ///
    /// @param line number of the line that it begins in, from 1
    record Statement(String text, int line) {}

    /// Whether `text` is complete: all of its statements have their semicolons.
    static boolean complete(String text) {
        StatementSplitter splitter = new StatementSplitter();
        splitter.add(text);
        while (splitter.next() != null) {
            // The next one.
        }
        return splitter.between();
    }

    /// Adds a line, without its line end.
    void add(String text) {
        pending.append(text).append('\n');
    }

    /// Takes the next complete statement; null if there is none yet.
    @Nullable Statement next() {
        while (scanned < pending.length()) {
            char c = pending.charAt(scanned);
            if (state == State.PLAIN && c == ';' && !body.isOpen()) {
                Statement statement = take(scanned, scanned + 1);
                if (statement != null) {
                    return statement;
                }
            } else {
                scan(c);
            }
        }
        return null;
    }

    /// Takes the rest after the end of the text: a statement without a semicolon, or null.
    @Nullable Statement rest() {
        return take(pending.length(), pending.length());
    }

    /// Whether the text so far ends between two statements.
    boolean between() {
        return start < 0 && state != State.BLOCK_COMMENT;
    }

    /// Skips a line that is not SQL. All statements before it must have been taken.
    void skip() {
        line++;
    }

    /// Scans the character `c` at `scanned`, which ends no statement.
    private void scan(char c) {
        State before = state;
        int from = scanned;
        switch (state) {
            case PLAIN -> plain(c);
            case STRING -> closeAt('\'', c);
            case ESCAPED_STRING -> escaped(c);
            case TAGGED_STRING -> tagged(c);
            case QUOTED_NAME -> closeAt('"', c);
            case BACKQUOTED_NAME -> closeAt('`', c);
            case LINE_COMMENT -> closeAt(c == '\r' ? c : '\n', c);
            case BLOCK_COMMENT -> blockComment();
        }
        if (before == State.PLAIN && state == State.PLAIN && from == scanned) {
            body.take(c);
        } else {
            body.end();
        }
        if (pending.charAt(scanned) == '\n') {
            line++;
        }
        scanned++;
    }

    private void plain(char c) {
        if (follows("--") || follows("//")) {
            state = State.LINE_COMMENT;
        } else if (follows("/*")) {
            state = State.BLOCK_COMMENT;
            commentDepth = 1;
            scanned++;
        } else if (!isBlank(c)) {
            if (start < 0) {
                start = scanned;
                startLine = line;
            }
            if (c == '\'') {
                state = isEscaped() ? State.ESCAPED_STRING : State.STRING;
            } else if (c == '"') {
                state = State.QUOTED_NAME;
            } else if (c == '`') {
                state = State.BACKQUOTED_NAME;
            } else if (c == '$') {
                tag();
            }
        }
    }

    /// Blanks of SQL: white space, no-break spaces and byte order marks.
    private static boolean isBlank(char c) {
        return Character.isWhitespace(c) || c == '\u00a0' || c == '\ufeff';
    }

    /// Whether the quote here follows an E that is a separate word.
    private boolean isEscaped() {
        return scanned > start
                && Character.toLowerCase(pending.charAt(scanned - 1)) == 'e'
                && !isWordPart(scanned - 2);
    }

    private boolean isWordPart(int at) {
        return at >= start && Character.isJavaIdentifierPart(pending.charAt(at));
    }

    /// Skips the opening tag of a string, if there is one here.
    private void tag() {
        int end = scanned + 1;
        while (end < pending.length() && isTagPart(pending.charAt(end))) {
            end++;
        }
        boolean digit =
                scanned + 1 < pending.length() && Character.isDigit(pending.charAt(scanned + 1));
        if (end < pending.length()
                && pending.charAt(end) == '$'
                && !digit
                && !isWordPart(scanned - 1)) {
            tag = pending.substring(scanned, end + 1);
            state = State.TAGGED_STRING;
            scanned = end;
        }
    }

    private static boolean isTagPart(char c) {
        return c != '$' && Character.isJavaIdentifierPart(c);
    }

    private void escaped(char c) {
        char next = scanned + 1 < pending.length() ? pending.charAt(scanned + 1) : '\n';
        if ((c == '\\' && next != '\n') || (c == '\'' && next == '\'')) {
            scanned++;
        } else {
            closeAt('\'', c);
        }
    }

    private void tagged(char c) {
        int end = scanned + tag.length();
        if (c == '$' && end <= pending.length() && pending.substring(scanned, end).equals(tag)) {
            state = State.PLAIN;
            scanned = end - 1;
        }
    }

    /// Ends the string at its quote. A doubled quote closes and opens again, with the same result.
    private void closeAt(char close, char c) {
        if (c == close) {
            state = State.PLAIN;
        }
    }

    private void blockComment() {
        if (follows("/*")) {
            commentDepth++;
            scanned++;
        } else if (follows("*/")) {
            commentDepth--;
            scanned++;
            if (commentDepth == 0) {
                state = State.PLAIN;
            }
        }
    }

    private boolean follows(String two) {
        return scanned + 1 < pending.length()
                && pending.charAt(scanned) == two.charAt(0)
                && pending.charAt(scanned + 1) == two.charAt(1);
    }

    /// Takes the statement that ends at `end`, if there is one, and drops everything before `next`.
    private @Nullable Statement take(int end, int next) {
        Statement statement =
                start < 0
                        ? null
                        : new Statement(pending.substring(start, end).stripTrailing(), startLine);
        pending.delete(0, next);
        scanned = 0;
        start = -1;
        body.reset();
        return statement;
    }
}
