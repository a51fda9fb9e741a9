package dev.oriel.sql.value;

import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.CompositeType.Attribute;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// Conversions of composite types, which are those of their attributes.
final class Composites {
    private Composites() {}

    /// Whether both types have as many attributes, and `test` holds for the types of each pair.
    static boolean all(Type a, Type b, BiPredicate<Type, Type> test) {
        CompositeType first = a.composite();
        CompositeType second = b.composite();
        boolean all = first.size() == second.size();
        for (int i = 0; all && i < first.size(); i++) {
            all = test.test(first.type(i), second.type(i));
        }
        return all;
    }

    /// The common type of two types, with the type that `each` returns for each pair of attributes; null if there is
    /// none.
    static @Nullable Type together(Type a, Type b, BiFunction<Type, Type, @Nullable Type> each) {
        Type first = a.withoutDomain();
        if (first.equals(b.withoutDomain())) {
            return first;
        }
        CompositeType left = a.composite();
        CompositeType right = b.composite();
        if (left.size() != right.size()) {
            return null;
        }
        List<Attribute> attributes = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            Type type = each.apply(left.type(i), right.type(i));
            if (type == null) {
                return null;
            }
            attributes.add(new Attribute(left.attributes().get(i).name(), type));
        }
        return isOf(left, attributes)
                ? first
                : isOf(right, attributes)
                        ? b.withoutDomain()
                        : Type.of(new CompositeType(0, CompositeType.RECORD, attributes));
    }

    /// Whether `type`, which a user has defined, has attributes of the types of `attributes`.
    private static boolean isOf(CompositeType type, List<Attribute> attributes) {
        boolean all = type.id() != 0;
        for (int i = 0; all && i < attributes.size(); i++) {
            Type own = Typing.plain(type.type(i));
            all = own.equals(Typing.plain(attributes.get(i).type()));
        }
        return all;
    }
}
