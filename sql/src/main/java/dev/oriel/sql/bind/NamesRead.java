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

/// Finds the columns of a WITH name that may be read: its rows are kept before their readers are bound. Looks only
/// at the tokens of the statement, and errs on the side of too many. A column counts if its name occurs anywhere
/// outside of the query itself. All columns count if a star, NATURAL or a column alias list may refer to them.
///
/// The statement is scanned once for all names of a WITH.
final class NamesRead {
    private final List<Token> tokens;

    /// Token indexes of each name, folded.
    private final Map<String, List<Integer>> places = new HashMap<>();

    /// Indexes of tokens that stand for unknown names: a star, NATURAL.
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

    /// Positions of the columns of `table`, bound as `bound`, that may be read; null for all.
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

    /// Whether `name` occurs before the token `begin`, or at `end` or later.
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

    /// Whether a token is a star. In a product an operand comes before and after it, but the star after DISTINCT
    /// ON (...) has none after it. The star of COUNT is in parentheses.
    private boolean isStar(int i) {
        if (i == 0 || !tokens.get(i).isSymbol("*")) {
            return false;
        }
        Token before = tokens.get(i - 1);
        Token behind = tokens.get(i + 1); // exists, as the end is a token too
        boolean ends = behind.isSymbol(",") || behind.is(Keyword.FROM);
        return (before.isSymbol(")") && ends)
                || before.isSymbol(",")
                || before.isSymbol(".")
                || (before.kind() == Token.Kind.WORD && !before.isName())
                || before.is(Keyword.RETURNING);
    }

    /// Whether the name here may have a column alias list.
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
