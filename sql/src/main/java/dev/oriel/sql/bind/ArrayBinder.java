package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.ArrayFunctions;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.plan.TextLibrary;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Regex;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds arrays: constructors, element access, tests and functions.
final class ArrayBinder {
    private final ScalarBinder scalars;

    ArrayBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    /// `ARRAY[a, b]`.
    Scalar literal(Expression.ArrayOf array, Type expected) {
        Type wanted = expected.element() == null ? OpenType.TEXT : Typing.plain(expected.element());
        if (array.elements().isEmpty() && expected.element() == null) {
            throw scalars.source()
                    .error(
                            Kind.TYPE_MISMATCH,
                            array.position(),
                            "The type of an empty array is not known: say ARRAY[]::INTEGER[]");
        }
        List<Scalar> elements =
                array.elements().isEmpty()
                        ? List.of()
                        : scalars.unified(array.elements(), "ARRAY", array.position(), wanted);
        Type element = elements.isEmpty() ? OpenType.closed(wanted) : ScalarBinder.common(elements);
        if (element.element() != null) {
            throw nested(array.position());
        }
        return JsonBinder.made(
                Function.ARRAY,
                elements,
                Type.array(element),
                (given, frame) -> ArrayFunctions.made(given, element, frame));
    }

    private SqlException nested(int position) {
        return scalars.source()
                .error(Kind.NOT_SUPPORTED, position, "Arrays cannot be nested; use JSON");
    }

    /// Binds `operand = ANY (array)` and its variants.
    Scalar test(Expression.ArrayTest test) {
        if (test.operand() instanceof Expression.RowValue row
                && test.array() instanceof Expression.ArrayOf array
                && !array.elements().isEmpty()) {
            return rows(row, array, test);
        }
        Scalar operand;
        Scalar array;
        if (ScalarBinder.untyped(test.operand())) {
            array = array(scalars.bind(test.array(), OpenType.ARRAY), test.array(), "ANY");
            operand = scalars.bind(test.operand(), OpenType.beside(Typing.element(array.type())));
        } else {
            operand = scalars.bind(test.operand());
            array =
                    array(
                            scalars.bind(test.array(), Type.array(OpenType.beside(operand.type()))),
                            test.array(),
                            "ANY");
        }
        Type common = Typing.common(operand.type(), Typing.element(array.type()));
        if (common == null) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            test.position(),
                            "\""
                                    + test.operator().symbol()
                                    + "\" cannot compare "
                                    + operand.type()
                                    + " with elements of "
                                    + array.type());
        }
        Type element = Typing.plain(common);
        Scalar value = scalars.converted(operand, element, test.operand().position());
        Scalar all = scalars.converted(array, Type.array(element), test.array().position());
        Operator operator = test.operator();
        return JsonBinder.made(
                test.all() ? Function.ALL_OF_ARRAY : Function.ANY_OF_ARRAY,
                List.of(value, all, Scalar.Constant.of(Typing.TEXT, operator.symbol())),
                Typing.BOOLEAN,
                (given, frame) -> {
                    Tuple compared = new Tuple(1);
                    given.get(0).store(compared, 0, frame);
                    byte[] elements = given.get(1).evalBytes(frame);
                    int truth =
                            ArrayFunctions.test(operator, test.all(), compared, elements, element);
                    return truth < 0 ? null : (Object) (long) truth;
                });
    }

    /// `(a, b) = ANY (ARRAY[(1, 2), (3, 4)])` and similar.
    private Scalar rows(
            Expression.RowValue row, Expression.ArrayOf array, Expression.ArrayTest test) {
        List<Expression> terms = new ArrayList<>();
        for (Expression element : array.elements()) {
            terms.add(new Expression.Binary(test.position(), test.operator(), row, element));
        }
        return scalars.bind(
                terms.size() == 1
                        ? terms.getFirst()
                        : new Expression.Logical(test.position(), test.all(), List.copyOf(terms)),
                Typing.BOOLEAN);
    }

    /// Checks that `bound` is an array.
    private Scalar array(Scalar bound, Expression expression, String where) {
        if (bound.type().element() == null) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            expression.position(),
                            where + " needs an array, not " + bound.type());
        }
        return bound;
    }

    private Scalar array(Expression.Call call, int argument) {
        Expression expression = call.arguments().get(argument);
        return array(scalars.bind(expression, OpenType.ARRAY), expression, call.name());
    }

    /// An array and an argument beside it, each bound once: calls are nested.
    private record Beside(Scalar array, Scalar other) {}

    /// The array argument at `at` and the argument at `other`. A text without a type takes that of the other one.
    ///
    /// @param whole whether the other one is an array, too
    private Beside beside(Expression.Call call, int at, int other, boolean whole) {
        Expression array = call.arguments().get(at);
        Expression value = call.arguments().get(other);
        if (!ScalarBinder.untyped(array) || ScalarBinder.untyped(value)) {
            Scalar first = array(call, at);
            Type wanted = whole ? first.type() : Typing.element(first.type());
            return new Beside(first, scalars.bind(value, wanted));
        }
        Scalar known = scalars.bind(value);
        Type wanted = whole ? known.type() : Type.array(Typing.plain(known.type()));
        return new Beside(array(scalars.bind(array, wanted), array, call.name()), known);
    }

    Scalar bound(Function function, Expression.Call call, Place place) {
        return switch (function) {
            case ARRAY_OR_EMPTY -> {
                Scalar array = array(call, 0);
                yield JsonBinder.made(
                        function,
                        List.of(array),
                        array.type(),
                        (given, frame) -> {
                            byte[] found = given.getFirst().evalBytes(frame);
                            return found == null ? new byte[0] : found;
                        });
            }
            case ARRAY_ELEMENT -> element(call);
            case ARRAY_SLICE -> slice(call);
            case ASSIGNED -> new SubscriptBinder(scalars).assigned(call, place);
            case ASSIGNED_SLICE -> new SubscriptBinder(scalars).assignedSlice(call, place);
            case REGEXP_MATCH, REGEXP_SPLIT_TO_ARRAY -> matched(function, call, place);
            case ARRAY_LENGTH, ARRAY_UPPER, ARRAY_LOWER -> length(function, call);
            case CARDINALITY -> {
                Scalar array = array(call, 0);
                Type type = Typing.element(array.type());
                yield StrictCall.of(
                        function,
                        List.of(array),
                        Typing.INTEGER,
                        (values, at) -> (long) ArrayValue.count(type, (byte[]) values[0]),
                        place);
            }
            case ARRAY_APPEND, ARRAY_PREPEND, ARRAY_CAT -> {
                List<Scalar> parts = new ArrayList<>();
                boolean prepend = function == Function.ARRAY_PREPEND;
                boolean whole = function == Function.ARRAY_CAT;
                Beside both = beside(call, prepend ? 1 : 0, prepend ? 0 : 1, whole);
                parts.add(prepend ? both.other() : both.array());
                parts.add(prepend ? both.array() : both.other());
                yield concatenation(parts, call.position());
            }
            case ARRAY_POSITION, ARRAY_REMOVE -> {
                if (call.arguments().size() == 3) {
                    yield new ArrayEditBinder(scalars).bound(function, call, place);
                }
                yield sought(function, call);
            }
            case ARRAY_POSITIONS,
                    ARRAY_REPLACE,
                    ARRAY_FILL,
                    ARRAY_NDIMS,
                    ARRAY_DIMS,
                    TRIM_ARRAY,
                    ARRAY_OVERLAP,
                    PARSE_IDENT ->
                    new ArrayEditBinder(scalars).bound(function, call, place);
            case REGEXP_MATCHES -> matched(function, call, place);
            case ARRAY_TO_STRING -> toText(call);
            case STRING_TO_ARRAY -> split(call, place);
            default -> throw FunctionBinder.unnamed(call, place);
        };
    }

    /// `array[index]`, NULL if there is no such element.
    private Scalar element(Expression.Call call) {
        Expression first = call.arguments().getFirst();
        Scalar array = scalars.bind(first, OpenType.ARRAY);
        if (array.type().name() == Type.Name.JSON) {
            return new SubscriptBinder(scalars).ofJson(first, call.arguments().get(1));
        }
        if (array.type().element() == null) {
            throw scalars.source()
                    .error(
                            Kind.TYPE_MISMATCH,
                            call.position(),
                            "A subscript needs an array or JSON, not " + array.type());
        }
        Type element = Typing.element(array.type());
        long lower = PgRows.first(array.type());
        Scalar index = integer(call.arguments().get(1));
        return JsonBinder.made(
                Function.ARRAY_ELEMENT,
                List.of(array, index),
                element,
                (given, frame) -> {
                    byte[] value = given.get(0).evalBytes(frame);
                    long wanted = given.get(1).evalLong(frame);
                    if (value == null || frame.isNull || wanted < lower) {
                        return null;
                    }
                    wanted += 1 - lower;
                    Tuple elements = ArrayValue.elements(element, value);
                    return wanted > elements.columns()
                            ? null
                            : object(elements, (int) wanted - 1, element);
                });
    }

    /// `array[first:last]`: the elements from `first` to `last`, both included.
    private Scalar slice(Expression.Call call) {
        Expression whole = call.arguments().getFirst();
        Scalar array = array(scalars.bind(whole, OpenType.ARRAY), whole, "[:]");
        Type element = Typing.element(array.type());
        return JsonBinder.made(
                Function.ARRAY_SLICE,
                List.of(array, integer(call.arguments().get(1)), integer(call.arguments().get(2))),
                array.type(),
                (given, frame) -> {
                    byte[] value = given.get(0).evalBytes(frame);
                    long first = given.get(1).evalLong(frame);
                    boolean none = value == null || frame.isNull;
                    long last = given.get(2).evalLong(frame);
                    return value == null || none || frame.isNull
                            ? null
                            : ArrayFunctions.slice(value, first, last, element);
                });
    }

    /// The groups of the first match or of all matches, or the parts between matches.
    private Scalar matched(Function function, Expression.Call call, Place place) {
        List<Scalar> arguments = new ArrayList<>();
        for (Expression text : call.arguments()) {
            arguments.add(scalars.text(text, function.name()));
        }
        StrictCall.Body body =
                switch (function) {
                    case REGEXP_MATCH -> Regex::firstGroups;
                    case REGEXP_MATCHES -> Regex::allGroups;
                    default -> Regex::parts;
                };
        Type element = function == Function.REGEXP_MATCHES ? Typing.BYTES : Typing.TEXT;
        return StrictCall.of(function, List.copyOf(arguments), Type.array(element), body, place);
    }

    /// The value at `at` of `row`; null if it is NULL.
    private static @Nullable Object object(Tuple row, int at, Type type) {
        if (row.isNull(at)) {
            return null;
        }
        return switch (type.shape()) {
            case LONG -> row.longAt(at);
            case DOUBLE -> row.doubleAt(at);
            case DECIMAL -> row.decimalAt(at);
            case TEXT, FOLDED -> row.textAt(at);
            case BYTES -> row.bytesAt(at);
        };
    }

    private Scalar integer(Expression expression) {
        Scalar bound = scalars.bind(expression, Typing.INTEGER);
        if (!Typing.isInteger(bound.type())) {
            throw scalars.source()
                    .error(
                            Kind.TYPE_MISMATCH,
                            expression.position(),
                            "An array subscript or dimension must be an integer, not "
                                    + bound.type());
        }
        return bound;
    }

    /// As in PostgreSQL an empty array has no dimension, and so no length.
    private Scalar length(Function function, Expression.Call call) {
        Scalar array = array(call, 0);
        Type element = Typing.element(array.type());
        long lower = PgRows.first(array.type());
        Scalar dimension = integer(call.arguments().get(1));
        return JsonBinder.made(
                function,
                List.of(array, dimension),
                Typing.INTEGER,
                (given, frame) -> {
                    byte[] value = given.get(0).evalBytes(frame);
                    boolean first = given.get(1).evalLong(frame) == 1 && !frame.isNull;
                    if (value == null || !first || value.length == 0) {
                        return null;
                    }
                    long count = ArrayValue.count(element, value);
                    return switch (function) {
                        case ARRAY_LOWER -> (Object) lower;
                        case ARRAY_UPPER -> (Object) (lower + count - 1);
                        default -> (Object) count;
                    };
                });
    }

    /// `||` of arrays, and of arrays and elements.
    Scalar concatenation(List<Scalar> parts, int position) {
        Type element = null;
        for (Scalar part : parts) {
            Type own = part.type().element() == null ? part.type() : part.type().element();
            Type both = element == null ? own : Typing.either(element, own);
            if (both == null) {
                throw scalars.source()
                        .error(
                                Kind.TYPE_MISMATCH,
                                position,
                                "An array cannot hold " + element + " and " + own);
            }
            element = Typing.plain(both);
        }
        if (element == null) {
            throw new IllegalStateException("nothing is concatenated");
        }
        Type of = element;
        List<Scalar> converted = new ArrayList<>();
        for (Scalar part : parts) {
            boolean array = part.type().element() != null;
            converted.add(scalars.converted(part, array ? Type.array(of) : of, position));
        }
        return JsonBinder.made(
                Function.ARRAY_CAT,
                List.copyOf(converted),
                Type.array(of),
                (given, frame) -> {
                    byte[] whole = new byte[0];
                    boolean any = false;
                    for (Scalar part : given) {
                        byte[] next =
                                part.type().element() == null
                                        ? ArrayFunctions.made(List.of(part), of, frame)
                                        : part.evalBytes(frame);
                        if (next != null) {
                            whole = ArrayFunctions.joined(whole, next);
                            any = true;
                        }
                    }
                    return any ? whole : null;
                });
    }

    private Scalar sought(Function function, Expression.Call call) {
        Beside arguments = beside(call, 0, 1, false);
        Scalar array = arguments.array();
        Scalar value = arguments.other();
        Expression second = call.arguments().get(1);
        Type element = Typing.element(array.type());
        Type both = Typing.common(value.type(), element);
        if (both == null) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            second.position(),
                            "The value is of type "
                                    + value.type()
                                    + ", but the array's elements are of type "
                                    + element);
        }
        // Uses the common type: the array's own may not have the value.
        Type common = Typing.plain(both);
        Type type = common.equals(Typing.plain(element)) ? array.type() : Type.array(common);
        boolean position = function == Function.ARRAY_POSITION;
        return JsonBinder.made(
                function,
                List.of(
                        scalars.converted(array, type, call.arguments().getFirst().position()),
                        scalars.converted(value, common, second.position())),
                position ? Typing.INTEGER : type,
                (given, frame) -> {
                    byte[] bytes = given.get(0).evalBytes(frame);
                    if (bytes == null) {
                        return null;
                    }
                    Tuple wanted = new Tuple(1);
                    given.get(1).store(wanted, 0, frame);
                    if (!position) {
                        return ArrayFunctions.without(bytes, wanted, common);
                    }
                    Tuple elements = ArrayValue.elements(common, bytes);
                    int at = ArrayFunctions.indexOf(elements, wanted, 0, 0, common);
                    return at < 0 ? null : (Object) (at + 1L);
                });
    }

    private Scalar toText(Expression.Call call) {
        List<Scalar> arguments = new ArrayList<>();
        Scalar array = array(call, 0);
        arguments.add(array);
        for (Expression text : call.arguments().subList(1, call.arguments().size())) {
            arguments.add(scalars.text(text, "ARRAY_TO_STRING"));
        }
        Type type = array.type();
        return JsonBinder.made(
                Function.ARRAY_TO_STRING,
                List.copyOf(arguments),
                Typing.TEXT,
                (given, frame) -> {
                    byte[] bytes = given.get(0).evalBytes(frame);
                    String separator = bytes == null ? null : given.get(1).evalText(frame);
                    if (bytes == null || separator == null) {
                        return null;
                    }
                    String nulls = given.size() > 2 ? given.get(2).evalText(frame) : null;
                    return ArrayFunctions.joined(bytes, type, separator, nulls, frame.zone());
                });
    }

    private Scalar split(Expression.Call call, Place place) {
        List<Scalar> arguments = new ArrayList<>();
        for (Expression text : call.arguments()) {
            arguments.add(scalars.text(text, "STRING_TO_ARRAY"));
        }
        return JsonBinder.made(
                Function.STRING_TO_ARRAY,
                List.copyOf(arguments),
                Type.array(Typing.TEXT),
                (given, frame) -> {
                    String text = given.get(0).evalText(frame);
                    if (text == null) {
                        return null;
                    }
                    String separator = given.get(1).evalText(frame);
                    String nulls = given.size() > 2 ? given.get(2).evalText(frame) : null;
                    return ArrayFunctions.split(text, separator, nulls, place);
                });
    }

    /// `@>` of two arrays.
    Scalar containment(Scalar whole, Scalar part, Place place) {
        Type common = Typing.common(whole.type(), part.type());
        Type element = common == null ? null : common.element();
        if (common == null || element == null) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    "\"@>\" cannot compare " + whole.type() + " with " + part.type());
        }
        return StrictCall.of(
                Function.ARRAY_CONTAINS,
                List.of(
                        scalars.converted(whole, common, place.position()),
                        scalars.converted(part, common, place.position())),
                Typing.BOOLEAN,
                (values, at) ->
                        TextLibrary.truth(
                                ArrayFunctions.contains(
                                        (byte[]) values[0], (byte[]) values[1], element)),
                place);
    }
}
