package dev.oriel.sql.bind;

import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.TimePrecision;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Types in the information schema: the columns that describe one, and tables of types of users.
final class TypeInformation {
    static final List<String> NAMES =
            List.of("domains", "domain_constraints", "attributes", "user_defined_types");

    private TypeInformation() {}

    /// The table `name`, or null if it is none of these.
    static @Nullable InformationSchema of(String name, Catalog catalog) {
        return switch (name) {
            case "domains" -> domains(catalog);
            case "domain_constraints" -> constraints(catalog);
            case "attributes" -> attributes(catalog);
            case "user_defined_types" -> composites(catalog);
            default -> null;
        };
    }

    /// The standard's name of the type; of a domain that of the type below it.
    static String called(Type type) {
        Type plain = type.withoutDomain();
        return switch (plain.name()) {
            case ARRAY -> "ARRAY";
            case ENUM, COMPOSITE -> "USER-DEFINED";
            default -> Typing.plain(plain).toString();
        };
    }

    /// Schema of the type's name in [PgTypes#called].
    static String schema(Type type) {
        Type plain = type.withoutDomain();
        Type element = plain.element();
        UserType user = element == null ? plain.user() : element.user();
        return user == null || user.id() == 0 ? PgCatalog.NAME : PgCatalog.called("");
    }

    static @Nullable Integer length(Type type) {
        boolean other = type.name() == Type.Name.DECIMAL || Typing.isTemporal(type);
        return type.length() > 0 && !other ? type.length() : null;
    }

    static @Nullable Integer precision(Type type) {
        return type.name() == Type.Name.DECIMAL && type.length() > 0 ? type.length() : null;
    }

    static @Nullable Integer scale(Type type) {
        return type.name() == Type.Name.DECIMAL && type.length() > 0 ? type.scale() : null;
    }

    static @Nullable Integer secondDigits(Type type) {
        return switch (type.name()) {
            case DATE -> 0;
            case TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ -> type.secondDigits();
            case INTERVAL -> TimePrecision.MAX;
            default -> null;
        };
    }

    /// The fields of an interval; null if it has all.
    static @Nullable String fields(Type type) {
        boolean some = type.name() == Type.Name.INTERVAL && type.length() > 0;
        return some ? type.intervalFields() : null;
    }

    private static InformationSchema domains(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "domain_schema",
                        "domain_name",
                        "data_type",
                        "character_maximum_length",
                        "character_octet_length",
                        "numeric_precision",
                        "numeric_scale",
                        "datetime_precision",
                        "domain_default",
                        "udt_schema",
                        "udt_name",
                        "remarks",
                        "domain_on_update",
                        "parent_domain_name",
                        "parent_domain_schema",
                        "parent_domain_catalog");
        for (UserType type : catalog.userTypes()) {
            if (type instanceof DomainType domain) {
                Type base = domain.base();
                made.add(
                        "",
                        domain.name(),
                        called(base),
                        length(base),
                        InformationSchema.octets(base),
                        precision(base),
                        scale(base),
                        secondDigits(base),
                        domain.filling(),
                        schema(base),
                        PgTypes.called(base),
                        made.remark(domain.id()),
                        null,
                        base.domain() == null ? null : base.domain().name(),
                        base.domain() == null ? null : InformationSchema.called(""),
                        base.domain() == null ? null : InformationSchema.CATALOG);
            }
        }
        return made.ofCatalog("domain_catalog", "udt_catalog");
    }

    private static InformationSchema constraints(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "constraint_schema",
                        "constraint_name",
                        "domain_name",
                        "is_deferrable",
                        "initially_deferred");
        for (UserType type : catalog.userTypes()) {
            if (type instanceof DomainType domain) {
                for (Check check : domain.checks()) {
                    made.add("", check.name(), domain.name(), "NO", "NO");
                }
            }
        }
        return made.repeating("domain_schema").ofCatalog("constraint_catalog", "domain_catalog");
    }

    private static InformationSchema attributes(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "udt_schema",
                        "udt_name",
                        "attribute_name",
                        "ordinal_position",
                        "attribute_default",
                        "is_nullable",
                        "data_type",
                        "character_maximum_length",
                        "numeric_precision",
                        "numeric_scale",
                        "datetime_precision",
                        "attribute_udt_schema",
                        "attribute_udt_name");
        for (UserType type : catalog.userTypes()) {
            if (type instanceof CompositeType composite) {
                int position = 0;
                for (CompositeType.Attribute each : composite.attributes()) {
                    DomainType domain = each.type().domain();
                    made.add(
                            "",
                            composite.name(),
                            each.name(),
                            ++position,
                            null,
                            "YES",
                            called(each.type()),
                            length(each.type()),
                            precision(each.type()),
                            scale(each.type()),
                            secondDigits(each.type()),
                            domain == null ? schema(each.type()) : PgCatalog.called(""),
                            domain == null ? PgTypes.called(each.type()) : domain.name());
                }
            }
        }
        return made.ofCatalog("udt_catalog", "attribute_udt_catalog");
    }

    private static InformationSchema composites(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "user_defined_type_schema",
                        "user_defined_type_name",
                        "user_defined_type_category",
                        "is_instantiable",
                        "remarks");
        for (UserType type : catalog.userTypes()) {
            if (type instanceof CompositeType) {
                made.add("", type.name(), "STRUCTURED", "YES", made.remark(type.id()));
            }
        }
        return made.ofCatalog("user_defined_type_catalog");
    }
}
