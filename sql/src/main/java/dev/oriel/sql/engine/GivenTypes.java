package dev.oriel.sql.engine;

import dev.oriel.sql.Prepared.ValueTypes;
import dev.oriel.sql.value.OpenType;
import dev.oriel.table.definition.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The types of a statement's parameters, and those that the values of the next run have given to the open ones
/// ([OpenType]).
final class GivenTypes {
    /// Types by the context alone.
    private final List<Type> open;

    /// List given last; null if another one led to [#types].
    private @Nullable List<@Nullable Type> last;

    /// Types of the plan: those given last, none if they are the defaults.
    private ValueTypes types;

    GivenTypes(List<Type> open) {
        this.open = open;
        this.types = new ValueTypes(List.of(), open);
    }

    /// Whether parameter `i` takes the type of a value of `type`.
    boolean takes(int i, Type type) {
        return OpenType.takes(open.get(i), type);
    }

    ValueTypes types() {
        return types;
    }

    /// Whether `given` is the list given last.
    @SuppressWarnings("ReferenceEquality") // all that the usual run costs
    boolean isLast(List<@Nullable Type> given) {
        return given == last;
    }

    /// The types that a plan for `given` needs: none if they are the defaults.
    List<@Nullable Type> needed(List<@Nullable Type> given) {
        for (int i = 0; i < given.size(); i++) {
            Type type = given.get(i);
            if (type != null && !type.equals(open.get(i))) {
                return given;
            }
        }
        return List.of();
    }

    /// Sets the types of the plan.
    @SuppressWarnings("ReferenceEquality") // usually the same plan, for another catalog
    void planned(ValueTypes planned) {
        if (planned != types) {
            last = null;
            types = planned;
        }
    }

    /// Sets the types of the plan for `given`.
    void given(List<@Nullable Type> given, ValueTypes planned) {
        last = given;
        types = planned;
    }
}
