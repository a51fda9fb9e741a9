package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.QualifiedName;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// PostgreSQL's functions that describe definitions by their numbers in [PgCatalog].
final class PgFunctions {
    static final String VERSION = "Oriel 0.1";

    private final ScalarBinder scalars;

    PgFunctions(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    /// Description of a number, with an optional second number; null if it is unknown.
    private interface Described {
        @Nullable String of(Catalog catalog, long number, long part);
    }

    Scalar bound(Function function, Expression.Call call) {
        return switch (function) {
            case CURRENT_SCHEMAS -> currentSchemas(call);
            case PG_TABLE_IS_VISIBLE -> isVisible(function, call);
            case PG_GET_EXPR -> expression(function, call);
            case FORMAT_TYPE -> typeName(function, call);
            case REGCLASS, REGPROC, REGTYPE, TO_REGCLASS, TO_REGPROC, TO_REGTYPE ->
                    registered(function, call);
            case PG_GET_USERBYID -> described(function, call, (_, _, _) -> "oriel");
            case OBJ_DESCRIPTION ->
                    described(
                            function, call, (catalog, of, _) -> PgComments.comment(catalog, of, 0));
            case COL_DESCRIPTION -> described(function, call, PgComments::comment);
            case PG_GET_SERIAL_SEQUENCE -> new PgSequences(scalars).bound(call);
            case PG_GET_INDEXDEF -> described(function, call, PgIndexes::definition);
            case PG_GET_CONSTRAINTDEF ->
                    described(
                            function,
                            call,
                            (catalog, of, _) -> PgCatalog.constraintDefinition(catalog, of));
            case PG_GET_PARTKEYDEF ->
                    described(function, call, (catalog, of, _) -> PgPartitions.key(catalog, of));
            case PG_GET_FUNCTION_ARGUMENTS ->
                    described(
                            function,
                            call,
                            (catalog, of, _) -> FunctionInformation.arguments(catalog, of, true));
            case PG_GET_FUNCTION_IDENTITY_ARGUMENTS ->
                    described(
                            function,
                            call,
                            (catalog, of, _) -> FunctionInformation.arguments(catalog, of, false));
            case PG_GET_FUNCTION_RESULT ->
                    described(
                            function,
                            call,
                            (catalog, of, _) -> FunctionInformation.result(catalog, of));
            case PG_GET_TRIGGERDEF ->
                    described(
                            function,
                            call,
                            (catalog, of, _) -> TriggerInformation.definition(catalog, of));
            case PG_CHAR_MAX_LENGTH,
                    PG_NUMERIC_PRECISION,
                    PG_NUMERIC_SCALE,
                    PG_DATETIME_PRECISION ->
                    sized(function, call);
            case PG_TRUETYPID -> belowDomain(call, "typbasetype", "atttypid");
            case PG_TRUETYPMOD -> belowDomain(call, "typtypmod", "atttypmod");
            case NAMECONCATOID -> scalars.bind(named(call));
            case PG_IS_OTHER_TEMP_SCHEMA -> {
                Scalar number = numbers(function, call, 1).getFirst();
                yield new FunctionCall.OfLong(
                        function,
                        List.of(number),
                        Typing.BOOLEAN,
                        (arguments, frame) -> {
                            arguments.getFirst().evalLong(frame);
                            return 0; // the temporary tables of other sessions are not listed
                        });
            }
            case PG_GET_VIEWDEF ->
                    described(
                            function,
                            List.of(relation(function, call)),
                            (catalog, of, _) -> PgCatalog.viewDefinition(catalog, of));
            default -> throw new IllegalStateException(function + " describes nothing");
        };
    }

    /// The length, precision, scale or decimal places of the type with a number and a modifier.
    private Scalar sized(Function function, Expression.Call call) {
        return JsonBinder.made(
                function,
                numbers(function, call, 2),
                Typing.INTEGER,
                (arguments, frame) -> {
                    long type = arguments.get(0).evalLong(frame);
                    boolean unknown = frame.isNull;
                    long modifier = arguments.get(1).evalLong(frame);
                    return unknown || frame.isNull
                            ? null
                            : switch (function) {
                                case PG_CHAR_MAX_LENGTH -> PgTypes.lengthOf(type, modifier);
                                case PG_NUMERIC_PRECISION -> PgTypes.precisionOf(type, modifier);
                                case PG_NUMERIC_SCALE -> PgTypes.scaleOf(type, modifier);
                                default -> PgTypes.secondDigitsOf(type, modifier);
                            };
                });
    }

    /// A column of a row `t.*` of `pg_type` if the type is a domain, and else one of a row `a.*` of `pg_attribute`.
    private Scalar belowDomain(Expression.Call call, String ofType, String ofColumn) {
        int position = call.position();
        String column = qualifier(call.arguments().get(0));
        String type = qualifier(call.arguments().get(1));
        Expression domain = new Expression.Literal(position, Expression.Literal.Kind.STRING, "d");
        Expression kind = new Expression.Name(position, type, "typtype");
        return scalars.bind(
                new Expression.Case(
                        position,
                        kind,
                        List.of(
                                new Expression.When(
                                        domain, new Expression.Name(position, type, ofType))),
                        new Expression.Name(position, column, ofColumn)));
    }

    private String qualifier(Expression row) {
        if (row instanceof Expression.Name name
                && name.name().equals(Expression.Name.ALL)
                && name.qualifier() != null) {
            return name.qualifier();
        }
        throw scalars.source()
                .error(
                        Kind.UNKNOWN_FUNCTION,
                        row.position(),
                        "The arguments are whole rows; write them as t.*");
    }

    /// A name, an underscore and a number, as PostgreSQL names functions uniquely.
    private static Expression named(Expression.Call call) {
        int position = call.position();
        Expression line = new Expression.Literal(position, Expression.Literal.Kind.STRING, "_");
        Expression name = new Expression.Cast(position, call.arguments().get(0), Typing.TEXT);
        Expression number = new Expression.Cast(position, call.arguments().get(1), Typing.TEXT);
        return new Expression.Binary(
                position,
                Expression.Operator.CONCAT,
                new Expression.Binary(position, Expression.Operator.CONCAT, name, line),
                number);
    }

    /// The number of the relation that the first argument of `call` names or numbers. A parameter is a number.
    private Scalar relation(Function function, Expression.Call call) {
        Expression written = call.arguments().getFirst();
        if (written instanceof Expression.Parameter) {
            return numbers(function, call, 1).getFirst();
        }
        Scalar bound = scalars.bind(written);
        return Typing.isInteger(bound.type()) ? bound : number(Function.REGCLASS, bound, written);
    }

    private List<Scalar> numbers(Function function, Expression.Call call, int count) {
        List<Scalar> numbers = new ArrayList<>();
        for (int i = 0; i < Math.min(count, call.arguments().size()); i++) {
            numbers.add(
                    scalars.assign(
                            call.arguments().get(i), Typing.BIGINT, "A number of " + function));
        }
        return List.copyOf(numbers);
    }

    private Scalar described(Function function, Expression.Call call, Described described) {
        boolean parted =
                function == Function.COL_DESCRIPTION || function == Function.PG_GET_INDEXDEF;
        return described(function, numbers(function, call, parted ? 2 : 1), described);
    }

    private static Scalar described(Function function, List<Scalar> numbers, Described described) {
        return new FunctionCall.OfText(
                function,
                numbers,
                Typing.TEXT,
                (arguments, frame) -> {
                    long number = arguments.getFirst().evalLong(frame);
                    if (frame.isNull) {
                        return null;
                    }
                    long part = arguments.size() > 1 ? arguments.get(1).evalLong(frame) : 0;
                    return frame.isNull ? null : described.of(frame.catalog(), number, part);
                });
    }

    private Scalar typeName(Function function, Expression.Call call) {
        return new FunctionCall.OfText(
                function,
                numbers(function, call, 2),
                Typing.TEXT,
                (arguments, frame) -> {
                    long number = arguments.getFirst().evalLong(frame);
                    if (frame.isNull) {
                        return null;
                    }
                    long modifier = arguments.get(1).evalLong(frame);
                    return PgTypes.formatted(frame.catalog(), number, frame.isNull ? -1 : modifier);
                });
    }

    /// A cast to `regclass`, `regproc` or `regtype`: the number of a name, or the name of a number.
    private Scalar registered(Function function, Expression.Call call) {
        Expression written = call.arguments().getFirst();
        Scalar argument = scalars.bind(written);
        if (must(function) && Typing.isInteger(argument.type())) {
            return described(
                    function,
                    List.of(argument),
                    (catalog, of, _) ->
                            switch (function) {
                                case REGCLASS -> PgNames.called(catalog, of);
                                case REGPROC -> FunctionInformation.name(catalog, of);
                                default -> PgTypes.formatted(catalog, of, -1);
                            });
        }
        return number(function, argument, written);
    }

    /// Whether it is a cast, which an unknown name ends.
    private static boolean must(Function function) {
        return switch (function) {
            case REGCLASS, REGPROC, REGTYPE -> true;
            default -> false;
        };
    }

    /// The number of the relation, function or type that the text `bound`, of `written`, names.
    private Scalar number(Function function, Scalar bound, Expression written) {
        SqlText.Place place = scalars.source().at(written.position());
        return new FunctionCall.OfLong(
                function,
                List.of(new BytesBinder(scalars).text(bound, written, function.name())),
                Typing.BIGINT,
                (arguments, frame) -> {
                    String name = arguments.getFirst().evalText(frame);
                    if (name == null) {
                        frame.isNull = true;
                        return 0;
                    }
                    long oid =
                            switch (function) {
                                case REGCLASS, TO_REGCLASS -> PgNames.number(frame.catalog(), name);
                                case REGPROC, TO_REGPROC ->
                                        ofFunction(function, frame.catalog(), name, place);
                                default -> PgTypes.number(frame.catalog(), name);
                            };
                    if (oid == 0 && must(function)) {
                        throw place.error(
                                switch (function) {
                                    case REGCLASS -> Kind.UNKNOWN_TABLE;
                                    case REGPROC -> Kind.UNKNOWN_FUNCTION;
                                    default -> Kind.UNKNOWN_OBJECT;
                                },
                                "There is no " + noun(function) + " \"" + name + "\"");
                    }
                    frame.isNull = oid == 0;
                    return oid;
                });
    }

    private static String noun(Function function) {
        return switch (function) {
            case REGCLASS -> "table, view, sequence or index";
            case REGPROC -> "function";
            default -> "type";
        };
    }

    /// The number of the only function called `text`; 0 if there is none.
    private static long ofFunction(
            Function function, Catalog catalog, String text, SqlText.Place place) {
        QualifiedName name = QualifiedName.of(text);
        List<Long> found = name == null ? List.of() : FunctionInformation.called(catalog, name);
        if (found.size() > 1 && must(function)) {
            throw place.error(
                    Kind.AMBIGUOUS_FUNCTION,
                    "There are "
                            + found.size()
                            + " functions \""
                            + text
                            + "\"; select one of them from pg_proc by its types");
        }
        return found.size() == 1 ? found.getFirst() : 0;
    }

    private Scalar isVisible(Function function, Expression.Call call) {
        return new FunctionCall.OfLong(
                function,
                numbers(function, call, 1),
                Typing.BOOLEAN,
                (arguments, frame) -> {
                    long number = arguments.getFirst().evalLong(frame);
                    if (frame.isNull) {
                        return 0;
                    }
                    Boolean visible = PgCatalog.isVisible(frame.catalog(), number);
                    frame.isNull = visible == null;
                    return visible != null && visible ? 1 : 0;
                });
    }

    /// Returns its argument: expressions are stored as text.
    private Scalar expression(Function function, Expression.Call call) {
        List<Scalar> arguments =
                List.of(scalars.text(call.arguments().getFirst(), function.name()));
        return new FunctionCall.OfText(
                function, arguments, Typing.TEXT, (a, frame) -> a.getFirst().evalText(frame));
    }

    private Scalar currentSchemas(Expression.Call call) {
        Scalar all = scalars.condition(call.arguments().getFirst(), "CURRENT_SCHEMAS");
        Type type = Type.array(Typing.TEXT);
        return new FunctionCall.OfBytes(
                Function.CURRENT_SCHEMAS,
                List.of(all),
                type,
                (arguments, frame) -> {
                    long truth = arguments.getFirst().evalLong(frame);
                    return frame.isNull ? null : schemas(frame.catalog(), truth == 1);
                });
    }

    private static byte[] schemas(Catalog catalog, boolean all) {
        List<String> names = new ArrayList<>();
        if (all && !catalog.temporary().isEmpty()) {
            names.add(catalog.temporary());
        }
        if (all) {
            names.add("pg_catalog");
        }
        for (String schema : catalog.current()) {
            String name = PgCatalog.called(schema);
            if (!names.contains(name)) {
                names.add(name);
            }
        }
        Tuple elements = new Tuple(names.size());
        for (int i = 0; i < names.size(); i++) {
            elements.setText(i, names.get(i));
        }
        return ArrayValue.of(Typing.TEXT, elements, names.size());
    }
}
