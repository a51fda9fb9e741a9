package dev.oriel;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import java.sql.DatabaseMetaData;
import java.sql.Struct;
import java.sql.Types;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Composite types and domains, as DatabaseMetaData lists them. Enumerations are none of its types: their values
/// are texts.
final class UserTypeListing {
    private final Catalog catalog;
    private final List<UserType> types;

    /// @param wanted accepts names of types to be listed
    UserTypeListing(Catalog catalog, Predicate<String> wanted) {
        this.catalog = catalog;
        this.types =
                catalog.userTypes().stream()
                        .filter(type -> code(type) != null && wanted.test(type.name()))
                        .sorted(Comparator.comparing(UserTypeListing::order))
                        .toList();
    }

    private static String order(UserType type) {
        return code(type) + type.name();
    }

    /// Code of the kind of type; null if it is not listed.
    private static @Nullable Integer code(UserType type) {
        return switch (type) {
            case CompositeType _ -> Types.STRUCT;
            case DomainType _ -> Types.DISTINCT;
            case EnumType _ -> null;
        };
    }

    /// @param kinds codes of the kinds of types to be listed; null for all
    Listing types(@Nullable Predicate<Integer> kinds) {
        Listing listing =
                new Listing(
                        "TYPE_CAT",
                        "TYPE_SCHEM",
                        "TYPE_NAME",
                        "CLASS_NAME",
                        "DATA_TYPE INTEGER",
                        "REMARKS",
                        "BASE_TYPE SMALLINT");
        for (UserType type : types) {
            Integer code = code(type);
            if (code == null || (kinds != null && !kinds.test(code))) {
                continue;
            }
            Type base = type instanceof DomainType domain ? domain.base().withoutDomain() : null;
            listing.add(
                    null,
                    MetaDataListings.called(""),
                    type.name(),
                    base == null ? Struct.class.getName() : JdbcTypes.className(base),
                    code,
                    catalog.comments(type.id()).text(Comments.Subject.WHOLE),
                    base == null ? null : JdbcTypes.code(base));
        }
        return listing;
    }

    /// @param wanted accepts names of attributes to be listed
    Listing attributes(Predicate<String> wanted) {
        Listing listing =
                new Listing(
                        "TYPE_CAT",
                        "TYPE_SCHEM",
                        "TYPE_NAME",
                        "ATTR_NAME",
                        "DATA_TYPE INTEGER",
                        "ATTR_TYPE_NAME",
                        "ATTR_SIZE INTEGER",
                        "DECIMAL_DIGITS INTEGER",
                        "NUM_PREC_RADIX INTEGER",
                        "NULLABLE INTEGER",
                        "REMARKS",
                        "ATTR_DEF",
                        "SQL_DATA_TYPE INTEGER",
                        "SQL_DATETIME_SUB INTEGER",
                        "CHAR_OCTET_LENGTH INTEGER",
                        "ORDINAL_POSITION INTEGER",
                        "IS_NULLABLE",
                        "SCOPE_CATALOG",
                        "SCOPE_SCHEMA",
                        "SCOPE_TABLE",
                        "SOURCE_DATA_TYPE SMALLINT");
        for (UserType each : types) {
            if (each instanceof CompositeType type) {
                for (int i = 0; i < type.size(); i++) {
                    CompositeType.Attribute attribute = type.attributes().get(i);
                    if (wanted.test(attribute.name())) {
                        addAttribute(listing, type, attribute, i + 1);
                    }
                }
            }
        }
        return listing;
    }

    private static void addAttribute(
            Listing listing, CompositeType of, CompositeType.Attribute attribute, int ordinal) {
        Type type = attribute.type();
        listing.add(
                null,
                MetaDataListings.called(""),
                of.name(),
                attribute.name(),
                JdbcTypes.code(type),
                JdbcTypes.name(type),
                JdbcTypes.precision(type),
                JdbcTypes.decimalDigits(type),
                JdbcTypes.isSigned(type) ? 10 : null,
                DatabaseMetaData.attributeNullable,
                null,
                null,
                null,
                null,
                JdbcTypes.isText(type) ? JdbcTypes.precision(type) : null,
                ordinal,
                "YES",
                null,
                null,
                null,
                null);
    }
}
