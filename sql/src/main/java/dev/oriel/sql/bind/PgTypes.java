package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// PostgreSQL's numbers and names of types.
final class PgTypes {
    static final long BIGINT = 20;

    private static final long VECTOR = 22;
    private static final long CHARACTER = 1042;
    private static final long CHARACTER_VARYING = 1043;
    private static final long BITS = 1560;
    private static final long BITS_VARYING = 1562;
    private static final long NUMERIC = 1700;

    /// Difference between the type modifier of a text and its length.
    private static final int HEADER = 4;

    private static final long LABELS_MAX = 1L << 16;

    /// A type of PostgreSQL.
    ///
    /// @param length in bytes, -1 if it varies
    private record Known(long oid, String name, int length, String category, long array) {}

    private static final List<Known> KNOWN =
            List.of(
                    new Known(16, "bool", 1, "B", 1000),
                    new Known(17, "bytea", -1, "U", 1001),
                    new Known(BIGINT, "int8", 8, "N", 1016),
                    new Known(21, "int2", 2, "N", 1005),
                    new Known(VECTOR, "int2vector", -1, "A", 1006),
                    new Known(23, "int4", 4, "N", 1007),
                    new Known(25, "text", -1, "S", 1009),
                    new Known(700, "float4", 4, "N", 1021),
                    new Known(701, "float8", 8, "N", 1022),
                    new Known(1042, "bpchar", -1, "S", 1014),
                    new Known(1043, "varchar", -1, "S", 1015),
                    new Known(1082, "date", 4, "D", 1182),
                    new Known(1083, "time", 8, "D", 1183),
                    new Known(1114, "timestamp", 8, "D", 1115),
                    new Known(1184, "timestamptz", 8, "D", 1185),
                    new Known(1186, "interval", 16, "T", 1187),
                    new Known(1266, "timetz", 12, "D", 1270),
                    new Known(1560, "bit", -1, "V", 1561),
                    new Known(1562, "varbit", -1, "V", 1563),
                    new Known(1700, "numeric", -1, "N", 1231),
                    new Known(2950, "uuid", 16, "U", 2951),
                    new Known(3802, "jsonb", -1, "U", 3807));

    /// Numbers of the types of `ROW(...)` and of arrays of these.
    private static final long RECORD = 2_249;

    private static final long RECORDS = 2_287;

    private PgTypes() {}

    private static Known known(Type type) {
        String name =
                switch (type.name()) {
                    case BOOLEAN -> "bool";
                    case TINYINT, SMALLINT -> "int2";
                    case INTEGER -> "int4";
                    case BIGINT -> "int8";
                    case DECIMAL -> "numeric";
                    case REAL -> "float4";
                    case DOUBLE -> "float8";
                    case CHAR -> "bpchar";
                    case VARCHAR, VARCHAR_IGNORECASE -> type.length() == 0 ? "text" : "varchar";
                    case CLOB -> "text";
                    case BINARY, VARBINARY, BLOB -> "bytea";
                    case DATE -> "date";
                    case TIME -> "time";
                    case TIME_TZ -> "timetz";
                    case TIMESTAMP -> "timestamp";
                    case TIMESTAMP_TZ -> "timestamptz";
                    case UUID -> "uuid";
                    case JSON -> "jsonb";
                    case INTERVAL -> "interval";
                    case BIT -> "bit";
                    case VARBIT -> "varbit";
                    case ENUM, COMPOSITE -> "text"; // its text form
                    case ARRAY -> throw new IllegalStateException("an array of arrays");
                };
        for (Known known : KNOWN) {
            if (known.name.equals(name)) {
                return known;
            }
        }
        throw new IllegalStateException("no type " + name);
    }

    static long oid(Type type) {
        if (PgRows.isVector(type)) {
            return VECTOR;
        }
        Type element = type.element();
        UserType user = element == null ? type.user() : element.user();
        if (user != null && isRecord(user)) {
            return element == null ? RECORD : RECORDS;
        }
        if (user != null) {
            return element == null ? PgCatalog.oid(user.id()) : PgCatalog.part(user.id(), 0);
        }
        return element == null ? known(type).oid : known(element).array;
    }

    /// Name of the type, as PostgreSQL has it in `udt_name`; of a domain that of the type below it.
    static String called(Type type) {
        if (PgRows.isVector(type)) {
            return "int2vector";
        }
        Type plain = type.withoutDomain();
        Type element = plain.element();
        UserType user = element == null ? plain.user() : element.user();
        String name =
                user == null
                        ? known(element == null ? plain : element).name
                        : isRecord(user) ? "record" : user.name();
        return element == null ? name : "_" + name;
    }

    private static boolean isRecord(UserType type) {
        return type instanceof CompositeType && type.id() == 0;
    }

    static int length(Type type) {
        boolean parts = type.element() != null || type.name() == Type.Name.COMPOSITE;
        return type.name() == Type.Name.ENUM ? 4 : parts ? -1 : known(type).length;
    }

    /// Type modifier for length, or precision and scale, as in PostgreSQL; -1 for none.
    static int modifier(Type type) {
        if (type.user() != null) {
            return -1;
        }
        Type element = type.element();
        return element == null ? plainModifier(type) : modifier(element);
    }

    private static int plainModifier(Type type) {
        return switch (type.name()) {
            case TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ ->
                    type.length() == 0 ? -1 : type.secondDigits();
            case CHAR, VARCHAR, VARCHAR_IGNORECASE ->
                    type.length() == 0 ? -1 : type.length() + HEADER;
            case BIT, VARBIT -> type.length() == 0 ? -1 : type.length();
            case DECIMAL -> type.length() == 0 ? -1 : (type.length() << 16 | type.scale()) + HEADER;
            default -> -1;
        };
    }

    /// Name of a type with its length, precision and scale.
    static String formatted(Catalog catalog, long oid, long modifier) {
        for (UserType type : catalog.userTypes()) {
            if (PgCatalog.oid(type.id()) == oid || PgCatalog.part(type.id(), 0) == oid) {
                boolean array = PgCatalog.oid(type.id()) != oid;
                return Quoting.name(type.name()) + (array ? "[]" : "");
            }
        }
        for (Known known : KNOWN) {
            if (known.oid == oid || known.array == oid) {
                return formatted(known, modifier) + (known.array == oid ? "[]" : "");
            }
        }
        String pseudo = PgBuiltIns.pseudoType(oid);
        return pseudo != null
                ? pseudo
                : oid == 0 ? "-" : oid == RECORD ? "record" : oid == RECORDS ? "record[]" : "???";
    }

    private static String formatted(Known known, long modifier) {
        String name =
                switch (known.name) {
                    case "bool" -> "boolean";
                    case "int8" -> "bigint";
                    case "int2" -> "smallint";
                    case "int4" -> "integer";
                    case "float4" -> "real";
                    case "float8" -> "double precision";
                    case "bpchar" -> "character";
                    case "varchar" -> "character varying";
                    case "time" -> "time without time zone";
                    case "timetz" -> "time with time zone";
                    case "timestamp" -> "timestamp without time zone";
                    case "timestamptz" -> "timestamp with time zone";
                    default -> known.name;
                };
        if (modifier < 0) {
            return known.name.equals("bpchar") ? "bpchar" : name;
        }
        long plain = modifier - HEADER;
        return switch (known.name) {
            case "bpchar", "varchar" -> name + "(" + plain + ")";
            case "time", "timetz", "timestamp", "timestamptz" -> {
                int word = name.indexOf(' ');
                yield name.substring(0, word) + "(" + modifier + ")" + name.substring(word);
            }
            case "numeric" -> name + "(" + (plain >> 16) + "," + (plain & 0x7FF) + ")";
            default -> name;
        };
    }

    /// Maximum length of values of a type; null if it is not limited.
    static @Nullable Long lengthOf(long oid, long modifier) {
        boolean text = oid == CHARACTER || oid == CHARACTER_VARYING;
        boolean bits = oid == BITS || oid == BITS_VARYING;
        return modifier < 0
                ? null
                : text ? (Long) (modifier - HEADER) : bits ? (Long) modifier : null;
    }

    static @Nullable Long precisionOf(long oid, long modifier) {
        if (oid == NUMERIC) {
            return modifier < 0 ? null : (Long) (((modifier - HEADER) >> 16) & 0xFFFF);
        }
        return switch (small(oid)) {
            case 21 -> 16L;
            case 23 -> 32L;
            case (int) BIGINT -> 64L;
            case 700 -> 24L;
            case 701 -> 53L;
            default -> null;
        };
    }

    private static int small(long oid) {
        return oid == (int) oid ? (int) oid : 0;
    }

    static @Nullable Long scaleOf(long oid, long modifier) {
        boolean whole = oid == 21 || oid == 23 || oid == BIGINT;
        return whole
                ? (Long) 0L
                : oid == NUMERIC && modifier >= 0 ? (Long) ((modifier - HEADER) & 0x7FF) : null;
    }

    static @Nullable Long secondDigitsOf(long oid, long modifier) {
        return switch (small(oid)) {
            case 1082 -> 0L;
            case 1083, 1114, 1184, 1186, 1266 -> modifier < 0 ? 6L : modifier;
            default -> null;
        };
    }

    /// Number of the type called `text`; 0 if there is none.
    static long number(Catalog catalog, String text) {
        SqlText source = new SqlText("NULL::" + text);
        try {
            return Parser.expression(source, UserTypes.of(catalog)) instanceof Expression.Cast cast
                    ? oid(cast.type())
                    : 0;
        } catch (SqlException unknown) {
            if (unknown.kind() == SqlException.Kind.CANCELLED) {
                throw unknown;
            }
            return 0;
        }
    }

    /// Adds the rows of pg_type.
    static void fill(PgRows rows, long schema, long owner) {
        for (Known known : KNOWN) {
            long collation = known.category.equals("S") ? 100 : 0;
            rows.add(
                    known.oid,
                    known.name,
                    schema,
                    owner,
                    known.length,
                    "b",
                    known.category,
                    0,
                    known.array,
                    0,
                    0,
                    false,
                    collation,
                    -1,
                    0,
                    null);
            rows.add(
                    known.array,
                    "_" + known.name,
                    schema,
                    owner,
                    -1,
                    "b",
                    "A",
                    known.oid,
                    0,
                    0,
                    0,
                    false,
                    collation,
                    -1,
                    0,
                    null);
        }
    }

    /// Adds the rows of pg_type for user-defined types.
    static void fill(PgRows rows, Catalog catalog, long schema, long owner) {
        for (UserType type : catalog.userTypes()) {
            DomainType domain = type instanceof DomainType narrowed ? narrowed : null;
            Type base = domain == null ? null : domain.base();
            Type plain = base == null ? null : base.withoutDomain();
            boolean composite = type instanceof CompositeType;
            boolean enumerated = plain == null || plain.name() == Type.Name.ENUM;
            boolean array = plain != null && plain.element() != null;
            String category =
                    composite || (plain != null && plain.name() == Type.Name.COMPOSITE)
                            ? "C"
                            : plain == null || enumerated
                                    ? "E"
                                    : array ? "A" : known(plain).category;
            rows.add(
                    PgCatalog.oid(type.id()),
                    type.name(),
                    schema,
                    owner,
                    composite ? -1 : plain == null ? 4 : length(plain),
                    composite ? "c" : domain == null ? "e" : "d",
                    category,
                    0,
                    PgCatalog.part(type.id(), 0),
                    composite ? PgCatalog.oid(type.id()) : 0,
                    base == null ? 0 : oid(base),
                    domain != null && domain.required(),
                    category.equals("S") ? 100 : 0,
                    base == null ? -1 : modifier(base),
                    array ? 1 : 0,
                    domain == null ? null : domain.filling());
            rows.add(
                    PgCatalog.part(type.id(), 0),
                    "_" + type.name(),
                    schema,
                    owner,
                    -1,
                    "b",
                    "A",
                    PgCatalog.oid(type.id()),
                    0,
                    0,
                    0,
                    false,
                    0,
                    -1,
                    0,
                    null);
        }
    }

    /// Adds the rows of pg_collation. Each collation compares texts by code points.
    static void collations(PgRows rows, long schema, long owner) {
        rows.add(100, "default", schema, owner, "d", true, -1, null, null);
        rows.add(950, "C", schema, owner, "c", true, -1, "C", "C");
        rows.add(951, "POSIX", schema, owner, "c", true, -1, "POSIX", "POSIX");
    }

    /// Adds the rows of pg_enum.
    static void labels(PgRows rows, Catalog catalog) {
        for (UserType type : catalog.userTypes()) {
            if (type instanceof EnumType labels) {
                for (int i = 0; i < labels.labels().size(); i++) {
                    rows.add(
                            PgCatalog.part(type.id(), 0) * LABELS_MAX + i,
                            PgCatalog.oid(type.id()),
                            i + 1,
                            labels.labels().get(i).text());
                }
            }
        }
    }
}
