package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.OtherFunctions;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Functions of H2, MySQL, SQL Server and PostgreSQL that stand for other expressions here.
final class Synonyms {
    private static final String INTERVAL_UNIT = "SQL_TSI_";

    private Synonyms() {}

    /// The expression that `call` stands for; null if its name is none of them.
    static @Nullable Expression of(Expression.Call call) {
        if (call.distinct() || call.star() || call.extras() != null) {
            return null;
        }
        String name = call.name().toUpperCase(Locale.ROOT);
        if (name.equals("NUM_NULLS") || name.equals("NUM_NONNULLS")) {
            return counted(call, name.equals("NUM_NONNULLS"));
        }
        if (OtherFunctions.isPrivilege(name)) {
            return privilege(call);
        }
        Expression found =
                switch (call.arguments().size()) {
                    case 0 -> withoutArguments(call, name);
                    case 1 -> ofOne(call, name);
                    case 2 -> ofTwo(call, name);
                    case 3 -> ofThree(call, name);
                    default -> null;
                };
        return found == null ? H2Functions.of(call, name) : found;
    }

    /// The meaning of a name that is no column's: SQL's keywords for the session, or a sequence before NEXTVAL or
    /// CURRVAL, as in Oracle and H2. Null if it has none.
    static @Nullable Expression ofName(BindContext around, Expression.Name name) {
        String upper = name.name().toUpperCase(Locale.ROOT);
        int at = name.position();
        if (name.qualifier() != null) {
            return upper.equals("NEXTVAL") || upper.equals("CURRVAL")
                    ? ofSequence(around, name, upper)
                    : null;
        }
        String text = around.source().text();
        boolean bare = at < text.length() && Character.isLetter(text.charAt(at));
        return switch (bare ? upper : "") {
            case "UNKNOWN" -> around.binding().isStored() ? null : unknown(at);
            case "CURRENT_SCHEMA" ->
                    new Expression.Call(at, Function.CURRENT_SCHEMA.called(), List.of());
            case "CURRENT_USER",
                    "SESSION_USER",
                    "SYSTEM_USER",
                    "USER",
                    "CURRENT_ROLE",
                    "CURRENT_CATALOG" ->
                    new Expression.Cast(at, text(at, "oriel"), Typing.TEXT);
            default -> null;
        };
    }

    /// UNKNOWN, the truth value that is NULL. A later column of this name would change a stored definition.
    private static Expression unknown(int at) {
        Expression none = new Expression.Literal(at, Expression.Literal.Kind.NULL, "NULL");
        return new Expression.Cast(at, none, Typing.BOOLEAN);
    }

    private static @Nullable Expression ofSequence(
            BindContext around, Expression.Name name, String function) {
        String path = Objects.requireNonNull(name.qualifier());
        if (around.binding().isStored() || around.binding().catalog().sequence(path) == null) {
            return null;
        }
        int dot = path.indexOf('\0', 1);
        String called =
                dot < 0
                        ? Quoting.name(path)
                        : Quoting.name(path.substring(0, dot))
                                + "."
                                + Quoting.name(path.substring(dot + 1));
        return new Expression.Call(
                name.position(), function, List.of(text(name.position(), called)));
    }

    private static Expression text(int position, String text) {
        return new Expression.Literal(position, Expression.Literal.Kind.STRING, text);
    }

    /// The number of arguments that are NULL, or of the others.
    private static @Nullable Expression counted(Expression.Call call, boolean known) {
        Expression none =
                new Expression.Literal(call.position(), Expression.Literal.Kind.NULL, "NULL");
        Expression sum = null;
        for (Expression argument : call.arguments()) {
            int at = call.position();
            Expression one =
                    new Expression.Case(
                            at,
                            null,
                            List.of(
                                    new Expression.When(
                                            new Expression.IsDistinct(at, argument, none, !known),
                                            number(at, "1"))),
                            number(at, "0"));
            sum = sum == null ? one : new Expression.Binary(at, Operator.ADD, sum, one);
        }
        return sum;
    }

    private static Expression number(int position, String digits) {
        return new Expression.Literal(position, Expression.Literal.Kind.INTEGER, digits);
    }

    /// HAS_TABLE_PRIVILEGE and the like, which tools call: TRUE for all users, as there are no roles.
    private static @Nullable Expression privilege(Expression.Call call) {
        int count = call.arguments().size();
        return count < 2 || count > 4
                ? null
                : new Expression.Literal(call.position(), Expression.Literal.Kind.BOOLEAN, "TRUE");
    }

    private static @Nullable Expression withoutArguments(Expression.Call call, String name) {
        return switch (name) {
            case "RAND" -> called(call, Function.RANDOM);
            case "UUID", "NEWID" -> called(call, Function.GEN_RANDOM_UUID);
            case "DATABASE" -> called(call, Function.CURRENT_DATABASE);
            case "CURDATE" -> called(call, Function.CURRENT_DATE);
            case "CURTIME" ->
                    new Expression.Cast(
                            call.position(),
                            called(call, Function.LOCALTIMESTAMP),
                            Type.of(Type.Name.TIME));
            case "GETDATE" -> called(call, Function.LOCALTIMESTAMP);
            default -> null;
        };
    }

    private static @Nullable Expression ofOne(Expression.Call call, String name) {
        Type type = type(name);
        if (type != null) {
            return new Expression.Cast(call.position(), call.arguments().getFirst(), type);
        }
        return switch (name) {
            case "CHAR" -> called(call, Function.CHR);
            case "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "QUARTER", "WEEK" ->
                    part(call, name);
            case "ISO_WEEK" -> part(call, "WEEK");
            case "ISO_YEAR", "ISO_WEEK_YEAR" -> part(call, "ISOYEAR");
            case "ISO_DAY_OF_WEEK" -> part(call, "ISODOW");
            case "DAYOFMONTH", "DAY_OF_MONTH" -> part(call, "DAY");
            case "DAYOFYEAR", "DAY_OF_YEAR" -> part(call, "DOY");
            default -> null;
        };
    }

    /// The type called like a function, as in `int4(x)`; null for other names.
    private static @Nullable Type type(String name) {
        return switch (name) {
            case "INT2" -> Type.of(Type.Name.SMALLINT);
            case "INT4" -> Typing.INTEGER;
            case "INT8" -> Typing.BIGINT;
            case "FLOAT4" -> Type.of(Type.Name.REAL);
            case "FLOAT8" -> Typing.DOUBLE;
            case "NUMERIC" -> Typing.DECIMAL;
            case "BOOL" -> Typing.BOOLEAN;
            case "TEXT" -> Typing.TEXT;
            case "BYTEA" -> Typing.BYTES;
            case "DATE" -> Type.of(Type.Name.DATE);
            case "TIMESTAMPTZ" -> Type.of(Type.Name.TIMESTAMP_TZ);
            case "TIMETZ" -> Type.of(Type.Name.TIME_TZ);
            default -> null;
        };
    }

    private static @Nullable Expression ofTwo(Expression.Call call, String name) {
        return switch (name) {
            case "LOCATE", "CHARINDEX" -> called(call, Function.POSITION);
            case "ISNULL" -> called(call, Function.COALESCE);
            case "ARRAY_CONTAINS" -> contains(call);
            default -> null;
        };
    }

    /// Whether an array has an element; NULL if there is no array.
    private static Expression contains(Expression.Call call) {
        int at = call.position();
        Expression place =
                new Expression.Call(at, Function.ARRAY_POSITION.called(), call.arguments());
        Expression none = new Expression.IsNull(at, call.arguments().getFirst(), false);
        Expression nothing = new Expression.Literal(at, Expression.Literal.Kind.NULL, "NULL");
        return new Expression.Case(
                at,
                null,
                List.of(new Expression.When(none, nothing)),
                new Expression.IsNull(at, place, true));
    }

    private static @Nullable Expression ofThree(Expression.Call call, String name) {
        return switch (name) {
            case "IIF" -> {
                Expression.When when =
                        new Expression.When(call.arguments().get(0), call.arguments().get(1));
                yield new Expression.Case(
                        call.position(), null, List.of(when), call.arguments().get(2));
            }
            case "LOCATE", "CHARINDEX" -> locatedFrom(call);
            case "TIMESTAMPADD" -> called(withUnit(call), Function.DATEADD);
            case "TIMESTAMPDIFF" -> called(withUnit(call), Function.DATEDIFF);
            default -> null;
        };
    }

    /// The position of a part in a text from a given position on; 0 if it is not there.
    private static Expression locatedFrom(Expression.Call call) {
        int at = call.position();
        Expression start = call.arguments().get(2);
        Expression rest =
                new Expression.Call(
                        at, Function.SUBSTRING.called(), List.of(call.arguments().get(1), start));
        Expression place =
                new Expression.Call(
                        at, Function.POSITION.called(), List.of(call.arguments().getFirst(), rest));
        Expression before = new Expression.Binary(at, Operator.SUBTRACT, start, number(at, "1"));
        Expression none = new Expression.Binary(at, Operator.EQUAL, place, number(at, "0"));
        return new Expression.Case(
                at,
                null,
                List.of(new Expression.When(none, number(at, "0"))),
                new Expression.Binary(at, Operator.ADD, place, before));
    }

    /// `call` with the unit of JDBC's functions, such as SQL_TSI_DAY, as a field of a date.
    private static Expression.Call withUnit(Expression.Call call) {
        List<Expression> arguments = new ArrayList<>(call.arguments());
        if (arguments.getFirst() instanceof Expression.Name unit
                && unit.name().toUpperCase(Locale.ROOT).startsWith(INTERVAL_UNIT)) {
            String field = unit.name().substring(INTERVAL_UNIT.length());
            arguments.set(0, new Expression.Name(unit.position(), null, field));
        }
        return new Expression.Call(call.position(), call.name(), List.copyOf(arguments));
    }

    private static Expression called(Expression.Call call, Function function) {
        return new Expression.Call(call.position(), function.called(), call.arguments());
    }

    /// A part of a date, as an integer.
    private static Expression part(Expression.Call call, String field) {
        List<Expression> arguments =
                List.of(text(call.position(), field), call.arguments().getFirst());
        Expression part =
                new Expression.Call(call.position(), Function.EXTRACT.called(), arguments);
        Expression whole =
                new Expression.Call(call.position(), Function.FLOOR.called(), List.of(part));
        return new Expression.Cast(call.position(), whole, Typing.INTEGER);
    }
}
