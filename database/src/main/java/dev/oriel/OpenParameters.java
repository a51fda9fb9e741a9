package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The types of a statement's parameters, some of which are open: they take the types of their values. So the types
/// of stored values are not always the types that the statement reads.
final class OpenParameters {
    private final Prepared prepared;
    private final boolean[] open;

    /// Types in which the values are stored.
    private final Type[] held;

    /// Types of the values of open parameters; null for text, and for the other parameters.
    private final @Nullable Type[] given;

    /// Copy of [#given], which does not change; null if that has changed since. The statement knows the last one by identity.
    private @Nullable List<@Nullable Type> last;

    private OpenParameters(Prepared prepared, boolean[] open, Type[] types) {
        this.prepared = prepared;
        this.open = open;
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

    /// The type to store a value of type `own` in, for parameter `at`.
    Type hold(int at, Type own) {
        if (!open[at]) {
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

    /// Has the statement planned for the values; returns the types that it reads.
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

    /// Whether a value stored as `held` is one of type `read` as it is.
    static boolean isSame(Type held, Type read) {
        if (held.element() != null && read.element() != null) {
            return held.element().equals(read.element());
        }
        return held.name() == read.name()
                || (held.shape() == Type.Shape.TEXT && read.shape() == Type.Shape.TEXT);
    }
}
