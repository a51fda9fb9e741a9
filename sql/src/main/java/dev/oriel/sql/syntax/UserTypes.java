package dev.oriel.sql.syntax;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import org.jspecify.annotations.Nullable;

/// Looks up user-defined types by name.
@FunctionalInterface
public interface UserTypes {
    /// No types.
    UserTypes NONE = name -> null;

    /// The type called `name`, or null.
    @Nullable Type named(String name);

    /// The types of `catalog`.
    static UserTypes of(Catalog catalog) {
        return name -> {
            UserType user = catalog.userType(name);
            return user == null ? ofRows(catalog.table(name)) : Type.of(user);
        };
    }

    /// The type of the rows of `table`; null for null.
    private static @Nullable Type ofRows(@Nullable Table table) {
        return table == null
                ? null
                : Type.of(CompositeType.ofColumns(table.name(), table.columns()));
    }

    /// The types of the columns of `table`: expressions stored in a table use no others.
    static UserTypes of(Table table) {
        return name -> {
            for (Column column : table.columns()) {
                Type type =
                        column.type().element() == null ? column.type() : column.type().element();
                while (type != null && type.user() != null) {
                    if (type.user().name().equalsIgnoreCase(name)) {
                        return type;
                    }
                    type = type.user() instanceof DomainType domain ? domain.base() : null;
                }
            }
            return null;
        };
    }
}
