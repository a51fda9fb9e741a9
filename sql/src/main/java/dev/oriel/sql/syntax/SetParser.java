package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Assignment;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.Item;
import dev.oriel.sql.text.Keyword;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Parses what follows SET in a change: `a = 1, b[2] = 3, (c, d.e) = (4, 5)`.
final class SetParser {
    /// Prefix of the columns of a query whose values go to parts of columns.
    private static final String GIVEN = SelectedRows.HIDDEN + "p";

    private final TokenReader tokens;
    private final ExpressionParser expressions;

    /// Name of the table to change.
    private final Identifier target;

    private final List<Assignment> assignments = new ArrayList<>();

    /// Index of the assignment that sets parts of a column, by its name in capitals.
    private final Map<String, Integer> parts = new HashMap<>();

    SetParser(TokenReader tokens, ExpressionParser expressions, Identifier target) {
        this.tokens = tokens;
        this.expressions = expressions;
        this.target = target;
    }

    /// A column, or a part of one.
    private record Place(Identifier column, PartParser.@Nullable Part part) {}

    List<Assignment> assignments() {
        do {
            if (tokens.peek().isSymbol("(")) {
                several();
                continue;
            }
            Place place = place();
            tokens.expect("=");
            if (place.part == null) {
                assignments.add(new Assignment(place.column, value()));
            } else {
                setPart(place.column, place.part, expressions.expression());
            }
        } while (tokens.accept(","));
        return assignments;
    }

    private Place place() {
        Identifier column = tokens.name("a column name");
        return new Place(
                column, PartParser.begins(tokens) ? PartParser.part(tokens, expressions) : null);
    }

    /// Sets a part to `value`. Further parts of the same column are set in what the earlier assignment makes.
    private void setPart(Identifier column, PartParser.Part part, Expression value) {
        String key = column.name().toUpperCase(Locale.ROOT);
        Integer earlier = parts.putIfAbsent(key, assignments.size());
        Expression whole = earlier == null ? null : assignments.get(earlier).value();
        if (whole == null) {
            whole = new Expression.Name(column.position(), target.name(), column.name());
        }
        Assignment set = new Assignment(column, expressions.withPart(part, whole, value));
        if (earlier == null) {
            assignments.add(set);
        } else {
            assignments.set(earlier, set);
        }
    }

    /// `(a, b) = (1, 2)`, or a query of as many columns.
    private void several() {
        List<Place> places = places();
        tokens.expect("=");
        boolean row = tokens.accept(Keyword.ROW);
        int position = tokens.position();
        if (!row && tokens.peek().isSymbol("(") && expressions.atQuery(1)) {
            tokens.take();
            ofQuery(places, position, expressions.subquery());
            return;
        }
        boolean single = places.size() == 1 && !row && !tokens.peek().isSymbol("(");
        if (single) { // as of H2, a value alone
            set(places.getFirst(), value(), position);
            return;
        }
        tokens.expect("(");
        List<@Nullable Expression> values = values();
        tokens.expect(")");
        if (values.size() != places.size()) {
            throw tokens.error(
                    Kind.SYNTAX,
                    position,
                    "There are " + values.size() + " values for " + places.size() + " columns");
        }
        for (int i = 0; i < values.size(); i++) {
            set(places.get(i), values.get(i), position);
        }
    }

    private List<Place> places() {
        List<Place> places = new ArrayList<>();
        tokens.expect("(");
        do {
            places.add(place());
        } while (tokens.accept(","));
        tokens.expect(")");
        return places;
    }

    private void set(Place place, @Nullable Expression value, int position) {
        if (place.part == null) {
            assignments.add(new Assignment(place.column, value));
        } else if (value == null) {
            throw InsertParts.noDefault(tokens, position);
        } else {
            setPart(place.column, place.part, value);
        }
    }

    /// Sets each of `places` to a column of `query`. Parts read it as a table, one column each.
    private void ofQuery(List<Place> places, int position, Statement.Query query) {
        boolean whole = true;
        for (Place place : places) {
            whole &= place.part == null;
        }
        if (whole) {
            Expression all = new Expression.Subquery(position, query);
            for (int i = 0; i < places.size(); i++) {
                assignments.add(new Assignment(places.get(i).column, all, i));
            }
            return;
        }
        Identifier alias = new Identifier(position, SelectedRows.HIDDEN);
        List<Identifier> names = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            names.add(new Identifier(position, GIVEN + i));
        }
        From from = new From.Derived(position, query, alias, List.copyOf(names), false);
        for (int i = 0; i < places.size(); i++) {
            Item item =
                    new Item.Value(new Expression.Name(position, alias.name(), GIVEN + i), null);
            Statement.Query one = InsertParts.select(position, List.of(item), from);
            set(places.get(i), new Expression.Subquery(position, one), position);
        }
    }

    private List<@Nullable Expression> values() {
        List<@Nullable Expression> values = new ArrayList<>();
        do {
            values.add(value());
        } while (tokens.accept(","));
        return values;
    }

    /// An expression, or null for DEFAULT.
    private @Nullable Expression value() {
        return tokens.acceptWord("DEFAULT") ? null : expressions.expression();
    }
}
