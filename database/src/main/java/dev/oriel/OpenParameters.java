package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The types of a statement's parameters, some of which are open: they take the types of their values. So the types
/// of stored values are not always the types that the statement reads.
final class OpenParameters {
    private final Prepared prepared;
    private final boolean[] open;

    /// Types by the context.
    private final Type[] types;

    /// Types in which the values are stored.
    private final Type[] held;

    /// Types of the values of open and widened parameters; null for text, and for the other parameters.
    private final @Nullable Type[] given;

    /// Copy of [#given], which does not change; null if that has changed since. The statement knows the last one by
    /// identity.
    private @Nullable List<@Nullable Type> last;

    private OpenParameters(Prepared prepared, boolean[] open, Type[] types) {
        this.prepared = prepared;
        this.open = open;
        this.types = types;
        this.held = types.clone();
        this.given = new @Nullable Type[types.length];
    }

    /// Null if no parameter is open.
    static @Nullable OpenParameters of(@Nullable Prepared prepared, Type[] types) {
        if (prepared == null) {
            return null;
        }
        boolean[] open = new boolean[types.length];
        boolean any = false;
        for (int i = 0; i < open.length; i++) {
            open[i] = prepared.takes(i, ValueType.BYTES); // bytes are taken by each open one
            any |= open[i];
        }
        return any ? new OpenParameters(prepared, open, types) : null;
    }

    /// For a statement of which no parameter is open, to [#widen] one.
    static OpenParameters ofNone(Prepared prepared, Type[] types) {
        return new OpenParameters(prepared, new boolean[types.length], types);
    }

    /// Whether `value` is one of `type`, if that is an integer.
    static boolean fits(long value, Type type) {
        return switch (type.name()) {
            case INTEGER -> value == (int) value;
            case SMALLINT -> value == (short) value;
            case TINYINT -> value == (byte) value;
            default -> true;
        };
    }

    static boolean fits(double value, Type type) {
        return switch (type.name()) {
            case BIGINT, INTEGER, SMALLINT, TINYINT ->
                    value == Math.rint(value)
                            && value >= -0x1p63
                            && value < 0x1p63
                            && fits((long) value, type);
            default -> true;
        };
    }

    static boolean fits(BigDecimal value, Type type) {
        return switch (type.name()) {
            case BIGINT, INTEGER, SMALLINT, TINYINT -> {
                BigDecimal plain = value.stripTrailingZeros();
                boolean whole = plain.scale() <= 0 && plain.precision() - plain.scale() <= 19;
                BigInteger number = whole ? plain.toBigInteger() : null;
                yield number != null
                        && number.bitLength() < 64
                        && fits(number.longValueExact(), type);
            }
            default -> true;
        };
    }

    /// Whether parameter `at`, compared with an integer, takes the type `own` of a value that is none; its context
    /// decides again at the next value.
    boolean widen(int at, Type own) {
        if (open[at] || !prepared.takes(at, own)) {
            return false;
        }
        give(at, own);
        held[at] = own;
        return true;
    }

    /// Ends [#widen].
    private void narrow(int at) {
        if (given[at] != null) {
            give(at, null);
            held[at] = types[at];
        }
    }

    /// The type to store a value of type `own` in, for parameter `at`.
    Type hold(int at, Type own) {
        if (!open[at]) {
            narrow(at);
            return held[at];
        }
        boolean takes = prepared.takes(at, own);
        give(at, takes ? own : null);
        held[at] = takes ? own : ValueType.TEXT;
        return held[at];
    }

    /// The type to store a text in: text if the parameter is open, since the other parameters decide what it is.
    Type holdText(int at) {
        if (open[at]) {
            give(at, null);
            held[at] = ValueType.TEXT;
        } else {
            narrow(at);
        }
        return held[at];
    }

    private void give(int at, @Nullable Type type) {
        Type before = given[at];
        if (type == null ? before != null : !type.equals(before)) {
            given[at] = type;
            last = null;
        }
    }

    Type held(int at) {
        return held[at];
    }

    /// Plans the statement for the values; returns the types that the plan reads.
    Prepared.ValueTypes plan() {
        List<@Nullable Type> types = last;
        if (types == null) {
            types = new ArrayList<>(given.length);
            for (Type type : given) {
                types.add(type);
            }
            last = types;
        }
        return prepared.give(types);
    }

    /// Whether a value stored as `held` is a value of type `read` without a conversion.
    static boolean isSame(Type held, Type read) {
        if (held.element() != null && read.element() != null) {
            return held.element().equals(read.element());
        }
        return held.name() == read.name() || (held.shape().isText() && read.shape().isText());
    }
}
