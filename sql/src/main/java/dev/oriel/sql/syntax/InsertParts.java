package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.InsertSource;
import dev.oriel.sql.syntax.Statement.Item;
import dev.oriel.sql.syntax.Statement.Select;
import dev.oriel.sql.syntax.Statement.Tail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The column list of an INSERT with parts of columns, `INSERT INTO t (a[1], a[2], b.c)`. The parts of a column are
/// set one after the other in a value that is NULL at first.
final class InsertParts {
    /// Prefix of the columns of a query whose values are parts.
    private static final String GIVEN = SelectedRows.HIDDEN + "p";

    private final TokenReader tokens;
    private final Identifier table;
    private final List<Identifier> listed;
    private final List<PartParser.@Nullable Part> parts;

    /// Index of the result column for each listed one.
    private final List<Integer> places = new ArrayList<>();

    private final List<Identifier> columns = new ArrayList<>();

    /// @param parts for each of `listed` the part that is given; null for a whole column
    InsertParts(
            TokenReader tokens,
            Identifier table,
            List<Identifier> listed,
            List<PartParser.@Nullable Part> parts) {
        this.tokens = tokens;
        this.table = table;
        this.listed = listed;
        this.parts = parts;
        for (int i = 0; i < listed.size(); i++) {
            int earlier = parts.get(i) == null ? -1 : earlier(i);
            places.add(earlier < 0 ? columns.size() : places.get(earlier));
            if (earlier < 0) {
                columns.add(listed.get(i));
            }
        }
    }

    /// Index of an earlier part of the same column; -1 if there is none.
    private int earlier(int of) {
        for (int i = 0; i < of; i++) {
            if (parts.get(i) != null
                    && listed.get(i).name().equalsIgnoreCase(listed.get(of).name())) {
                return i;
            }
        }
        return -1;
    }

    /// The columns, each named once.
    List<Identifier> columns() {
        return List.copyOf(columns);
    }

    /// `source` with a value for each of [#columns].
    InsertSource of(InsertSource source) {
        return switch (source) {
            case InsertSource.Defaults defaults -> defaults;
            case InsertSource.Rows rows -> {
                List<Statement.Values> all = new ArrayList<>();
                for (Statement.Values row : rows.rows()) {
                    all.add(of(row));
                }
                yield new InsertSource.Rows(List.copyOf(all));
            }
            case InsertSource.OfQuery query -> new InsertSource.OfQuery(of(query.query()));
        };
    }

    /// `row` with a value for each of [#columns].
    Statement.Values of(Statement.Values row) {
        int given = row.expressions().size();
        if (given != listed.size()) {
            throw tokens.error(
                    Kind.SYNTAX,
                    row.position(),
                    "There are " + given + " values for " + listed.size() + " columns");
        }
        return new Statement.Values(row.position(), values(row.expressions()));
    }

    private List<Expression> values(List<Expression> given) {
        List<Expression> values = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            PartParser.Part part = parts.get(i);
            Expression value = given.get(i);
            int place = places.get(i);
            if (part == null) {
                values.add(value);
                continue;
            }
            if (value instanceof Expression.Name name
                    && name.qualifier() == null
                    && name.name().equalsIgnoreCase("DEFAULT")) {
                throw noDefault(tokens, value.position());
            }
            if (place < values.size()) {
                values.set(place, part.set(values.get(place), value));
            } else {
                values.add(part.set(none(listed.get(i)), value));
            }
        }
        return List.copyOf(values);
    }

    static SqlException noDefault(TokenReader tokens, int position) {
        return tokens.error(
                Kind.NOT_SUPPORTED, position, "A part of a column has no default; give it a value");
    }

    private Select of(Statement.Query query) {
        int position = query.position();
        Identifier alias = new Identifier(position, SelectedRows.HIDDEN);
        List<Identifier> names = new ArrayList<>();
        List<Expression> given = new ArrayList<>();
        for (int i = 0; i < listed.size(); i++) {
            names.add(new Identifier(position, GIVEN + i));
            given.add(new Expression.Name(position, alias.name(), GIVEN + i));
        }
        List<Item> items = new ArrayList<>();
        for (Expression value : values(given)) {
            items.add(new Item.Value(value, null));
        }
        return select(
                position,
                items,
                new From.Derived(position, query, alias, List.copyOf(names), false));
    }

    /// A query of `items` over `from`.
    static Select select(int position, List<Item> items, From from) {
        return new Select(
                position,
                false,
                List.copyOf(items),
                from,
                null,
                List.of(),
                null,
                List.of(),
                null,
                Tail.NONE);
    }

    /// NULL of the type of `column`, which a query over the table has.
    private Expression none(Identifier column) {
        int position = column.position();
        Item item = new Item.Value(new Expression.Name(position, null, column.name()), null);
        Select query = select(position, List.of(item), new From.Named(table, null, List.of()));
        return new Expression.Call(
                position,
                Function.NULL_OF.called(),
                List.of(new Expression.Subquery(position, query)));
    }
}
