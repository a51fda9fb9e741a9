package dev.oriel.sql.bind;

import dev.oriel.sql.JavaFunction;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Conditional;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.NumberFunctions;
import dev.oriel.sql.plan.RandomFunctions;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SequenceFunctions;
import dev.oriel.sql.plan.Settings;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.plan.TextFunctions;
import dev.oriel.sql.plan.TextLibrary;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.FunctionDescription;
import dev.oriel.sql.syntax.FunctionDescriptions;
import dev.oriel.sql.syntax.NamedArguments;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Regex;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Type;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Resolves calls of functions and types them.
final class FunctionBinder {
    private final ScalarBinder scalars;

    FunctionBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    /// Binds a call of a function, with `expected` as the preferred type of the result.
    Scalar call(Expression.Call call, Type expected) {
        Place place = scalars.source().at(call.position());
        JavaFunction java = scalars.around().binding().computed().function(call.name());
        Function known = java == null ? Function.of(call.name()) : null;
        boolean added = java == null && known == null;
        SqlFunction defined = added ? new FunctionLookup(scalars.around()).find(call) : null;
        if (defined != null) {
            return new FunctionInlining(scalars, defined, place).value(call);
        }
        boolean other = known != null && !known.takes(call.arguments().size());
        Expression synonym =
                added
                        ? Synonyms.of(call)
                        : other ? H2Functions.ofArity(call, Objects.requireNonNull(known)) : null;
        if (synonym != null) {
            return scalars.bind(synonym, expected);
        }
        return java == null
                ? bound(named(call, place), call, expected, place)
                : JavaCalls.bound(scalars, java, call, place);
    }

    /// Looks up the function, and checks the form of the call.
    private static Function named(Expression.Call call, Place place) {
        Function function = Function.of(call.name());
        for (Expression argument : call.arguments()) {
            if (function != null && NamedArguments.name(argument) != null) {
                throw place.error(
                        Kind.UNKNOWN_FUNCTION,
                        "The arguments of \""
                                + call.name()
                                + "\" have no names; write them in order");
            }
        }
        if (function == null) {
            refuseArguments(call, place);
        }
        if (function == null) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    "There is no function \""
                            + call.name().replace('\0', '.')
                            + "\""
                            + Nearest.functionHint(call.name(), Function.allNames()));
        }
        if (call.distinct() || call.star() || call.extras() != null) {
            throw place.error(
                    Kind.WRONG_OBJECT,
                    function
                            + " is not an aggregate: it takes neither DISTINCT, \"*\", FILTER nor"
                            + " ORDER BY");
        }
        if (!function.takes(call.arguments().size())) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    function + " takes " + function.arity() + ", not " + call.arguments().size());
        }
        return function;
    }

    /// Refuses `call` if its name is known: the form of its arguments, or its place, is wrong.
    private static void refuseArguments(Expression.Call call, Place place) {
        FunctionDescription known = FunctionDescriptions.of(call.name());
        if (known == null) {
            return;
        }
        int count = call.arguments().size();
        throw known.kind() == FunctionDescription.Kind.ROWS
                ? place.error(
                        Kind.UNKNOWN_FUNCTION,
                        "Function \"" + call.name() + "\" returns rows; call it in FROM")
                : place.error(
                        Kind.UNKNOWN_FUNCTION,
                        "No function \""
                                + call.name()
                                + "\" takes "
                                + count
                                + (count == 1 ? " argument" : " arguments")
                                + "; there is "
                                + FunctionDescriptions.signatures(call.name()));
    }

    private Scalar bound(Function function, Expression.Call call, Type expected, Place place) {
        return switch (function.family()) {
            case JSON -> new JsonBinder(scalars).bound(function, call, place);
            case ARRAY -> new ArrayBinder(scalars).bound(function, call, place);
            case COMPOSITE -> new CompositeBinder(scalars).bound(function, call, place);
            case DEFINITION -> new PgFunctions(scalars).bound(function, call);
            case ENUMERATION -> new EnumBinder(scalars).bound(function, call, place);
            default -> one(function, call, expected, place);
        };
    }

    private Scalar one(Function function, Expression.Call call, Type expected, Place place) {
        return switch (function) {
            case LOWER -> text(call, function, TextFunctions::lower);
            case UPPER -> text(call, function, TextFunctions::upper);
            case FOLD_CASE -> text(call, function, TextFunctions::folded);
            case TRIM -> textOrBytes(call, function, TextFunctions::trim, place);
            case LTRIM -> textOrBytes(call, function, TextFunctions::trimLeft, place);
            case RTRIM -> textOrBytes(call, function, TextFunctions::trimRight, place);
            case REPLACE -> text(call, function, TextFunctions::replace);
            case LENGTH -> length(call, function, TextFunctions::length);
            case OCTET_LENGTH -> length(call, function, TextFunctions::utf8Length);
            case SUBSTRING -> substring(call, place);
            case LEFT -> part(call, function, TextFunctions::left);
            case RIGHT -> part(call, function, TextFunctions::right);
            case CONCAT -> concat(call);
            case ABS -> abs(numberArgument(function, call, expected), place);
            case SIGN -> sign(numberArgument(function, call, expected));
            case ROUND, FLOOR, CEIL -> rounded(function, call, expected);
            case MOD ->
                    scalars.bind(
                            new Expression.Binary(
                                    call.position(),
                                    Operator.MODULO,
                                    call.arguments().get(0),
                                    call.arguments().get(1)),
                            expected);
            case COALESCE -> coalesce(call, expected);
            case NULLIF -> nullIf(call);
            case CURRENT_TIMESTAMP -> new Scalar.Now();
            case CURRENT_DATE -> now(Type.Name.DATE, place);
            case CURRENT_TIME -> now(Type.Name.TIME_TZ, place);
            case LOCALTIMESTAMP -> now(Type.Name.TIMESTAMP, place);
            case RANDOM, GEN_RANDOM_UUID, CLOCK_TIMESTAMP -> RandomFunctions.call(function);
            case NEXTVAL, CURRVAL, SETVAL, LASTVAL ->
                    SequenceFunctions.call(
                            function,
                            ofSequence(function, call),
                            scalars.around().binding().isStored(),
                            place);
            case CURRENT_DATABASE -> Scalar.Constant.of(Typing.TEXT, "oriel");
            case VERSION -> Scalar.Constant.of(Typing.TEXT, PgFunctions.VERSION);
            case CURRENT_OF -> CursorRowBinder.bound(scalars, call, place);
            case CURRENT_SETTING, SET_CONFIG, CURRENT_SCHEMA -> setting(function, call, place);
            case INTERVAL_ARITHMETIC, DOMAIN_VALUE, OTHER_CAST -> throw unnamed(call, place);
            case MOVED, JAVA -> throw new IllegalStateException(function + " is called by no name");
            default -> new LibraryBinder(scalars).bound(function, call, expected, place);
        };
    }

    private Scalar rounded(Function function, Expression.Call call, Type expected) {
        if (call.arguments().size() == 2) {
            return roundTo(call, expected);
        }
        Scalar number = numberArgument(function, call, expected);
        return switch (function) {
            case FLOOR -> whole(function, number, NumberFunctions::floor, RoundingMode.FLOOR);
            case CEIL -> whole(function, number, NumberFunctions::ceil, RoundingMode.CEILING);
            default -> whole(function, number, NumberFunctions::round, RoundingMode.HALF_UP);
        };
    }

    static SqlException unnamed(Expression.Call call, Place place) {
        return place.error(
                Kind.SYNTAX,
                "\"" + call.name() + "\" cannot be called by its name in double quotes");
    }

    private static Scalar now(Type.Name name, Place place) {
        return new Conversion(new Scalar.Now(), Type.of(name), true, place);
    }

    private Scalar text(Expression.Call call, Function function, FunctionCall.TextBody body) {
        List<Scalar> arguments = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            arguments.add(scalars.text(argument, function.name()));
        }
        return made(new FunctionCall.OfText(function, List.copyOf(arguments), Typing.TEXT, body));
    }

    private Scalar substring(Expression.Call call, Place place) {
        BytesBinder binder = new BytesBinder(scalars);
        Scalar first = binder.first(call);
        Scalar bytes = binder.ofBytes(Function.SUBSTRING, first, call, place);
        if (bytes != null) {
            return bytes;
        }
        Scalar text = binder.text(first, call.arguments().getFirst(), "SUBSTRING");
        Expression from = call.arguments().get(1);
        boolean literal =
                from instanceof Expression.Literal constant
                        && constant.kind() == Expression.Literal.Kind.STRING;
        Scalar start = scalars.bind(from, literal ? Typing.TEXT : Typing.INTEGER);
        if (call.arguments().size() == 2 && Typing.isText(start.type())) {
            return StrictCall.of(
                    Function.SUBSTRING, List.of(text, start), Typing.TEXT, Regex::part, place);
        }
        if (Typing.isText(start.type())) {
            StrictCall.Body body = TextLibrary.body(Function.SIMILAR_TO_ESCAPE);
            Scalar escape = scalars.text(call.arguments().get(2), "SUBSTRING");
            Scalar pattern =
                    StrictCall.of(
                            Function.SIMILAR_TO_ESCAPE,
                            List.of(start, escape),
                            Typing.TEXT,
                            body,
                            place);
            return StrictCall.of(
                    Function.SUBSTRING, List.of(text, pattern), Typing.TEXT, Regex::part, place);
        }
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(text);
        arguments.add(integer(start, from, Function.SUBSTRING));
        if (call.arguments().size() > 2) {
            arguments.add(integer(call.arguments().get(2), Function.SUBSTRING));
        }
        return made(
                new FunctionCall.OfText(
                        Function.SUBSTRING,
                        List.copyOf(arguments),
                        Typing.TEXT,
                        (a, frame) -> TextFunctions.substring(a, frame, place)));
    }

    private Scalar textOrBytes(
            Expression.Call call, Function function, FunctionCall.TextBody body, Place place) {
        BytesBinder binder = new BytesBinder(scalars);
        Scalar first = binder.first(call);
        Scalar bytes = binder.ofBytes(function, first, call, place);
        if (bytes != null) {
            return bytes;
        }
        List<Expression> given = call.arguments();
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(binder.text(first, given.getFirst(), function.name()));
        for (Expression argument : given.subList(1, given.size())) {
            arguments.add(scalars.text(argument, function.name()));
        }
        return made(new FunctionCall.OfText(function, List.copyOf(arguments), Typing.TEXT, body));
    }

    /// Length of text by `body`, of bytes in bytes.
    private Scalar length(Expression.Call call, Function function, FunctionCall.LongBody body) {
        Expression argument = call.arguments().getFirst();
        Scalar bound = scalars.bind(argument, OpenType.STRING);
        if (Typing.isBits(bound.type())) {
            return BitBinder.length(function, bound, scalars.source().at(call.position()));
        }
        boolean bytes = Typing.family(bound.type()) == Typing.Family.BYTES;
        if (!bytes) {
            bound = scalars.text(argument, function.name());
        }
        return made(
                new FunctionCall.OfLong(
                        function,
                        List.of(bound),
                        Typing.INTEGER,
                        bytes ? TextFunctions::bytesLength : body));
    }

    private Scalar part(Expression.Call call, Function function, FunctionCall.TextBody body) {
        return part(
                scalars.text(call.arguments().getFirst(), function.name()), call, function, body);
    }

    private Scalar part(
            Scalar text, Expression.Call call, Function function, FunctionCall.TextBody body) {
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(text);
        for (int i = 1; i < call.arguments().size(); i++) {
            arguments.add(integer(call.arguments().get(i), function));
        }
        return made(new FunctionCall.OfText(function, List.copyOf(arguments), Typing.TEXT, body));
    }

    private Scalar integer(Expression argument, Function function) {
        return integer(scalars.bind(argument, Typing.INTEGER), argument, function);
    }

    private Scalar integer(Scalar bound, Expression argument, Function function) {
        if (!Typing.isInteger(bound.type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            argument.position(),
                            function + " needs an integer, not " + bound.type());
        }
        return bound;
    }

    private Scalar concat(Expression.Call call) {
        List<Scalar> arguments = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            arguments.add(scalars.printed(scalars.bind(argument), argument.position()));
        }
        return made(
                new FunctionCall.OfText(
                        Function.CONCAT,
                        List.copyOf(arguments),
                        Typing.TEXT,
                        TextFunctions::concat));
    }

    private Scalar numberArgument(Function function, Expression.Call call, Type expected) {
        Expression argument = call.arguments().getFirst();
        Type wanted = Typing.isNumber(expected) ? Typing.plain(expected) : OpenType.NUMBER;
        Scalar bound = scalars.bind(argument, wanted);
        if (!Typing.isNumber(bound.type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            argument.position(),
                            function + " needs a number, not " + bound.type());
        }
        return bound;
    }

    private static Scalar abs(Scalar argument, Place place) {
        Type type = Typing.plain(argument.type());
        List<Scalar> arguments = List.of(argument);
        return made(
                switch (type.shape()) {
                    case LONG ->
                            new FunctionCall.OfLong(
                                    Function.ABS,
                                    arguments,
                                    type,
                                    (a, frame) -> NumberFunctions.abs(a, frame, type, place));
                    case DOUBLE ->
                            new FunctionCall.OfDouble(
                                    Function.ABS, arguments, type, NumberFunctions::absDouble);
                    case DECIMAL ->
                            new FunctionCall.OfDecimal(
                                    Function.ABS, arguments, type, NumberFunctions::absDecimal);
                    case TEXT, FOLDED, BYTES -> throw noNumber(type);
                });
    }

    private static Scalar sign(Scalar argument) {
        Type type = Typing.plain(argument.type());
        List<Scalar> arguments = List.of(argument);
        return made(
                switch (type.shape()) {
                    case LONG ->
                            new FunctionCall.OfLong(
                                    Function.SIGN, arguments, type, NumberFunctions::sign);
                    case DOUBLE ->
                            new FunctionCall.OfDouble(
                                    Function.SIGN, arguments, type, NumberFunctions::signDouble);
                    case DECIMAL ->
                            new FunctionCall.OfDecimal(
                                    Function.SIGN, arguments, type, NumberFunctions::signDecimal);
                    case TEXT, FOLDED, BYTES -> throw noNumber(type);
                });
    }

    /// ROUND, FLOOR and CEIL; an integer is returned unchanged.
    private static Scalar whole(
            Function function, Scalar argument, FunctionCall.DoubleBody body, RoundingMode mode) {
        Type type = Typing.plain(argument.type());
        List<Scalar> arguments = List.of(argument);
        return switch (type.shape()) {
            case LONG -> argument;
            case DOUBLE -> made(new FunctionCall.OfDouble(function, arguments, type, body));
            case DECIMAL ->
                    made(
                            new FunctionCall.OfDecimal(
                                    function,
                                    arguments,
                                    type,
                                    (a, frame) -> NumberFunctions.whole(a, frame, mode)));
            case TEXT, FOLDED, BYTES -> throw noNumber(type);
        };
    }

    /// With a number of digits the result is a decimal, whatever the argument's type.
    private Scalar roundTo(Expression.Call call, Type expected) {
        Scalar decimal =
                scalars.converted(
                        numberArgument(Function.ROUND, call, expected),
                        Typing.DECIMAL,
                        call.arguments().getFirst().position());
        Scalar digits = integer(call.arguments().get(1), Function.ROUND);
        return made(
                new FunctionCall.OfDecimal(
                        Function.ROUND,
                        List.of(decimal, digits),
                        Typing.DECIMAL,
                        NumberFunctions::roundTo));
    }

    private static IllegalStateException noNumber(Type type) {
        return new IllegalStateException(type + " is no number");
    }

    private Scalar nullIf(Expression.Call call) {
        Scalar[] pair =
                scalars.pair(
                        call.arguments().get(0),
                        call.arguments().get(1),
                        call.position(),
                        Operator.EQUAL);
        return new Conditional.NullIf(pair[0], pair[1]);
    }

    private Scalar coalesce(Expression.Call call, Type expected) {
        List<Scalar> arguments =
                scalars.unified(call.arguments(), "COALESCE", call.position(), expected);
        return new Conditional.Coalesce(arguments, ScalarBinder.common(arguments));
    }

    private static Scalar made(FunctionCall call) {
        return Folding.foldAll(call, call.arguments());
    }

    private Scalar setting(Function function, Expression.Call call, Place place) {
        if (function == Function.CURRENT_SCHEMA) {
            List<String> current = scalars.around().binding().catalog().current();
            return current.isEmpty()
                    ? Scalar.Constant.ofNull(Typing.TEXT)
                    : Scalar.Constant.of(Typing.TEXT, calledSchema(current.getFirst()));
        }
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(scalars.text(call.arguments().getFirst(), function.name()));
        if (function == Function.SET_CONFIG) {
            arguments.add(scalars.text(call.arguments().get(1), function.name()));
        }
        if (call.arguments().size() > arguments.size()) {
            Expression flag = call.arguments().getLast();
            arguments.add(scalars.condition(flag, function.name()));
        }
        return Settings.call(function, arguments, place);
    }

    /// Name of `schema` in PostgreSQL.
    private static String calledSchema(String schema) {
        return SearchPath.shown(schema);
    }

    /// The name of a sequence. In the body of a function it is looked up in the path of the definition.
    private Scalar sequence(Scalar name) {
        BindContext.Binding binding = scalars.around().binding();
        return binding.inlined() != null
                        && name instanceof Scalar.Constant constant
                        && constant.reference() instanceof String text
                ? Scalar.Constant.of(
                        name.type(), SequenceFunctions.spelled(binding.catalog(), text))
                : name;
    }

    private List<Scalar> ofSequence(Function function, Expression.Call call) {
        List<Scalar> arguments = new ArrayList<>();
        if (!call.arguments().isEmpty()) {
            arguments.add(sequence(scalars.text(call.arguments().getFirst(), function.name())));
        }
        if (function == Function.SETVAL) {
            arguments.add(
                    scalars.assign(call.arguments().get(1), Typing.BIGINT, "The value of SETVAL"));
            if (call.arguments().size() > 2) {
                arguments.add(scalars.condition(call.arguments().get(2), "SETVAL"));
            }
        }
        return arguments;
    }
}
