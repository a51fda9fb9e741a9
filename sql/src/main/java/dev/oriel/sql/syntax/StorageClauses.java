package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the clauses of ALTER by which PostgreSQL's storage and statistics are tuned. They have no effect.
final class StorageClauses {
    private final TokenReader tokens;
    private final TableParser tables;

    StorageClauses(TokenReader tokens, TableParser tables) {
        this.tokens = tokens;
        this.tables = tables;
    }

    /// Reads a clause of ALTER TABLE; false if none begins here.
    boolean ofTable() {
        tables.refuseEngine();
        if (parameters()) {
            return true;
        }
        if (tokens.peek().is(Keyword.SET)
                && (tokens.atWord(1, "LOGGED") || tokens.atWord(1, "UNLOGGED"))) {
            tokens.take();
            tokens.take();
            return true;
        }
        if (tokens.peek().is(Keyword.SET) && tokens.peek(1).is(Keyword.WITHOUT)) {
            tokens.take();
            tokens.take();
            if (!tokens.acceptWord("OIDS")) {
                tokens.expectWord("CLUSTER");
            }
            return true;
        }
        if (tokens.acceptWord("CLUSTER")) {
            tokens.expect(Keyword.ON);
            tokens.name("an index name");
            return true;
        }
        if (tokens.acceptWords("REPLICA", "IDENTITY")) {
            if (tokens.accept(Keyword.USING)) {
                tokens.expect(Keyword.INDEX);
                tokens.name("an index name");
            } else if (!tokens.accept(Keyword.FULL) && !tokens.acceptWord("NOTHING")) {
                tokens.expected("NOTHING");
                tokens.expectWord("DEFAULT");
            }
            return true;
        }
        return triggers();
    }

    /// Refuses ENABLE and DISABLE TRIGGER beside other changes; by themselves they are statements of [TriggerParser].
    private boolean triggers() {
        boolean word = tokens.atWord(0, "ENABLE") || tokens.atWord(0, "DISABLE");
        if (!word || !tokens.atWord(1, "TRIGGER")) {
            return false;
        }
        throw tokens.error(
                Kind.NOT_SUPPORTED,
                tokens.position(),
                "ENABLE and DISABLE TRIGGER are the only change of their statement; send it by"
                        + " itself");
    }

    /// `SET (name = value, ...)` and `RESET (name, ...)`.
    boolean parameters() {
        boolean set = tokens.peek().is(Keyword.SET) && tokens.peek(1).isSymbol("(");
        if (!set && !(tokens.atWord(0, "RESET") && tokens.peek(1).isSymbol("("))) {
            return false;
        }
        tokens.take();
        tables.parameters();
        return true;
    }

    /// Reads a clause of ALTER COLUMN, after the name of the column; false if none begins here.
    boolean ofColumn() {
        if (tokens.peek(1).isSymbol("(")
                && (tokens.peek().is(Keyword.SET) || tokens.atWord(0, "RESET"))) {
            tokens.take();
            options();
            return true;
        }
        if (tokens.peek(1).kind() == Token.Kind.INTEGER && tokens.acceptWord("SELECTIVITY")) {
            tokens.take(); // as of H2
            return true;
        }
        boolean option =
                tokens.peek().is(Keyword.SET)
                        && (tokens.atWord(1, "STATISTICS")
                                || tokens.atWord(1, "STORAGE")
                                || tokens.atWord(1, "COMPRESSION"));
        if (option) {
            tokens.take();
            tokens.take();
            value();
        }
        return option;
    }

    /// Skips options of a column in parentheses.
    private void options() {
        tokens.expect("(");
        do {
            int position = tokens.position();
            String name = tokens.heading().name();
            if (!name.equalsIgnoreCase("n_distinct")
                    && !name.equalsIgnoreCase("n_distinct_inherited")) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED,
                        position,
                        "There is no option \"" + name + "\" of a column; leave it out");
            }
            if (tokens.accept("=")) {
                value();
            }
        } while (tokens.accept(","));
        tokens.expect(")");
    }

    private void value() {
        tokens.accept("-");
        Token.Kind kind = tokens.peek().kind();
        if (kind == Token.Kind.END || kind == Token.Kind.SYMBOL) {
            tokens.expected("a value");
            throw tokens.unexpected();
        }
        tokens.take();
    }

    /// Reads a clause of ALTER INDEX as a statement; null if none begins here.
    Statement.@Nullable Control ofIndex(int position, boolean ifExists, Statement.Identifier name) {
        boolean option = parameters();
        if (!option && tokens.acceptWord("ALTER")) {
            tokens.acceptWord("COLUMN");
            tokens.take();
            option = ofColumn();
            if (!option) {
                tokens.expected("SET STATISTICS");
                throw tokens.unexpected();
            }
        }
        return option
                ? new Statement.Maintain(position, List.of(), ifExists ? List.of() : List.of(name))
                : null;
    }
}
