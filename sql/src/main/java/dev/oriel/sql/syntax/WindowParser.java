package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression.EdgeKind;
import dev.oriel.sql.syntax.Expression.Exclusion;
import dev.oriel.sql.syntax.Expression.FrameClause;
import dev.oriel.sql.syntax.Expression.FrameEdge;
import dev.oriel.sql.syntax.Expression.FrameUnit;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parses WINDOW and the clauses after the arguments of aggregates and window functions.
final class WindowParser {
    /// Whether FROM LAST was in the extras parsed last.
    boolean fromLast;

    private final TokenReader tokens;
    private final ExpressionParser expressions;
    private final QueryParser queries;

    WindowParser(TokenReader tokens, ExpressionParser expressions, QueryParser queries) {
        this.tokens = tokens;
        this.expressions = expressions;
        this.queries = queries;
    }

    /// Parses WINDOW.
    List<Statement.NamedWindow> named() {
        List<Statement.NamedWindow> named = new ArrayList<>();
        do {
            Identifier name = tokens.name("a name");
            tokens.expect(Keyword.AS);
            named.add(new Statement.NamedWindow(name, window()));
        } while (tokens.accept(","));
        return List.copyOf(named);
    }

    /// Parses the clauses after the closing parenthesis of a call; null if there are none.
    ///
    /// @param orderBy ORDER BY within the parentheses
    Expression.@Nullable Extras extras(List<Statement.Order> orderBy) {
        List<Statement.Order> order = orderBy;
        boolean within = false;
        int below = 0;
        if (word("WITHIN", 0) && tokens.peek(1).is(Keyword.GROUP)) {
            tokens.take();
            tokens.take();
            tokens.expect("(");
            tokens.expect(Keyword.ORDER);
            tokens.expect(Keyword.BY);
            order = queries.orders();
            below = expressions.height();
            tokens.expect(")");
            within = true;
        }
        Expression filter = null;
        if (word("FILTER", 0) && tokens.peek(1).isSymbol("(")) {
            tokens.take();
            tokens.take();
            tokens.expect(Keyword.WHERE);
            filter = expressions.expression();
            below = Math.max(below, expressions.height());
            tokens.expect(")");
        }
        boolean first = tokens.peek(1).is(Keyword.FIRST);
        boolean last = false;
        if (tokens.peek().is(Keyword.FROM) && (first || word("LAST", 1)) && atWindow(2)) {
            tokens.take(); // of NTH_VALUE
            tokens.take();
            last = !first;
        }
        boolean ignores = word("IGNORE", 0) && tokens.peek(1).is(Keyword.NULLS);
        if (ignores || (word("RESPECT", 0) && tokens.peek(1).is(Keyword.NULLS))) {
            tokens.take();
            tokens.take();
        }
        Expression.Over over = null;
        if (word("OVER", 0) && (tokens.peek(1).isSymbol("(") || tokens.peek(1).isName())) {
            tokens.take();
            over = tokens.peek().isSymbol("(") ? window() : reference();
            below = Math.max(below, expressions.height());
        }
        expressions.height(below);
        fromLast = last; // not before the calls within OVER are read
        if (order.isEmpty() && filter == null && !ignores && over == null) {
            return null;
        }
        return new Expression.Extras(order, within, filter, ignores, over);
    }

    /// Whether OVER follows, perhaps behind the treatment of NULLs.
    private boolean atWindow(int ahead) {
        boolean nulls = word("RESPECT", ahead) || word("IGNORE", ahead);
        return word("OVER", nulls ? ahead + 2 : ahead);
    }

    private boolean word(String word, int ahead) {
        Token token = tokens.peek(ahead);
        return token.kind() == Token.Kind.WORD && token.text().equalsIgnoreCase(word);
    }

    private Expression.Over reference() {
        Identifier name = tokens.name("a window name");
        return new Expression.Over(name.position(), name, true, List.of(), List.of(), null);
    }

    private Expression.Over window() {
        int position = tokens.position();
        tokens.expect("(");
        Identifier base = null;
        if (tokens.peek().isName() && !word("PARTITION", 0) && unit(tokens.peek()) == null) {
            base = tokens.name("a window name");
        }
        List<Expression> partitionBy = List.of();
        int below = 0;
        if (tokens.acceptWord("PARTITION")) {
            tokens.expect(Keyword.BY);
            partitionBy = List.copyOf(expressions.expressions());
            below = expressions.height();
        }
        List<Statement.Order> orderBy = List.of();
        if (queries.acceptBy(Keyword.ORDER)) {
            orderBy = queries.orders();
            below = Math.max(below, expressions.height());
        }
        expressions.height(0);
        FrameUnit unit = unit(tokens.peek());
        FrameClause frame = unit == null ? null : frame(unit);
        expressions.height(Math.max(below, expressions.height()));
        tokens.expect(")");
        return new Expression.Over(position, base, false, partitionBy, orderBy, frame);
    }

    private static @Nullable FrameUnit unit(Token token) {
        if (token.kind() == Token.Kind.WORD) {
            for (FrameUnit unit : FrameUnit.values()) {
                if (token.text().equalsIgnoreCase(unit.name())) {
                    return unit;
                }
            }
        }
        return null;
    }

    private FrameClause frame(FrameUnit unit) {
        int position = tokens.take().position();
        FrameEdge start;
        FrameEdge end;
        if (tokens.accept(Keyword.BETWEEN)) {
            start = edge();
            int below = expressions.height();
            tokens.expect(Keyword.AND);
            end = edge();
            expressions.height(Math.max(below, expressions.height()));
        } else {
            start = edge();
            end = new FrameEdge(position, EdgeKind.CURRENT_ROW, null);
        }
        if (start.kind() == EdgeKind.UNBOUNDED_FOLLOWING) {
            throw wrong(start, "A frame cannot begin at UNBOUNDED FOLLOWING");
        } else if (end.kind() == EdgeKind.UNBOUNDED_PRECEDING) {
            throw wrong(end, "A frame cannot end at UNBOUNDED PRECEDING");
        } else if (start.kind().compareTo(end.kind()) > 0) {
            throw wrong(end, "The frame ends before it begins");
        }
        return new FrameClause(position, unit, start, end, exclusion());
    }

    private SqlException wrong(FrameEdge edge, String message) {
        return tokens.error(Kind.WINDOWING, edge.position(), message);
    }

    private FrameEdge edge() {
        int position = tokens.position();
        if (word("UNBOUNDED", 0)) {
            tokens.take();
            boolean preceding = preceding();
            return new FrameEdge(
                    position,
                    preceding ? EdgeKind.UNBOUNDED_PRECEDING : EdgeKind.UNBOUNDED_FOLLOWING,
                    null);
        }
        if (word("CURRENT", 0) && tokens.peek(1).is(Keyword.ROW)) {
            tokens.take();
            tokens.take();
            return new FrameEdge(position, EdgeKind.CURRENT_ROW, null);
        }
        Expression offset = expressions.expression();
        return new FrameEdge(
                position, preceding() ? EdgeKind.PRECEDING : EdgeKind.FOLLOWING, offset);
    }

    private boolean preceding() {
        if (tokens.acceptWord("PRECEDING")) {
            return true;
        }
        tokens.expected("PRECEDING");
        tokens.expectWord("FOLLOWING");
        return false;
    }

    private Exclusion exclusion() {
        if (!tokens.acceptWord("EXCLUDE")) {
            return Exclusion.NO_OTHERS;
        } else if (tokens.acceptWord("CURRENT")) {
            tokens.expect(Keyword.ROW);
            return Exclusion.CURRENT_ROW;
        } else if (tokens.accept(Keyword.GROUP)) {
            return Exclusion.GROUP;
        } else if (tokens.acceptWord("TIES")) {
            return Exclusion.TIES;
        }
        tokens.expectWord("NO");
        tokens.expectWord("OTHERS");
        return Exclusion.NO_OTHERS;
    }
}
