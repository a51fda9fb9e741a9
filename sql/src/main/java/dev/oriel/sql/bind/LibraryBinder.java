package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Conditional;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.DateLibrary;
import dev.oriel.sql.plan.DecimalLibrary;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.MathLibrary;
import dev.oriel.sql.plan.MomentLibrary;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SpanLibrary;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.plan.TextLibrary;
import dev.oriel.sql.plan.TimeZones;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.NumberPattern;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Binds strict functions whose arguments have one type each: the result is NULL if any argument is.
final class LibraryBinder {
    private static final Type DATE = Type.of(Type.Name.DATE);
    private static final Type TIMESTAMP = Type.of(Type.Name.TIMESTAMP);
    private static final Type MOMENT = Type.of(Type.Name.TIMESTAMP_TZ);

    /// Decimal digits that a value in binary has for certain.
    private static final int REAL_DIGITS = 6;

    private static final int DOUBLE_DIGITS = 15;

    private final ScalarBinder scalars;

    LibraryBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    /// Binds `call` of `function`.
    Scalar bound(Function function, Expression.Call call, Type expected, Place place) {
        Type result = function.result();
        if (result != null) {
            boolean real = result.shape() == Type.Shape.DOUBLE;
            StrictCall.Body body = real ? MathLibrary.body(function) : TextLibrary.body(function);
            return made(function, call, function.letters(), result, body, place);
        }
        return switch (function) {
            case POWER, SQRT, EXP, LN, LOG10, LOG -> power(function, call, place);
            case DIV,
                    TRUNC,
                    GCD,
                    LCM,
                    BITAND,
                    BITOR,
                    BITXOR,
                    LSHIFT,
                    RSHIFT,
                    BITNOT,
                    WIDTH_BUCKET,
                    SCALE,
                    MIN_SCALE,
                    TRIM_SCALE,
                    FACTORIAL ->
                    new NumberBinder(scalars).bound(function, call, expected, place);
            case GREATEST, LEAST -> extreme(function, call, expected);
            case IF, NVL2 -> choice(function, call, expected);
            case CONCAT_WS -> joined(call);
            case EXTRACT, DATE_TRUNC, DATEADD, DATEDIFF, MAKE_DATE, LAST_DAY ->
                    dates(function, call, place);
            case TO_CHAR, TO_DATE, TO_TIMESTAMP, ISVALIDDATETIME -> patterns(function, call, place);
            case TIMEZONE,
                    AGE,
                    OVERLAPS,
                    DATE_BIN,
                    MAKE_TIME,
                    MAKE_TIMESTAMP,
                    MAKE_TIMESTAMPTZ,
                    MAKE_INTERVAL,
                    JUSTIFY_DAYS,
                    JUSTIFY_HOURS,
                    JUSTIFY_INTERVAL,
                    ISFINITE,
                    FORMATDATETIME,
                    PARSEDATETIME,
                    ADD_MONTHS ->
                    new MomentBinder(scalars).bound(function, call, place);
            default -> written(function, call, place);
        };
    }

    private Scalar written(Function function, Expression.Call call, Place place) {
        return switch (function) {
            case SHIFT_LEFT,
                    SHIFT_RIGHT,
                    UNSIGNED_LEFT,
                    UNSIGNED_RIGHT,
                    ROTATELEFT,
                    ROTATERIGHT,
                    BITGET,
                    BITCOUNT ->
                    new ShiftBinder(scalars).bound(function, call, place);
            case QUOTE_IDENT,
                    QUOTE_LITERAL,
                    QUOTE_NULLABLE,
                    FORMAT,
                    PG_TYPEOF,
                    IS_OF,
                    ENCODE,
                    DECODE,
                    SHA224,
                    SHA256,
                    SHA384,
                    SHA512,
                    HASH,
                    CONVERT_TO,
                    CONVERT_FROM ->
                    new WritingBinder(scalars).bound(function, call, place);
            case TO_NUMBER ->
                    made(
                            function,
                            call,
                            "TT",
                            Typing.DECIMAL,
                            (values, at) ->
                                    NumberPattern.read((String) values[0], (String) values[1], at),
                            place);
            default -> ofText(function, call, place);
        };
    }

    private Scalar ofText(Function function, Expression.Call call, Place place) {
        return switch (function) {
            case REGEXP_COUNT, REGEXP_INSTR, REGEXP_SUBSTR, REGEXP_REPLACE ->
                    pattern(function, call, place);
            case NORMALIZE ->
                    made(
                            function,
                            withForm(call),
                            "TT",
                            Typing.TEXT,
                            TextLibrary.body(function),
                            place);
            case BIT_LENGTH,
                    GET_BIT,
                    SET_BIT,
                    GET_BYTE,
                    SET_BYTE,
                    BIT_COUNT,
                    FLOAT4SEND,
                    FLOAT8SEND ->
                    new BytesBinder(scalars).bound(function, call, place);
            case POSITION, STRPOS, OVERLAY, MD5 -> {
                BytesBinder binder = new BytesBinder(scalars);
                Scalar first = binder.first(call);
                Scalar bytes = binder.ofBytes(function, first, call, place);
                yield bytes != null
                        ? bytes
                        : made(
                                function,
                                call,
                                0,
                                first,
                                "TTII",
                                function == Function.OVERLAY || function == Function.MD5
                                        ? Typing.TEXT
                                        : Typing.INTEGER,
                                TextLibrary.body(function),
                                place);
            }
            case HEX -> hex(call, place);
            default -> throw new IllegalStateException(function + " has no binder");
        };
    }

    /// @param signature a letter for each argument: T text, I integer, D double
    private Scalar made(
            Function function,
            Expression.Call call,
            String signature,
            Type type,
            StrictCall.Body body,
            Place place) {
        return made(function, call, -1, null, signature, type, body, place);
    }

    /// The call of `body` on the arguments of `call`, one of which may be bound already.
    ///
    /// @param known the argument at `at`, if it is bound already
    private Scalar made(
            Function function,
            Expression.Call call,
            int at,
            @Nullable Scalar known,
            String signature,
            Type type,
            StrictCall.Body body,
            Place place) {
        List<Scalar> arguments = new ArrayList<>();
        for (int i = 0; i < call.arguments().size(); i++) {
            Expression argument = call.arguments().get(i);
            arguments.add(
                    switch (signature.charAt(i)) {
                        case 'T' ->
                                i == at && known != null
                                        ? new BytesBinder(scalars)
                                                .text(known, argument, function.name())
                                        : scalars.text(argument, function.name());
                        case 'I' -> integer(argument, function);
                        default -> real(argument, function);
                    });
        }
        return StrictCall.of(function, List.copyOf(arguments), type, body, place);
    }

    /// `call` of NORMALIZE with its form, which is written as a name, as a text.
    private static Expression.Call withForm(Expression.Call call) {
        if (call.arguments().size() < 2
                || !(call.arguments().get(1) instanceof Expression.Name form)) {
            return call;
        }
        Expression text =
                new Expression.Literal(
                        form.position(), Expression.Literal.Kind.STRING, form.name());
        return new Expression.Call(
                call.position(), call.name(), List.of(call.arguments().getFirst(), text));
    }

    /// A function of a regular expression, with texts and numbers as its signature says.
    private Scalar pattern(Function function, Expression.Call call, Place place) {
        String signature =
                switch (function) {
                    case REGEXP_COUNT -> "TTIT";
                    case REGEXP_INSTR -> "TTIIITI";
                    case REGEXP_SUBSTR -> "TTIITI";
                    default -> "TTTIIT";
                };
        Scalar fourth = null;
        if (function == Function.REGEXP_REPLACE && call.arguments().size() == 4) {
            fourth = scalars.bind(call.arguments().get(3), OpenType.TEXT);
        }
        boolean flags = fourth != null && Typing.isText(fourth.type());
        Type type =
                function == Function.REGEXP_SUBSTR || function == Function.REGEXP_REPLACE
                        ? Typing.TEXT
                        : Typing.INTEGER;
        return made(
                function,
                call,
                3,
                fourth,
                flags ? "TTTT" : signature,
                type,
                TextLibrary.body(function),
                place);
    }

    /// A function of decimals if an argument is decimal and none a double; else of doubles.
    private Scalar power(Function function, Expression.Call call, Place place) {
        List<@Nullable Scalar> typed = new ArrayList<>();
        boolean exact = false;
        for (Expression argument : call.arguments()) { // each is bound once: calls are nested
            Scalar bound =
                    ScalarBinder.untyped(argument)
                            ? null
                            : number(argument, function, OpenType.of(Typing.DOUBLE));
            typed.add(bound);
            exact |= bound != null && bound.type().shape() == Type.Shape.DECIMAL;
        }
        Type wanted = exact ? Typing.DECIMAL : Typing.DOUBLE; // a text beside a DECIMAL is one
        List<Scalar> given = new ArrayList<>();
        boolean decimal = false;
        boolean real = false;
        for (int i = 0; i < typed.size(); i++) {
            Scalar known = typed.get(i);
            Scalar bound =
                    known != null
                            ? known
                            : number(call.arguments().get(i), function, OpenType.of(wanted));
            given.add(bound);
            decimal |= bound.type().shape() == Type.Shape.DECIMAL;
            real |= bound.type().shape() == Type.Shape.DOUBLE;
        }
        Type type = decimal && !real ? Typing.DECIMAL : Typing.DOUBLE;
        for (int i = 0; i < given.size(); i++) {
            int position = call.arguments().get(i).position();
            given.set(i, scalars.converted(given.get(i), type, position));
        }
        StrictCall.Body body =
                decimal && !real ? DecimalLibrary.body(function) : MathLibrary.body(function);
        return StrictCall.of(function, List.copyOf(given), type, body, place);
    }

    private Scalar integer(Expression argument, Function function) {
        Scalar bound = scalars.bind(argument, Typing.INTEGER);
        if (!Typing.isInteger(bound.type())) {
            throw wrong(argument, function + " needs an integer here, not " + bound.type());
        }
        return bound;
    }

    private Scalar real(Expression argument, Function function) {
        return real(scalars.bind(argument, Typing.DOUBLE), argument, function);
    }

    private Scalar real(Scalar bound, Expression argument, Function function) {
        Scalar number = number(bound, argument, function);
        return scalars.converted(number, Typing.DOUBLE, argument.position());
    }

    private Scalar number(Expression argument, Function function, Type otherwise) {
        return number(scalars.bind(argument, otherwise), argument, function);
    }

    private Scalar number(Scalar bound, Expression argument, Function function) {
        if (!Typing.isNumber(bound.type())) {
            throw wrong(argument, function + " needs a number, not " + bound.type());
        }
        return bound;
    }

    private SqlException wrong(Expression argument, String message) {
        return scalars.source().error(Kind.UNKNOWN_FUNCTION, argument.position(), message);
    }

    /// The greatest or least of the arguments that are not NULL.
    private Scalar extreme(Function function, Expression.Call call, Type expected) {
        List<Scalar> arguments =
                scalars.unified(call.arguments(), function.name(), call.position(), expected);
        return new Conditional.Extreme(
                arguments, function == Function.GREATEST, ScalarBinder.common(arguments));
    }

    private Scalar choice(Function function, Expression.Call call, Type expected) {
        Expression first = call.arguments().get(0);
        Expression condition =
                function == Function.IF
                        ? first
                        : new Expression.IsNull(first.position(), first, true);
        return scalars.bind(
                new Expression.Case(
                        call.position(),
                        null,
                        List.of(new Expression.When(condition, call.arguments().get(1))),
                        call.arguments().get(2)),
                expected);
    }

    private Scalar joined(Expression.Call call) {
        List<Scalar> arguments = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            arguments.add(scalars.printed(scalars.bind(argument), argument.position()));
        }
        FunctionCall.TextBody body = TextLibrary::concatWithSeparator;
        return Folding.foldAll(
                new FunctionCall.OfText(
                        Function.CONCAT_WS, List.copyOf(arguments), Typing.TEXT, body),
                arguments);
    }

    private Scalar hex(Expression.Call call, Place place) {
        Expression argument = call.arguments().getFirst();
        Scalar bound = scalars.bind(argument);
        boolean fits =
                Typing.isInteger(bound.type())
                        || Typing.isText(bound.type())
                        || bound.type().shape() == Type.Shape.BYTES;
        if (!fits) {
            throw wrong(argument, "HEX needs an integer, text or bytes, not " + bound.type());
        }
        // Negative numbers are shown in the bits of their type, at least 32.
        boolean narrow = bound.type().name() != Type.Name.BIGINT;
        return StrictCall.of(
                Function.HEX,
                List.of(bound),
                Typing.TEXT,
                (values, at) ->
                        TextLibrary.hex(
                                narrow && values[0] instanceof Long number
                                        ? number & 0xffff_ffffL
                                        : values[0]),
                place);
    }

    private Scalar dates(Function function, Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        return switch (function) {
            case EXTRACT -> {
                Scalar part = extract(call, place);
                yield call.name().equalsIgnoreCase("DATE_PART")
                        ? scalars.converted(part, Typing.DOUBLE, call.position())
                        : part;
            }
            case DATE_TRUNC -> truncated(given, place);
            case DATEADD -> added(given, place);
            case DATEDIFF -> difference(given, place);
            case LAST_DAY -> {
                Scalar value = moment(given.get(0), function);
                Scalar day = scalars.converted(value, DATE, given.get(0).position());
                yield StrictCall.of(
                        function,
                        List.of(day),
                        DATE,
                        (values, at) -> DateLibrary.lastDay((Long) values[0], at),
                        place);
            }
            default -> made(function, call, "III", DATE, DateLibrary::made, place);
        };
    }

    /// DATE_TRUNC.
    private Scalar truncated(List<Expression> given, Place place) {
        // A later column of this name would change a stored definition.
        boolean column =
                given.get(0) instanceof Expression.Name name
                        && (name.qualifier() != null
                                || scalars.around().binding().isStored()
                                || scalars.meaning(name) != null);
        Scalar field = column ? scalars.text(given.get(0), "DATE_TRUNC") : field(given.get(0));
        Scalar value = scalars.bind(given.get(1), OpenType.of(TIMESTAMP));
        boolean time = Typing.family(value.type()) == Typing.Family.TIME;
        if (given.size() == 2 && (time || SpanLibrary.isSpan(value))) {
            return StrictCall.of(
                    Function.DATE_TRUNC,
                    List.of(field, value),
                    Typing.INTERVAL,
                    (values, at) -> MomentLibrary.truncated((String) values[0], values[1], at),
                    place);
        }
        value = moment(value, given.get(1), Function.DATE_TRUNC);
        Type type = value.type().name() == Type.Name.DATE ? TIMESTAMP : Typing.plain(value.type());
        Scalar from = scalars.converted(value, type, given.get(1).position());
        if (given.size() > 2) {
            return truncatedInZone(field, value, given, place);
        }
        if (type.name() == Type.Name.TIMESTAMP_TZ) {
            return StrictCall.inZone(
                    Function.DATE_TRUNC,
                    List.of(field, from),
                    Typing.plain(type),
                    (values, zone, at) ->
                            DateLibrary.truncated((String) values[0], (Long) values[1], zone, at),
                    place);
        }
        return StrictCall.of(
                Function.DATE_TRUNC,
                List.of(field, from),
                Typing.plain(type),
                (values, at) -> DateLibrary.truncated((String) values[0], (Long) values[1], at),
                place);
    }

    /// DATEADD.
    private Scalar added(List<Expression> given, Place place) {
        Scalar field = field(given.get(0));
        Scalar count = integer(given.get(1), Function.DATEADD);
        Scalar value = scalars.bind(given.get(2), OpenType.of(TIMESTAMP));
        boolean zoned = value.type().name() == Type.Name.TIME_TZ;
        if (zoned || isTime(value)) {
            return StrictCall.of(
                    Function.DATEADD,
                    List.of(field, count, value),
                    Typing.plain(value.type()),
                    zoned ? DateLibrary::addedToZonedTime : DateLibrary::addedToTime,
                    place);
        }
        value = moment(value, given.get(2), Function.DATEADD);
        Type type = value.type().name() == Type.Name.DATE ? TIMESTAMP : Typing.plain(value.type());
        Scalar from = scalars.converted(value, type, given.get(2).position());
        List<Scalar> arguments = List.of(field, count, from);
        return type.name() == Type.Name.TIMESTAMP_TZ
                ? StrictCall.inZone(
                        Function.DATEADD,
                        arguments,
                        Typing.plain(type),
                        (values, zone, at) -> DateLibrary.added(values, type, zone, at),
                        place)
                : StrictCall.of(
                        Function.DATEADD,
                        arguments,
                        Typing.plain(type),
                        (values, at) -> DateLibrary.added(values, type, null, at),
                        place);
    }

    /// DATEDIFF.
    private Scalar difference(List<Expression> given, Place place) {
        Scalar field = field(given.get(0));
        Scalar first = scalars.bind(given.get(1), OpenType.of(TIMESTAMP));
        Scalar second = scalars.bind(given.get(2), OpenType.of(TIMESTAMP));
        if (isTime(first) && isTime(second)) {
            return StrictCall.of(
                    Function.DATEDIFF,
                    List.of(field, first, second),
                    Typing.BIGINT,
                    DateLibrary::differenceOfTimes,
                    place);
        }
        Scalar from = timestamp(first, given.get(1), Function.DATEDIFF);
        Scalar to = timestamp(second, given.get(2), Function.DATEDIFF);
        if (isMoment(from) || isMoment(to)) {
            return StrictCall.of(
                    Function.DATEDIFF,
                    List.of(
                            field,
                            scalars.converted(from, MOMENT, place.position()),
                            scalars.converted(to, MOMENT, place.position()),
                            scalars.converted(from, TIMESTAMP, place.position()),
                            scalars.converted(to, TIMESTAMP, place.position())),
                    Typing.BIGINT,
                    DateLibrary::differenceInZone,
                    place);
        }
        return StrictCall.of(
                Function.DATEDIFF,
                List.of(field, from, to),
                Typing.BIGINT,
                DateLibrary::difference,
                place);
    }

    /// DATE_TRUNC in the local time of a zone.
    private Scalar truncatedInZone(
            Scalar field, Scalar value, List<Expression> given, Place place) {
        return StrictCall.of(
                Function.DATE_TRUNC,
                List.of(
                        field,
                        scalars.converted(value, MOMENT, given.get(1).position()),
                        scalars.text(given.get(2), "DATE_TRUNC")),
                MOMENT,
                (values, at) ->
                        DateLibrary.truncated(
                                (String) values[0],
                                (Long) values[1],
                                TimeZones.zone(values[2], at),
                                at),
                place);
    }

    private static boolean isTime(Scalar scalar) {
        return scalar.type().name() == Type.Name.TIME;
    }

    private static boolean isMoment(Scalar scalar) {
        return scalar.type().name() == Type.Name.TIMESTAMP_TZ;
    }

    /// Name of a date field, as a string or as a bare word.
    private Scalar field(Expression expression) {
        return expression instanceof Expression.Name name && name.qualifier() == null
                ? Scalar.Constant.of(Typing.TEXT, name.name())
                : scalars.text(expression, "The field of a date");
    }

    private Scalar extract(Expression.Call call, Place place) {
        Scalar field = scalars.text(call.arguments().get(0), "EXTRACT");
        Scalar value = scalars.bind(call.arguments().get(1), OpenType.of(TIMESTAMP));
        if (SpanLibrary.isSpan(value)) {
            return StrictCall.of(
                    Function.EXTRACT,
                    List.of(field, value),
                    Typing.DECIMAL,
                    (values, at) ->
                            Intervals.extracted(
                                    ((String) values[0]).toUpperCase(Locale.ROOT),
                                    (byte[]) values[1],
                                    at),
                    place);
        }
        value = moment(value, call.arguments().get(1), Function.EXTRACT);
        boolean epoch =
                field instanceof Scalar.Constant constant
                        && "EPOCH".equalsIgnoreCase((String) constant.reference());
        if (isMoment(value) && !epoch) {
            return StrictCall.of(
                    Function.EXTRACT,
                    List.of(field, value, scalars.converted(value, TIMESTAMP, place.position())),
                    Typing.DECIMAL,
                    (values, at) ->
                            DateLibrary.extracted(
                                    ((String) values[0]).toUpperCase(Locale.ROOT),
                                    (Long) values[1],
                                    (Long) values[2],
                                    at),
                    place);
        }
        Type.Name of = value.type().name();
        return StrictCall.of(
                Function.EXTRACT,
                List.of(field, value),
                Typing.DECIMAL,
                (values, at) -> {
                    String part = ((String) values[0]).toUpperCase(Locale.ROOT);
                    long from = (Long) values[1];
                    return of == Type.Name.TIME_TZ
                            ? DateLibrary.ofZonedTime(part, from, at)
                            : DateLibrary.extracted(part, from, of, at);
                },
                place);
    }

    private Scalar moment(Expression expression, Function function) {
        return moment(scalars.bind(expression, OpenType.of(TIMESTAMP)), expression, function);
    }

    private Scalar moment(Scalar bound, Expression expression, Function function) {
        Typing.Family family = Typing.family(bound.type());
        boolean time =
                (family == Typing.Family.TIME || family == Typing.Family.TIME_TZ)
                        && function == Function.EXTRACT;
        if (family != Typing.Family.DATE && !time) {
            throw wrong(expression, function + " needs a date, not " + bound.type());
        }
        return bound;
    }

    private Scalar timestamp(Scalar given, Expression expression, Function function) {
        Scalar bound = moment(given, expression, function);
        return bound.type().name() == Type.Name.DATE
                ? scalars.converted(bound, TIMESTAMP, expression.position())
                : bound;
    }

    /// TO_TIMESTAMP of one argument: a number of seconds or, as in DuckDB and DataFusion, a moment or its text.
    private Scalar toMoment(Function function, Expression argument, Place place) {
        if (argument instanceof Expression.Literal literal
                && literal.kind() == Expression.Literal.Kind.STRING
                && literal.text().indexOf('-', 1) > 0) {
            return scalars.bind(new Expression.Cast(argument.position(), argument, MOMENT), MOMENT);
        }
        Scalar bound = scalars.bind(argument, Typing.DOUBLE);
        if (bound.type().equals(MOMENT)) {
            return bound;
        }
        if (Typing.isText(bound.type()) || Typing.family(bound.type()) == Typing.Family.DATE) {
            Place at = scalars.source().at(argument.position());
            return Folding.fold(new Conversion(bound, MOMENT, true, at));
        }
        Scalar seconds = real(bound, argument, function);
        return StrictCall.of(
                function,
                List.of(seconds),
                MOMENT,
                (values, at) -> DateLibrary.ofSeconds((Double) values[0], at),
                place);
    }

    private Scalar patterns(Function function, Expression.Call call, Place place) {
        Expression first = call.arguments().get(0);
        if (call.arguments().size() == 1) {
            return toMoment(function, first, place);
        }
        Scalar pattern = scalars.text(call.arguments().get(1), function.name());
        if (function != Function.TO_CHAR) {
            Scalar text = scalars.text(first, function.name());
            Type type =
                    switch (function) {
                        case TO_DATE -> DATE;
                        case TO_TIMESTAMP ->
                                call.name().equalsIgnoreCase("CHARTODATE") ? TIMESTAMP : MOMENT;
                        default -> Typing.BOOLEAN;
                    };
            return type.equals(MOMENT)
                    ? StrictCall.inZone(
                            function,
                            List.of(text, pattern),
                            type,
                            (values, zone, at) -> DateLibrary.parsed(function, values, zone, at),
                            place)
                    : StrictCall.of(
                            function,
                            List.of(text, pattern),
                            type,
                            (values, at) -> DateLibrary.parsed(function, values, null, at),
                            place);
        }
        return written(function, first, pattern, place);
    }

    /// TO_CHAR of a number or a date.
    private Scalar written(Function function, Expression first, Scalar pattern, Place place) {
        Scalar value = scalars.bind(first, OpenType.of(TIMESTAMP));
        if (value.type().shape() == Type.Shape.DOUBLE) {
            int digits = value.type().name() == Type.Name.REAL ? REAL_DIGITS : DOUBLE_DIGITS;
            return StrictCall.of(
                    function,
                    List.of(value, pattern),
                    Typing.TEXT,
                    (values, at) ->
                            NumberPattern.written(
                                    (Double) values[0], (String) values[1], digits, at),
                    place);
        }
        if (Typing.isNumber(value.type())) {
            Scalar number = scalars.converted(value, Typing.DECIMAL, first.position());
            return StrictCall.of(
                    function,
                    List.of(number, pattern),
                    Typing.TEXT,
                    (values, at) ->
                            NumberPattern.written((BigDecimal) values[0], (String) values[1], at),
                    place);
        }
        Type.Name of = value.type().name();
        if (of == Type.Name.INTERVAL) {
            return StrictCall.of(
                    function,
                    List.of(value, pattern),
                    Typing.TEXT,
                    (values, at) ->
                            DateLibrary.written(
                                    Intervals.span((byte[]) values[0]), (String) values[1], at),
                    place);
        }
        if (Typing.family(value.type()) != Typing.Family.DATE && of != Type.Name.TIME) {
            throw wrong(first, "TO_CHAR needs a number or a date, not " + value.type());
        }
        if (of == Type.Name.TIMESTAMP_TZ || (of == Type.Name.DATE && mayWriteZone(pattern))) {
            return StrictCall.inZone(
                    function,
                    List.of(scalars.converted(value, MOMENT, first.position()), pattern),
                    Typing.TEXT,
                    (values, zone, at) ->
                            DateLibrary.written(
                                    (Long) values[0], MOMENT.name(), zone, (String) values[1], at),
                    place);
        }
        return StrictCall.of(
                function,
                List.of(value, pattern),
                Typing.TEXT,
                (values, at) ->
                        DateLibrary.written((Long) values[0], of, Zone.UTC, (String) values[1], at),
                place);
    }

    /// Whether `pattern` may have a field for the time zone.
    private static boolean mayWriteZone(Scalar pattern) {
        if (!(pattern instanceof Scalar.Constant constant) || constant.isNull()) {
            return true;
        }
        String text = String.valueOf(constant.reference()).toUpperCase(Locale.ROOT);
        return text.contains("TZ") || text.contains("OF");
    }
}
