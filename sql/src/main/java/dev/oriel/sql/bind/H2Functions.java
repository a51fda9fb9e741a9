package dev.oriel.sql.bind;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Functions of H2 and Oracle that stand for other expressions here. Names that mean nothing else are in [#of], other
/// numbers of arguments of our own functions in [#ofArity].
final class H2Functions {
    private static final String HEX = "hex";

    private H2Functions() {}

    /// The expression that `call` stands for; null if there is none.
    ///
    /// @param name its name in capitals
    static @Nullable Expression of(Expression.Call call, String name) {
        Expression found =
                switch (call.arguments().size()) {
                    case 0 -> withoutArguments(call.position(), name);
                    case 1 -> ofOne(call, name);
                    case 2 -> ofTwo(call, name);
                    case 3 -> ofThree(call, name);
                    default -> null;
                };
        return found == null ? OtherNames.of(call, name) : found;
    }

    private static @Nullable Expression withoutArguments(int at, String name) {
        return switch (name) {
            case "USER", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER" ->
                    new Expression.Cast(at, text(at, "oriel"), Typing.TEXT);
            case "SCHEMA" -> call(at, Function.CURRENT_SCHEMA);
            case "SYS_GUID" ->
                    new Expression.Cast(at, call(at, Function.GEN_RANDOM_UUID), Typing.BYTES);
            default -> null;
        };
    }

    private static @Nullable Expression ofOne(Expression.Call call, String name) {
        int at = call.position();
        Expression first = call.arguments().getFirst();
        return switch (name) {
            case "STRINGTOUTF8" -> call(at, Function.CONVERT_TO, first, text(at, "UTF8"));
            case "UTF8TOSTRING" -> call(at, Function.CONVERT_FROM, first, text(at, "UTF8"));
            case "HEXTORAW" -> call(at, Function.DECODE, first, text(at, HEX));
            case "RAWTOHEX" ->
                    call(at, Function.UPPER, call(at, Function.ENCODE, first, text(at, HEX)));
            case "DAYNAME" -> call(at, Function.TO_CHAR, first, text(at, "FMDay"));
            case "MONTHNAME" -> call(at, Function.TO_CHAR, first, text(at, "FMMonth"));
            case "DAYOFWEEK", "DAY_OF_WEEK" -> dayOfWeek(at, first);
            default -> null;
        };
    }

    /// The number of a day from Sunday, which is 1.
    private static Expression dayOfWeek(int at, Expression date) {
        Expression day = call(at, Function.EXTRACT, text(at, "DOW"), date);
        Expression next = new Expression.Binary(at, Operator.ADD, day, number(at, "1"));
        return new Expression.Cast(at, next, Typing.INTEGER);
    }

    private static @Nullable Expression ofTwo(Expression.Call call, String name) {
        int at = call.position();
        return switch (name) {
            case "BITNAND" -> inverted(call, Function.BITAND);
            case "BITNOR" -> inverted(call, Function.BITOR);
            case "BITXNOR" -> inverted(call, Function.BITXOR);
            case "ARRAY_GET" ->
                    new Expression.Call(at, Function.ARRAY_ELEMENT.called(), call.arguments());
            default -> null;
        };
    }

    private static Expression inverted(Expression.Call call, Function function) {
        Expression bits = new Expression.Call(call.position(), function.called(), call.arguments());
        return call(call.position(), Function.BITNOT, bits);
    }

    private static @Nullable Expression ofThree(Expression.Call call, String name) {
        int at = call.position();
        return switch (name) {
            case "CASEWHEN" ->
                    new Expression.Case(
                            at,
                            null,
                            List.of(
                                    new Expression.When(
                                            call.arguments().get(0), call.arguments().get(1))),
                            call.arguments().get(2));
            case "ARRAY_SLICE" ->
                    new Expression.Call(at, Function.ARRAY_SLICE.called(), call.arguments());
            default -> null;
        };
    }

    /// The meaning in H2 of a call of `function` with a number of arguments that our function does not take; null if H2
    /// has no such form.
    static @Nullable Expression ofArity(Expression.Call call, Function function) {
        if (call.distinct() || call.star() || call.extras() != null) {
            return null;
        }
        int at = call.position();
        List<Expression> given = call.arguments();
        int count = given.size();
        return switch (function) {
            case DECODE -> count > 2 ? decoded(call) : null;
            case REPLACE ->
                    count == 2
                            ? call(at, Function.REPLACE, given.get(0), given.get(1), text(at, ""))
                            : null;
            case STRPOS -> count == 3 ? found(call) : null;
            case DATE_BIN -> count == 2 ? binned(call) : null;
            case TO_DATE ->
                    count == 1
                            ? new Expression.Cast(at, given.getFirst(), Type.of(Type.Name.DATE))
                            : null;
            case GCD, LCM -> count > 2 ? nested(call, function) : null;
            case ARRAY_LENGTH ->
                    count == 1 ? call(at, Function.CARDINALITY, given.getFirst()) : null;
            default -> null;
        };
    }

    /// Oracle's DECODE, in which NULL equals NULL.
    private static Expression decoded(Expression.Call call) {
        int at = call.position();
        List<Expression> given = call.arguments();
        List<Expression.When> whens = new ArrayList<>();
        for (int i = 1; i + 1 < given.size(); i += 2) {
            Expression same = new Expression.IsDistinct(at, given.getFirst(), given.get(i), true);
            whens.add(new Expression.When(same, given.get(i + 1)));
        }
        Expression otherwise = given.size() % 2 == 0 ? given.getLast() : null;
        return new Expression.Case(at, null, List.copyOf(whens), otherwise);
    }

    /// `INSTR(text, part, start)`; a start before the text would search backwards in Oracle.
    private static @Nullable Expression found(Expression.Call call) {
        boolean forward =
                call.name().toUpperCase(Locale.ROOT).equals("INSTR")
                        && call.arguments().get(2) instanceof Expression.Literal start
                        && start.kind() == Expression.Literal.Kind.INTEGER
                        && !start.text().startsWith("-")
                        && !start.text().equals("0");
        List<Expression> given = call.arguments();
        return forward
                ? new Expression.Call(
                        call.position(),
                        "LOCATE",
                        List.of(given.get(1), given.get(0), given.get(2)))
                : null;
    }

    /// DATE_BIN whose bins begin at 1970, as in DataFusion.
    private static Expression binned(Expression.Call call) {
        int at = call.position();
        List<Expression> given = call.arguments();
        Expression start = text(at, "1970-01-01 00:00:00Z");
        return call(at, Function.DATE_BIN, given.get(0), given.get(1), start);
    }

    private static Expression nested(Expression.Call call, Function function) {
        Expression all = call.arguments().getFirst();
        for (Expression next : call.arguments().subList(1, call.arguments().size())) {
            all = call(call.position(), function, all, next);
        }
        return all;
    }

    private static Expression call(int at, Function function, Expression... arguments) {
        return new Expression.Call(at, function.called(), List.of(arguments));
    }

    private static Expression text(int at, String text) {
        return new Expression.Literal(at, Expression.Literal.Kind.STRING, text);
    }

    private static Expression number(int at, String digits) {
        return new Expression.Literal(at, Expression.Literal.Kind.INTEGER, digits);
    }
}
