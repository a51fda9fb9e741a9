package dev.oriel.sql.bind;

import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which columns of a name of WITH may be read, as far as the words of the statement tell: its rows are kept
/// before those who read them are bound. Says too many rather than too few: a column counts whose name stands
/// anywhere outside of the query itself, and all do where a star, NATURAL or another list of names may mean
/// them.
///
/// The statement is read once for all names of a WITH.
final class NamesRead {
    private final List<Token> tokens;

    /// Places of each name, folded, by indexes of tokens.
    private final Map<String, List<Integer>> places = new HashMap<>();

    /// Indexes of the tokens that stand for names: a star, NATURAL.
    private final BitSet open = new BitSet();

    NamesRead(SqlText source) {
        this.tokens = Lexer.tokens(source);
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (isStar(i) || token.is(Keyword.NATURAL)) {
                open.set(i);
            }
            if (token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED) {
                places.computeIfAbsent(folded(token.text()), _ -> new ArrayList<>()).add(i);
            }
        }
    }

    /// Positions of the columns of `table`, which is bound as `bound`; null for all.
    @Nullable BitSet of(Statement.CommonTable table, BoundQuery bound) {
        int begin = index(table.name().position());
        int end = index(table.end() + 1);
        boolean named = begin > 0 && open.previousSetBit(begin - 1) >= 0;
        if (named || open.nextSetBit(end) >= 0) {
            return null;
        }
        for (int place : places.getOrDefault(folded(table.name().name()), List.of())) {
            if ((place < begin || place >= end) && isRenamed(place)) {
                return null;
            }
        }
        BitSet asked = new BitSet();
        for (int i = 0; i < bound.columns().size(); i++) {
            List<Identifier> given = table.columns();
            String name = i < given.size() ? given.get(i).name() : bound.columns().get(i).name();
            asked.set(i, isOutside(folded(name), begin, end));
        }
        return asked.cardinality() == bound.columns().size() ? null : asked;
    }

    /// Whether `name` stands before the token `begin`, or at `end` or later.
    private boolean isOutside(String name, int begin, int end) {
        List<Integer> all = places.getOrDefault(name, List.of());
        return !all.isEmpty() && (all.getFirst() < begin || all.getLast() >= end);
    }

    /// Index of the first token at `position` or later.
    private int index(int position) {
        int low = 0;
        int high = tokens.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (tokens.get(middle).position() < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static String folded(String name) {
        return name.toUpperCase(Locale.ROOT);
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

    /// Whether the name that stands here has other names for its columns, perhaps.
    private boolean isRenamed(int i) {
        if (!tokens.get(i).isName()) {
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
