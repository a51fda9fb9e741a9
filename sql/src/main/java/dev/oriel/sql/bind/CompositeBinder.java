package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.CompositeFunctions;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Literal;
import dev.oriel.sql.syntax.Expression.Name;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.CompositeType.Attribute;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds composite values: `ROW(a, b)`, rows of tables, attributes and tests for NULL.
final class CompositeBinder {
    private final ScalarBinder scalars;

    CompositeBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    static boolean is(Type type) {
        return type.name() == Type.Name.COMPOSITE;
    }

    /// `ROW(a, b)`, whose values take the types of the attributes of `expected` if that has as many.
    Scalar value(Expression.RowValue row, Type expected) {
        List<Expression> values = new WholeRows(scalars).expanded(row).values();
        CompositeType wanted =
                is(expected) && expected.composite().size() == values.size()
                        ? expected.composite()
                        : null;
        List<Scalar> bound = new ArrayList<>();
        List<Type> types = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Type type = wanted == null ? OpenType.TEXT : Typing.plain(wanted.type(i));
            bound.add(scalars.bind(values.get(i), type));
            types.add(kept(values.get(i), bound.getLast()));
        }
        return made(bound, CompositeType.ofTypes(types));
    }

    /// The type of an attribute; that of a quoted text or NULL is open.
    private static Type kept(Expression written, Scalar value) {
        Type type = value.type();
        boolean open = written instanceof Literal && Typing.isText(type);
        return open ? OpenType.TEXT : type.domain() == null ? type : Typing.plain(type);
    }

    private static Scalar made(List<Scalar> attributes, CompositeType type) {
        return JsonBinder.made(
                Function.COMPOSITE,
                List.copyOf(attributes),
                Type.of(type),
                (given, frame) -> CompositeFunctions.made(given, type, frame));
    }

    /// `attributes` as a value of `type`, to which they are converted by assignment.
    static Scalar assembled(List<Scalar> attributes, Type type, Place place) {
        Scalar row = made(attributes, CompositeType.ofTypes(Scalar.types(attributes)));
        return ScalarBinder.assigned(row, type, place, "The row");
    }

    Scalar bound(Function function, Expression.Call call, Place place) {
        return switch (function) {
            case COMPOSITE_NAMED -> named(call.arguments());
            case ATTRIBUTE -> attribute(call);
            case ASSIGNED_ATTRIBUTE -> assigned(call);
            case NULL_OF ->
                    Scalar.Constant.ofNull(scalars.bind(call.arguments().getFirst()).type());
            case JSON_POPULATE_RECORD -> populated(call, place);
            default -> throw new IllegalStateException(function + " is called by no name");
        };
    }

    /// A value of names and values in turns.
    private Scalar named(List<Expression> parts) {
        List<Scalar> values = new ArrayList<>();
        List<Attribute> attributes = new ArrayList<>();
        for (int i = 0; i < parts.size(); i += 2) {
            Scalar value = scalars.bind(parts.get(i + 1));
            values.add(value);
            attributes.add(new Attribute(text(parts.get(i)), kept(parts.get(i + 1), value)));
        }
        return made(values, new CompositeType(0, CompositeType.RECORD, attributes));
    }

    private static String text(Expression literal) {
        return ((Literal) literal).text();
    }

    private Scalar attribute(Expression.Call call) {
        Expression operand = call.arguments().getFirst();
        Expression name = call.arguments().get(1);
        return attribute(scalars.bind(operand), text(name), call.position());
    }

    /// The column `name.qualifier()` is of a composite type, and `name` an attribute; null if it is not.
    @Nullable Scalar ofColumn(Name name) {
        Scalar column =
                name.qualifier() == null
                        ? null
                        : scalars.named(new Name(name.position(), null, name.qualifier()));
        return column == null || !is(column.type())
                ? null
                : attribute(column, name.name(), name.position());
    }

    private Scalar attribute(Scalar value, String name, int position) {
        return attribute(value, position(value.type(), name, position));
    }

    /// Attribute `at` of `value`.
    static Scalar attribute(Scalar value, int at) {
        CompositeType type = value.type().composite();
        if (value instanceof FunctionCall call && call.function() == Function.COMPOSITE) {
            return call.arguments().get(at);
        }
        return JsonBinder.made(
                Function.ATTRIBUTE,
                List.of(value, Scalar.Constant.of(Typing.TEXT, type.attributes().get(at).name())),
                type.type(at),
                (given, frame) -> {
                    byte[] bytes = given.getFirst().evalBytes(frame);
                    return bytes == null ? null : CompositeFunctions.attribute(bytes, type, at);
                });
    }

    private int position(Type type, String name, int position) {
        if (!is(type)) {
            throw scalars.source()
                    .error(
                            Kind.WRONG_OBJECT,
                            position,
                            "A value of type "
                                    + type
                                    + " has no attributes such as \""
                                    + name
                                    + "\"");
        }
        int at = type.composite().indexOf(name);
        if (at < 0) {
            List<String> names =
                    type.composite().attributes().stream().map(Attribute::name).toList();
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_COLUMN,
                            position,
                            "Type "
                                    + type
                                    + " has no attribute \""
                                    + name
                                    + "\""
                                    + Nearest.hint(name, names));
        }
        return at;
    }

    /// The first argument with the attribute that the third names set to the second.
    private Scalar assigned(Expression.Call call) {
        Scalar whole = scalars.bind(call.arguments().getFirst());
        Expression name = call.arguments().get(2);
        int at = position(whole.type(), text(name), name.position());
        CompositeType type = whole.type().composite();
        Scalar value =
                scalars.assign(
                        call.arguments().get(1), type.type(at), "Attribute \"" + text(name) + "\"");
        return JsonBinder.made(
                Function.ASSIGNED_ATTRIBUTE,
                List.of(whole, value),
                whole.type(),
                (given, frame) -> {
                    Tuple one = new Tuple(1);
                    given.get(1).store(one, 0, frame);
                    byte[] before = given.getFirst().evalBytes(frame);
                    return CompositeFunctions.assigned(before, one, type, at);
                });
    }

    /// Whether all attributes of `value` are NULL, or none is if `negated`.
    static Scalar isNull(Scalar value, boolean negated) {
        CompositeType type = value.type().composite();
        return JsonBinder.made(
                Function.COMPOSITE_IS_NULL,
                List.of(value, Scalar.Constant.of(negated)),
                Typing.BOOLEAN,
                (given, frame) -> {
                    byte[] bytes = given.getFirst().evalBytes(frame);
                    return CompositeFunctions.isNull(bytes, type, negated) ? 1L : 0L;
                });
    }

    private Scalar populated(Expression.Call call, Place place) {
        Expression written = call.arguments().getFirst();
        Scalar base = scalars.bind(written);
        if (!is(base.type())) {
            throw scalars.source()
                    .error(
                            Kind.TYPE_MISMATCH,
                            written.position(),
                            "The first argument gives the type of the row: write NULL::type");
        }
        Scalar json = scalars.bind(call.arguments().get(1), Typing.JSON);
        if (json.type().name() != Type.Name.JSON) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            call.arguments().get(1).position(),
                            "The second argument is JSON, not " + json.type());
        }
        CompositeType type = base.type().composite();
        return JsonBinder.made(
                Function.JSON_POPULATE_RECORD,
                List.of(base, json),
                Typing.plain(base.type()),
                (given, frame) -> {
                    byte[] before = given.getFirst().evalBytes(frame);
                    byte[] object = given.get(1).evalBytes(frame);
                    return object == null
                            ? before
                            : CompositeFunctions.populated(
                                    before, object, 0, type, frame.zone(), place);
                });
    }

    /// The attributes that `expression`, `(value).*`, stands for; null if it is something else.
    @Nullable List<Expression> starred(Expression expression) {
        int position = expression.position();
        Expression whole = null;
        if (expression instanceof Name name && name.name().equals(Name.ALL)) {
            Name column =
                    name.qualifier() == null || scalars.row(name.qualifier()) != null
                            ? null
                            : new Name(position, null, name.qualifier());
            whole = column == null || scalars.meaning(column) == null ? null : column;
        } else if (expression instanceof Expression.Call call
                && call.name().equals(Function.ATTRIBUTE.called())
                && text(call.arguments().get(1)).equals(Name.ALL)) {
            whole = call.arguments().getFirst();
        }
        if (whole == null) {
            return null;
        }
        Type type = scalars.bind(whole).type();
        if (!is(type)) {
            throw scalars.source()
                    .error(
                            Kind.WRONG_OBJECT,
                            position,
                            "A value of type " + type + " has no attributes to select by \"*\"");
        }
        List<Expression> attributes = new ArrayList<>();
        for (Attribute attribute : type.composite().attributes()) {
            attributes.add(attribute(position, whole, attribute.name()));
        }
        return attributes;
    }

    private static Expression attribute(int position, Expression whole, String name) {
        Expression called = new Literal(position, Literal.Kind.STRING, name);
        return new Expression.Call(position, Function.ATTRIBUTE.called(), List.of(whole, called));
    }
}
