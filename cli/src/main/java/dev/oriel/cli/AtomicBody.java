package dev.oriel.cli;

import java.util.Locale;

/// Follows the words of a statement, to find its end: a semicolon outside of BEGIN ATOMIC and END, the body of a
/// function.
final class AtomicBody {
    private final StringBuilder word = new StringBuilder();
    private boolean first = true;
    private boolean creates;
    private boolean begins;

    /// Number of open BEGIN ATOMIC and CASE.
    private int open;

    /// Takes the next character outside of strings, quoted names and comments.
    void take(char c) {
        if (Character.isJavaIdentifierPart(c)) {
            word.append(c);
        } else {
            end();
        }
    }

    /// Ends the word before a string, a quoted name or a comment.
    void end() {
        if (word.isEmpty()) {
            return;
        }
        String text = word.toString().toUpperCase(Locale.ROOT);
        word.setLength(0);
        creates |= first && text.equals("CREATE");
        first = false;
        if (begins && text.equals("ATOMIC") && open == 0) {
            open = 1;
        } else if (open > 0 && text.equals("CASE")) {
            open++;
        } else if (open > 0 && text.equals("END")) {
            open--;
        }
        begins = creates && text.equals("BEGIN");
    }

    /// Whether a body is open.
    boolean isOpen() {
        end();
        return open > 0;
    }

    /// Begins the next statement.
    void reset() {
        word.setLength(0);
        first = true;
        creates = false;
        begins = false;
        open = 0;
    }
}
