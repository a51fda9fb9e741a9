package dev.oriel.sql.plan;

import dev.oriel.sql.value.OpenType;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parameters of a statement: their types, found while it is bound, and the literals that are extracted from
/// it.
public final class ParameterTypes {
    private final @Nullable Type[] types;
    private final @Nullable ExtractedLiterals taken;

    public ParameterTypes(int parameters) {
        this(parameters, null);
    }

    /// @param taken the extracted literals; null if none are extracted
    public ParameterTypes(int parameters, @Nullable ExtractedLiterals taken) {
        this.types = new @Nullable Type[parameters];
        this.taken = taken;
    }

    public @Nullable ExtractedLiterals taken() {
        return taken;
    }

    /// Number of parameters; 0 for a definition.
    public int count() {
        return types.length;
    }

    /// Parameter `index` in a context of type `wanted`; the first context decides.
    public Scalar.ParameterRef reference(int index, Type wanted) {
        Type type = types[index];
        if (type == null) {
            type = wanted;
            types[index] = type;
        }
        return new Scalar.ParameterRef(index, type);
    }

    /// The types of all parameters; an open one ([OpenType]) if no context has decided.
    public List<Type> all() {
        List<Type> all = new ArrayList<>();
        for (Type type : types) {
            all.add(type == null ? OpenType.TEXT : type);
        }
        return List.copyOf(all);
    }
}
