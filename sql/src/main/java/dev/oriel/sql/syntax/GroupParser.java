package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parses GROUP BY. ROLLUP and CUBE are expanded to grouping sets.
public final class GroupParser {
    /// Maximum number of grouping sets that one GROUPING SETS, ROLLUP or CUBE expands to.
    public static final int SETS_MAX = 4_096;

    private static final int CUBE_MAX = 12;

    /// Maximum number of parts of a ROLLUP. The sets of n parts have about n * n / 2 keys in total.
    private static final int ROLLUP_MAX = 400;

    private static final int NESTING_MAX = 20;

    private final TokenReader tokens;
    private final ExpressionParser expressions;
    private int nesting;

    GroupParser(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /// Parses a whole GROUP BY.
    List<Statement.GroupElement> elements() {
        List<Statement.GroupElement> elements = new ArrayList<>();
        do {
            int position = tokens.position();
            if (tokens.peek().isSymbol("(") && tokens.peek(1).isSymbol(")")) {
                tokens.take();
                tokens.take();
                elements.add(new Statement.GroupElement.Sets(position, List.of(List.of())));
                continue;
            }
            List<List<Expression>> sets = sets();
            elements.add(
                    sets == null
                            ? new Statement.GroupElement.Key(expressions.expression())
                            : new Statement.GroupElement.Sets(position, sets));
        } while (tokens.accept(","));
        return List.copyOf(elements);
    }

    /// The grouping sets; null if the next element is a plain key.
    private @Nullable List<List<Expression>> sets() {
        if (word("ROLLUP") && tokens.peek(1).isSymbol("(")) {
            tokens.take();
            int position = tokens.position();
            return rollup(position, parts());
        } else if (word("CUBE") && tokens.peek(1).isSymbol("(")) {
            int position = tokens.take().position();
            return cube(position, parts());
        } else if (word("GROUPING") && tokens.peek(1).kind() == Token.Kind.WORD) {
            tokens.take();
            tokens.expectWord("SETS");
            return groupingSets();
        }
        return null;
    }

    private boolean word(String word) {
        Token token = tokens.peek();
        return token.kind() == Token.Kind.WORD && token.text().equalsIgnoreCase(word);
    }

    private List<List<Expression>> groupingSets() {
        int position = tokens.position();
        if (++nesting > NESTING_MAX) {
            throw tokens.error(
                    Kind.TOO_COMPLEX,
                    position,
                    "GROUPING SETS are nested more than "
                            + NESTING_MAX
                            + " levels deep; write the sets side by side");
        }
        List<List<Expression>> all = new ArrayList<>();
        tokens.expect("(");
        do {
            List<List<Expression>> inner = sets();
            if (inner == null) {
                all.add(part());
            } else {
                all.addAll(inner);
            }
            if (all.size() > SETS_MAX) {
                throw tooMany(position);
            }
        } while (tokens.accept(","));
        tokens.expect(")");
        nesting--;
        return List.copyOf(all);
    }

    private SqlException tooMany(int position) {
        return tokens.error(
                Kind.TOO_COMPLEX,
                position,
                "GROUP BY has more than " + SETS_MAX + " grouping sets; unite several queries");
    }

    /// Takes `(a, (b, c), ...)`.
    private List<List<Expression>> parts() {
        List<List<Expression>> parts = new ArrayList<>();
        tokens.expect("(");
        do {
            parts.add(part());
        } while (tokens.accept(","));
        tokens.expect(")");
        return parts;
    }

    /// Takes one key, or several in parentheses, or `()`.
    private List<Expression> part() {
        if (tokens.peek().isSymbol("(") && tokens.peek(1).isSymbol(")")) {
            tokens.take();
            tokens.take();
            return List.of();
        }
        Expression expression = expressions.expression();
        return expression instanceof Expression.RowValue row ? row.values() : List.of(expression);
    }

    private List<List<Expression>> rollup(int position, List<List<Expression>> parts) {
        if (parts.size() > ROLLUP_MAX) {
            throw tokens.error(
                    Kind.TOO_COMPLEX,
                    position,
                    "ROLLUP has more than " + ROLLUP_MAX + " parts; unite several queries");
        }
        List<List<Expression>> sets = new ArrayList<>();
        for (int length = parts.size(); length >= 0; length--) {
            List<Expression> set = new ArrayList<>();
            parts.subList(0, length).forEach(set::addAll);
            sets.add(List.copyOf(set));
        }
        return List.copyOf(sets);
    }

    private List<List<Expression>> cube(int position, List<List<Expression>> parts) {
        if (parts.size() > CUBE_MAX) {
            throw tooMany(position);
        }
        List<List<Expression>> sets = new ArrayList<>();
        for (int mask = (1 << parts.size()) - 1; mask >= 0; mask--) {
            List<Expression> set = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                if ((mask >> (parts.size() - 1 - i) & 1) != 0) {
                    set.addAll(parts.get(i));
                }
            }
            sets.add(List.copyOf(set));
        }
        return List.copyOf(sets);
    }
}
