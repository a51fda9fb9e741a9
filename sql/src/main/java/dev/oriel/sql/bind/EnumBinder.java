package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Binds the functions of enumerations, which depend on the type of their argument and not on its value.
final class EnumBinder {
    private final ScalarBinder scalars;

    EnumBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    Scalar bound(Function function, Expression.Call call, Place place) {
        List<Scalar> arguments = new ArrayList<>();
        Type type = null;
        for (Expression argument : call.arguments()) {
            Scalar bound = scalars.bind(argument, type == null ? Typing.TEXT : type);
            if (bound.type().name() == Type.Name.ENUM) {
                Type own = Typing.plain(bound.type());
                if (type != null && !type.equals(own)) {
                    throw place.error(
                            Kind.UNKNOWN_FUNCTION,
                            function
                                    + " needs two values of one type, not "
                                    + type
                                    + " and "
                                    + own);
                }
                type = own;
            }
            arguments.add(bound);
        }
        if (type == null) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    function
                            + " needs a value of an enumeration, not "
                            + arguments.getFirst().type());
        }
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).type().name() != Type.Name.ENUM) {
                arguments.set(i, scalars.bind(call.arguments().get(i), type));
            }
            if (arguments.get(i).type().name() != Type.Name.ENUM) {
                throw place.error(
                        Kind.UNKNOWN_FUNCTION,
                        function + " needs " + type + ", not " + arguments.get(i).type());
            }
        }
        List<EnumType.Label> labels = type.labels().labels();
        if (function != Function.ENUM_RANGE) {
            if (labels.isEmpty()) {
                throw place.error(Kind.OBJECT_STATE, "Type " + type + " has no labels");
            }
            return Scalar.Constant.of(
                    type,
                    (function == Function.ENUM_FIRST ? labels.getFirst() : labels.getLast())
                            .place());
        }
        return range(List.copyOf(arguments), type, labels);
    }

    /// The labels within bounds; a NULL bound means the first or the last label.
    private static Scalar range(List<Scalar> bounds, Type type, List<EnumType.Label> labels) {
        return JsonBinder.made(
                Function.ENUM_RANGE,
                bounds,
                Type.array(type),
                (given, frame) -> {
                    long least = Long.MIN_VALUE;
                    long most = Long.MAX_VALUE;
                    if (given.size() > 1) {
                        long first = given.get(0).evalLong(frame);
                        least = frame.isNull ? least : first;
                        long last = given.get(1).evalLong(frame);
                        most = frame.isNull ? most : last;
                    }
                    Tuple found = new Tuple(labels.size());
                    int count = 0;
                    for (EnumType.Label label : labels) {
                        if (label.place() >= least && label.place() <= most) {
                            found.setLong(count++, label.place());
                        }
                    }
                    return ArrayValue.of(type, found, count);
                });
    }
}
