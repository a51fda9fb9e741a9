package dev.oriel.sql.bind;

import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Which columns of a name of WITH may be read, as far as the words of the statement tell: its rows are kept
/// before those who read them are bound. Says too many rather than too few: a column counts whose name stands
/// anywhere outside of the query itself, and all do where a star, NATURAL or another list of names may mean
/// them.
final class NamesRead {
    private final List<Token> tokens;
    private final Statement.CommonTable table;

    private NamesRead(List<Token> tokens, Statement.CommonTable table) {
        this.tokens = tokens;
        this.table = table;
    }

    /// Positions of the columns of `table`, which is bound as `bound`; null for all.
    static @Nullable BitSet of(SqlText source, Statement.CommonTable table, BoundQuery bound) {
        NamesRead names = new NamesRead(Lexer.tokens(source), table);
        Set<String> read = names.outside();
        if (read == null) {
            return null;
        }
        BitSet asked = new BitSet();
        for (int i = 0; i < bound.columns().size(); i++) {
            List<Identifier> given = table.columns();
            String name = i < given.size() ? given.get(i).name() : bound.columns().get(i).name();
            asked.set(i, read.contains(folded(name)));
        }
        return asked.cardinality() == bound.columns().size() ? null : asked;
    }

    private static String folded(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /// All names outside of the query; null where something stands for names.
    private @Nullable Set<String> outside() {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.position() >= table.name().position() && token.position() <= table.end()) {
                continue;
            }
            if (isStar(i) || token.is(Keyword.NATURAL) || isRenamed(i)) {
                return null;
            }
            if (token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED) {
                names.add(folded(token.text()));
            }
        }
        return names;
    }

    /// A product has an operand before it, and another behind it, which the star behind DISTINCT ON (...) has not;
    /// the star of COUNT has a parenthesis.
    private boolean isStar(int i) {
        if (i == 0 || !tokens.get(i).isSymbol("*")) {
            return false;
        }
        Token before = tokens.get(i - 1);
        Token behind = tokens.get(i + 1); // the end is a token too
        boolean ends = behind.isSymbol(",") || behind.is(Keyword.FROM);
        return (before.isSymbol(")") && ends)
                || before.isSymbol(",")
                || before.isSymbol(".")
                || (before.kind() == Token.Kind.WORD && !before.isName())
                || before.is(Keyword.RETURNING);
    }

    /// Whether the name stands here with other names for its columns, perhaps.
    private boolean isRenamed(int i) {
        if (!tokens.get(i).isName()
                || !folded(tokens.get(i).text()).equals(folded(table.name().name()))) {
            return false;
        }
        int at = i + 1;
        if (tokens.get(at).is(Keyword.AS)) {
            at++;
        }
        return at + 1 < tokens.size()
                && tokens.get(at).isName()
                && tokens.get(at + 1).isSymbol("(");
    }
}
