package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression.Call;
import dev.oriel.sql.syntax.Expression.Literal;
import dev.oriel.sql.syntax.Expression.Name;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.Item;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Parses `JSON_TO_RECORDSET(json) AS x(a INTEGER, b TEXT)` as a query of the members of each object of an array.
/// `JSON_TO_RECORD` makes one row of one object.
final class JsonRecords {
    private static final Set<String> NAMES =
            Set.of(
                    "JSON_TO_RECORD",
                    "JSONB_TO_RECORD",
                    "JSON_TO_RECORDSET",
                    "JSONB_TO_RECORDSET",
                    "JSON_POPULATE_RECORDSET",
                    "JSONB_POPULATE_RECORDSET");

    /// Names of the object within the query.
    private static final String TABLE = "record";

    private static final String COLUMN = "object";

    private static final Type JSON = Type.of(Type.Name.JSON);

    private final TokenReader tokens;
    private final ExpressionParser expressions;

    JsonRecords(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /// Whether a call of one begins here.
    boolean begin() {
        Token name = tokens.peek();
        return name.kind() == Token.Kind.WORD
                && NAMES.contains(name.text().toUpperCase(Locale.ROOT))
                && tokens.peek(1).isSymbol("(");
    }

    From from() {
        Token name = tokens.take();
        int position = name.position();
        tokens.expect("(");
        Expression json = expressions.expression();
        if (name.text().toUpperCase(Locale.ROOT).contains("POPULATE")) {
            return populated(name, json);
        }
        tokens.expect(")");
        tokens.accept(Keyword.AS);
        Identifier alias =
                tokens.peek().isSymbol("(")
                        ? new Identifier(position, name.text())
                        : tokens.peek().isName() ? tokens.name("a name") : null;
        if (alias == null || !tokens.accept("(")) {
            throw tokens.error(
                    Kind.SYNTAX,
                    position,
                    "\""
                            + name.text()
                            + "\" needs the columns of its rows: AS x(id INTEGER, name TEXT)");
        }
        List<Item> items = new ArrayList<>();
        do {
            Token column = tokens.peek();
            Identifier as = tokens.name("a column name");
            boolean quoted = column.kind() == Token.Kind.QUOTED;
            String member = quoted ? as.name() : as.name().toLowerCase(Locale.ROOT);
            items.add(new Item.Value(member(position, member, expressions.type()), as));
        } while (tokens.accept(","));
        tokens.expect(")");
        boolean several = name.text().toUpperCase(Locale.ROOT).endsWith("SET");
        From rows = several ? elements(position, json) : single(position, json);
        return new From.Derived(
                position, QueryParser.rows(position, items, rows), alias, List.of(), true);
    }

    /// Parses the rest of `JSON_POPULATE_RECORDSET(base, array)`: the attributes of a row for each element.
    private From populated(Token name, Expression base) {
        int position = name.position();
        tokens.expect(",");
        Expression array = expressions.expression();
        tokens.expect(")");
        boolean named = tokens.accept(Keyword.AS) || tokens.peek().isName();
        Identifier alias = named ? tokens.name("a name") : new Identifier(position, name.text());
        List<Identifier> columns = new ArrayList<>();
        if (tokens.accept("(")) {
            do {
                columns.add(tokens.name("a column name"));
            } while (tokens.accept(","));
            tokens.expect(")");
        }
        Expression row =
                call(
                        position,
                        Function.JSON_POPULATE_RECORD.called(),
                        base,
                        new Name(position, TABLE, COLUMN));
        Expression all = call(position, Function.ATTRIBUTE.called(), row, text(position, Name.ALL));
        From rows = elements(position, array);
        Statement.Select query =
                QueryParser.rows(position, List.of(new Item.Value(all, null)), rows);
        return new From.Derived(position, query, alias, List.copyOf(columns), true);
    }

    private static From elements(int position, Expression array) {
        return new From.Function(
                call(position, "JSONB_ARRAY_ELEMENTS", array),
                new Identifier(position, TABLE),
                List.of(new Identifier(position, COLUMN)),
                false,
                false);
    }

    private static From single(int position, Expression object) {
        return new From.Derived(
                position,
                QueryParser.rows(position, List.of(new Item.Value(object, null)), null),
                new Identifier(position, TABLE),
                List.of(new Identifier(position, COLUMN)),
                true);
    }

    private static Call call(int position, String name, Expression... arguments) {
        return new Call(position, name, List.of(arguments));
    }

    private static Literal text(int position, String text) {
        return new Literal(position, Literal.Kind.STRING, text);
    }

    /// The member `name` of the object as `type`; NULL if it is missing or null.
    private static Expression member(int position, String name, Type type) {
        Expression object =
                call(position, Function.JSON_RECORD.called(), new Name(position, TABLE, COLUMN));
        Expression json = call(position, "->", object, text(position, name));
        if (type.name() == Type.Name.JSON) {
            Expression nothing = new Expression.Cast(position, text(position, "null"), type);
            return call(position, "NULLIF", json, nothing);
        }
        if (type.name() == Type.Name.COMPOSITE) {
            Expression base =
                    new Expression.Cast(
                            position, new Literal(position, Literal.Kind.NULL, "NULL"), type);
            Expression nothing = new Expression.Cast(position, text(position, "null"), JSON);
            return call(
                    position,
                    Function.JSON_POPULATE_RECORD.called(),
                    base,
                    call(position, "NULLIF", json, nothing));
        }
        Expression member = call(position, "->>", object, text(position, name));
        Expression value = new Expression.Cast(position, fitted(position, member, type), type);
        if (type.element() == null) {
            return value;
        }
        Expression array =
                new Expression.Binary(
                        position,
                        Expression.Operator.EQUAL,
                        call(position, "JSONB_TYPEOF", json),
                        text(position, "array"));
        return new Expression.Case(
                position,
                null,
                List.of(new Expression.When(array, array(position, json, type.element()))),
                value);
    }

    /// `text`, which is refused if it is too long for `type`; a cast would cut it.
    private static Expression fitted(int position, Expression text, Type type) {
        if (!type.shape().isText() || type.length() == 0) {
            return text;
        }
        Expression length =
                new Literal(position, Literal.Kind.INTEGER, String.valueOf(type.length()));
        return call(position, Function.JSON_RECORD_TEXT.called(), text, length);
    }

    /// The elements of a JSON array as an array of `element`.
    private static Expression array(int position, Expression json, Type element) {
        From elements =
                new From.Function(
                        call(position, "JSONB_ARRAY_ELEMENTS_TEXT", json),
                        new Identifier(position, "elements"),
                        List.of(new Identifier(position, "element")),
                        false,
                        false);
        Expression text = new Name(position, "elements", "element");
        Expression value = new Expression.Cast(position, fitted(position, text, element), element);
        Statement.Query query =
                QueryParser.rows(position, List.of(new Item.Value(value, null)), elements);
        return call(
                position,
                Function.ARRAY_OR_EMPTY.called(),
                JsonCallParser.aggregated(position, query, AggregateFunction.ARRAY_AGG));
    }
}
