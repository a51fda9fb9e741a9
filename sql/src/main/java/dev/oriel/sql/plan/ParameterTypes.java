package dev.oriel.sql.plan;

import dev.oriel.sql.value.Typing;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a run of a statement is given: the types of its parameters, found while it is bound, and the
/// literals that are taken out of it.
public final class ParameterTypes {
    private final @Nullable Type[] types;
    private final @Nullable ExtractedLiterals taken;

    public ParameterTypes(int parameters) {
        this(parameters, null);
    }

    /// @param taken null where all literals stay where they are
    public ParameterTypes(int parameters, @Nullable ExtractedLiterals taken) {
        this.types = new @Nullable Type[parameters];
        this.taken = taken;
    }

    public @Nullable ExtractedLiterals taken() {
        return taken;
    }

    /// Parameter `index` in a place that asks for `wanted`; the first place decides.
    public Scalar.ParameterRef reference(int index, Type wanted) {
        Type type = types[index];
        if (type == null) {
            type = wanted;
            types[index] = type;
        }
        return new Scalar.ParameterRef(index, type);
    }

    /// All of them; VARCHAR for those that no place has decided.
    public List<Type> all() {
        List<Type> all = new ArrayList<>();
        for (Type type : types) {
            all.add(type == null ? Typing.TEXT : type);
        }
        return List.copyOf(all);
    }
}
