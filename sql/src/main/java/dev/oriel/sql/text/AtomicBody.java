package dev.oriel.sql.text;

/// Follows the tokens of a statement, to find its end: a semicolon outside of BEGIN ATOMIC and END, the body of a
/// function.
public final class AtomicBody {
    private int tokens;
    private boolean creates;
    private boolean begins;

    /// Number of open BEGIN ATOMIC and CASE.
    private int open;

    /// Takes the next token.
    public void take(Token token) {
        boolean word = token.kind() == Token.Kind.WORD;
        if (tokens++ == 0) {
            creates = token.is(Keyword.CREATE);
        }
        if (begins && word && token.text().equalsIgnoreCase("ATOMIC") && open == 0) {
            open = 1;
        } else if (open > 0 && token.is(Keyword.CASE)) {
            open++;
        } else if (open > 0 && token.is(Keyword.END)) {
            open--;
        }
        begins = creates && token.is(Keyword.BEGIN);
    }

    /// Whether a body is open.
    public boolean isOpen() {
        return open > 0;
    }

    /// Begins the next statement.
    public void reset() {
        tokens = 0;
        creates = false;
        begins = false;
        open = 0;
    }
}
