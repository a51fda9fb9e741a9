package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;

/// `VARIADIC array` as the last argument of a call: the elements of the array are the arguments from there on, as in
/// `CONCAT(VARIADIC ARRAY['a', 'b'])`.
final class Variadic {
    private final TokenReader tokens;
    private final Token name;
    private final Function function;

    Variadic(TokenReader tokens, Token name) {
        this.tokens = tokens;
        this.name = name;
        Function called = Function.of(name.text());
        if (called == null || before(called) < 0) {
            throw tokens.error(
                    Kind.UNKNOWN_FUNCTION,
                    name.position(),
                    "\"" + name.text() + "\" does not take VARIADIC; write the arguments singly");
        }
        this.function = called;
    }

    /// Number of arguments before the array; negative if `function` takes none.
    private static int before(Function function) {
        return switch (function) {
            case CONCAT, JSON_OBJECT, JSON_ARRAY_NULLS -> 0;
            case CONCAT_WS, FORMAT, JSON_EXTRACT_PATH, JSON_EXTRACT_PATH_TEXT -> 1;
            default -> -1;
        };
    }

    /// The call with `arguments`, of which the last is the array.
    Expression.Call call(List<Expression> arguments) {
        Expression array = arguments.getLast();
        List<Expression> first = arguments.subList(0, arguments.size() - 1);
        if (first.size() != before(function)) {
            throw tokens.error(
                    Kind.UNKNOWN_FUNCTION,
                    array.position(),
                    "VARIADIC stands for all arguments of \""
                            + name.text()
                            + "\" after the first "
                            + before(function));
        }
        List<Expression> elements = elements(array);
        if (!elements.isEmpty()) {
            List<Expression> all = new ArrayList<>(first);
            all.addAll(elements);
            return called(name.text(), all);
        }
        return switch (function) {
            case CONCAT ->
                    called(
                            Function.ARRAY_TO_STRING.called(),
                            List.of(
                                    array,
                                    new Expression.Literal(
                                            name.position(), Expression.Literal.Kind.STRING, "")));
            case CONCAT_WS ->
                    called(Function.ARRAY_TO_STRING.called(), List.of(array, first.getFirst()));
            case JSON_ARRAY_NULLS -> called(Function.ARRAY_TO_JSON.called(), List.of(array));
            case JSON_EXTRACT_PATH ->
                    called(Function.JSON_GET_PATH.called(), List.of(first.getFirst(), array));
            case JSON_EXTRACT_PATH_TEXT ->
                    called(Function.JSON_GET_PATH_TEXT.called(), List.of(first.getFirst(), array));
            default ->
                    throw tokens.error(
                            Kind.NOT_SUPPORTED,
                            array.position(),
                            "VARIADIC of \""
                                    + name.text()
                                    + "\" needs ARRAY[...] with elements; write the arguments"
                                    + " singly");
        };
    }

    /// The elements of `ARRAY[...]`, with or without a cast; empty for another array.
    private static List<Expression> elements(Expression array) {
        if (array instanceof Expression.ArrayOf written) {
            return written.elements();
        }
        if (!(array instanceof Expression.Cast cast)
                || cast.type().element() == null
                || !(cast.operand() instanceof Expression.ArrayOf written)) {
            return List.of();
        }
        List<Expression> elements = new ArrayList<>();
        for (Expression element : written.elements()) {
            elements.add(new Expression.Cast(element.position(), element, cast.type().element()));
        }
        return elements;
    }

    private Expression.Call called(String function, List<Expression> arguments) {
        return new Expression.Call(name.position(), function, List.copyOf(arguments));
    }
}
