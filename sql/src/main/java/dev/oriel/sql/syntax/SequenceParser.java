package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Type;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses the options of a sequence, each at most once.
final class SequenceParser {
    private final TokenReader tokens;
    private final TypeParser types;
    private final boolean identity;
    private final Set<String> said = new HashSet<>();
    private @Nullable Type type;
    private @Nullable Long start;
    private @Nullable Long increment;
    private Statement.@Nullable Limit least;
    private Statement.@Nullable Limit most;
    private @Nullable Boolean cycle;
    private Statement.@Nullable Restart restart;
    private Statement.@Nullable Owned owned;
    private Statement.@Nullable Identifier name;

    /// @param identity whether the sequence belongs to an identity column; then it may have a name
    SequenceParser(TokenReader tokens, TypeParser types, boolean identity) {
        this.identity = identity;
        this.tokens = tokens;
        this.types = types;
    }

    SequenceOptions options() {
        boolean more = true;
        while (more) {
            more = option();
        }
        return given();
    }

    /// Options that may have SET before them.
    SequenceOptions altered() {
        boolean more = true;
        while (more) {
            boolean set = tokens.accept(Keyword.SET);
            more = option();
            if (set && !more) {
                tokens.expected("a sequence option");
                throw tokens.unexpected();
            }
        }
        return given();
    }

    private SequenceOptions given() {
        return new SequenceOptions(
                type, start, increment, least, most, cycle, restart, owned, name);
    }

    /// Reads the next option; false if none follows.
    private boolean option() {
        int position = tokens.position();
        if (tokens.accept(Keyword.START)) {
            once("START", position);
            tokens.accept(Keyword.WITH);
            start = number();
        } else if (tokens.acceptWord("INCREMENT")) {
            once("INCREMENT", position);
            tokens.accept(Keyword.BY);
            increment = number();
        } else if (tokens.acceptWord("MINVALUE")) {
            once("MINVALUE", position);
            least = new Statement.Limit(number());
        } else if (tokens.acceptWord("MAXVALUE")) {
            once("MAXVALUE", position);
            most = new Statement.Limit(number());
        } else if (tokens.acceptWord("CYCLE")) {
            once("CYCLE", position);
            cycle = true;
        } else if (tokens.acceptWord("CACHE")) {
            once("CACHE", position);
            number(); // numbers are reserved in ranges anyway
        } else if (tokens.acceptWord("RESTART")) {
            once("RESTART", position);
            boolean with = tokens.accept(Keyword.WITH);
            boolean given = with || tokens.peek().kind() == Token.Kind.INTEGER;
            restart = new Statement.Restart(given ? number() : null);
        } else if (tokens.acceptWords("OWNED", "BY")) {
            once("OWNED BY", position);
            owned = owned();
        } else if (tokens.acceptWord("BELONGS_TO_TABLE")) {
            once("BELONGS_TO_TABLE", position); // as of H2: the column tells the table
        } else if (identity && tokens.acceptWords("SEQUENCE", "NAME")) {
            once("SEQUENCE NAME", position);
            name = tokens.relation("a sequence name");
        } else if (tokens.acceptWord("NO")) {
            without(position);
        } else if (tokens.accept(Keyword.AS)) {
            once("AS", position);
            type = types.type();
        } else {
            return false;
        }
        return true;
    }

    private Statement.Owned owned() {
        if (!tokens.peek(1).isSymbol(".") && tokens.acceptWord("NONE")) {
            return new Statement.Owned(null, null);
        }
        Statement.Identifier table =
                tokens.peek(3).isSymbol(".")
                        ? tokens.relation("a table name")
                        : tokens.name("a table name");
        tokens.expect(".");
        return new Statement.Owned(table, tokens.name("a column name"));
    }

    private void without(int position) {
        if (tokens.acceptWord("CYCLE")) {
            once("CYCLE", position);
            cycle = false;
        } else if (tokens.acceptWord("CACHE")) {
            once("CACHE", position); // as of H2
        } else if (tokens.acceptWord("MINVALUE")) {
            once("MINVALUE", position);
            least = new Statement.Limit(null);
        } else {
            tokens.expectWord("MAXVALUE");
            once("MAXVALUE", position);
            most = new Statement.Limit(null);
        }
    }

    private long number() {
        return tokens.integer("a number");
    }

    private void once(String option, int position) {
        if (!said.add(option)) {
            throw tokens.error(
                    Kind.SYNTAX,
                    position,
                    option + " is given twice for the sequence: leave one out");
        }
    }
}
