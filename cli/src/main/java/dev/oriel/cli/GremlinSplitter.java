package dev.oriel.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Splits text that arrives line by line into Gremlin statements. A statement ends at a semicolon, or at a line
/// end outside brackets and strings. It goes on if the line ends with a dot or a comma, or if the next line
/// begins with a dot. Comments, from two slashes to the end of the line, are dropped.
final class GremlinSplitter {
    private static final String OPENING = "([{";
    private static final String CLOSING = ")]}";

    private final StringBuilder pending = new StringBuilder();
    private final Deque<Statement> ready = new ArrayDeque<>();
    private int depth;

    /// Quote that closes the open string, or 0.
    private char quote;

    private int line;
    private int startLine;

    /// @param line number of the line in which it begins, from 1
    record Statement(String text, int line) {}

    /// Whether `text` consists of complete statements.
    static boolean complete(String text) {
        GremlinSplitter splitter = new GremlinSplitter();
        text.lines().forEach(splitter::add);
        return splitter.whole();
    }

    /// Adds the next line.
    void add(String text) {
        line++;
        if (whole() && !text.stripLeading().startsWith(".")) {
            cut();
        }
        scan(text);
        if (!pending.isEmpty()) {
            pending.append('\n');
        }
    }

    private void scan(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                pending.append(c);
                if (c == '\\' && i + 1 < text.length()) {
                    pending.append(text.charAt(++i));
                } else if (c == quote) {
                    quote = 0;
                }
            } else if (c == '/' && i + 1 < text.length() && text.charAt(i + 1) == '/') {
                return;
            } else if (c == ';' && depth == 0) {
                cut();
            } else {
                plain(c);
            }
        }
    }

    private void plain(char c) {
        if (pending.isEmpty()) {
            if (Character.isWhitespace(c)) {
                return;
            }
            startLine = line;
        }
        if (c == '"' || c == '\'') {
            quote = c;
        } else if (OPENING.indexOf(c) >= 0) {
            depth++;
        } else if (CLOSING.indexOf(c) >= 0) {
            depth = Math.max(0, depth - 1); // the parser refuses one too many
        }
        pending.append(c);
    }

    /// Whether the pending text could be a complete statement.
    private boolean whole() {
        String text = pending.toString().stripTrailing();
        return quote == 0 && depth == 0 && !text.endsWith(".") && !text.endsWith(",");
    }

    private void cut() {
        String text = pending.toString().strip();
        pending.setLength(0);
        if (!text.isEmpty()) {
            ready.add(new Statement(text, startLine));
        }
    }

    /// Whether a next line begins a new statement, unless it begins with a dot.
    boolean between() {
        return whole();
    }

    /// Returns the next complete statement that no further line can change, or null.
    @Nullable Statement next() {
        return ready.poll();
    }

    /// Ends the pending statement; [#next()] returns it.
    void end() {
        cut();
    }

    /// Skips a line that is not Gremlin.
    void skip() {
        cut();
        line++;
    }
}
