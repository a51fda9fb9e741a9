package dev.oriel.table.definition;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The type of a column, a parameter or an expression.
///
/// @param name kind of the type
/// @param length most characters (CHAR, VARCHAR), bytes (BINARY, VARBINARY), bits (VARBIT; all of a BIT) or digits
///     (DECIMAL); 0 for no limit.
///     Of a TIME
///     or a TIMESTAMP, with time zone or without, one more than its digits of a second, 0 for all six. Of an INTERVAL 1
///     for years and months, 2 for days and shorter units, 0 for both
/// @param scale digits after the point of a DECIMAL, else 0
/// @param element the type of an ARRAY's elements, which is no ARRAY; null for the other types
/// @param user the definition of an ENUM or a COMPOSITE, or of the domain of its values; null for other types
public record Type(
        Name name, int length, int scale, @Nullable Type element, @Nullable UserType user) {
    private static final List<String> INTERVAL_FIELDS =
            List.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");

    /// The scale of an INTERVAL with only some fields of its group: the number of the first, from 1, times this,
    /// plus that of the last.
    private static final int INTERVAL_BASE = 8;

    public Type {
        if ((name == Name.ARRAY) != (element != null)) {
            throw new IllegalArgumentException("arrays alone have elements: " + name);
        }
        if ((name == Name.ENUM || name == Name.COMPOSITE) && user == null) {
            throw new IllegalArgumentException("a type of a user needs its definition: " + name);
        }
    }

    /// A type that is no array.
    public Type(Name name, int length, int scale) {
        this(name, length, scale, null, null);
    }

    /// The type made by a user's definition.
    public static Type of(UserType user) {
        return switch (user) {
            case EnumType labels -> new Type(Name.ENUM, 0, 0, null, labels);
            case CompositeType composite -> new Type(Name.COMPOSITE, 0, 0, null, composite);
            case DomainType domain -> {
                Type base = domain.base();
                yield new Type(base.name, base.length, base.scale, base.element, domain);
            }
        };
    }

    /// The labels of an ENUM.
    ///
    /// @throws IllegalStateException if it is none
    public EnumType labels() {
        return switch (user) {
            case EnumType own -> own;
            case DomainType domain -> domain.base().labels();
            case CompositeType _ -> throw new IllegalStateException(this + " is no enumeration");
            case null -> throw new IllegalStateException(this + " is no enumeration");
        };
    }

    /// The definition of a COMPOSITE.
    ///
    /// @throws IllegalStateException if it is none
    public CompositeType composite() {
        if (withoutDomain().user instanceof CompositeType composite) {
            return composite;
        }
        throw new IllegalStateException(this + " has no attributes");
    }

    /// The domain that values are of, or null.
    public @Nullable DomainType domain() {
        return user instanceof DomainType domain ? domain : null;
    }

    /// The type without the domains around it.
    public Type withoutDomain() {
        Type type = this;
        while (type.user instanceof DomainType domain) {
            type = domain.base();
        }
        return type;
    }

    /// Whether it is the type of rows of an expression or a table, or contains one.
    public boolean isOfExpression() {
        if (element != null) {
            return element.isOfExpression();
        }
        if (!(withoutDomain().user instanceof CompositeType composite)) {
            return false;
        }
        boolean found = composite.id() == 0;
        for (CompositeType.Attribute attribute : composite.attributes()) {
            found |= attribute.type().isOfExpression();
        }
        return found;
    }

    /// Arrays of `element`.
    public static Type array(Type element) {
        return new Type(Name.ARRAY, 0, 0, element, null);
    }

    /// Representation of a type's values: the reader of `Row` that serves it.
    public enum Shape {
        LONG,
        DOUBLE,
        DECIMAL,
        TEXT,

        /// Text that compares without regard to case, by `FoldedText`.
        FOLDED,

        BYTES;

        /// Whether values are text.
        public boolean isText() {
            return this == TEXT || this == FOLDED;
        }
    }

    /// Names of types. Values of LONG shape: BOOLEAN 0 or 1, DATE days since 1970-01-01, TIME microseconds since
    /// midnight, TIMESTAMP microseconds since 1970-01-01T00:00 of no zone, TIMESTAMP_TZ the same in UTC, TIME_TZ
    /// a [ZonedTime]. UUID is 16 bytes, big-endian. JSON is bytes by `Json`, ARRAY by `ArrayValue`, COMPOSITE by `CompositeValue`, INTERVAL by
    /// `IntervalValue`, ENUM the number of its label in [EnumType]. A bit string (BIT, VARBIT) is a text of `0`
    /// and `1`.
    public enum Name {
        BOOLEAN(Shape.LONG),
        TINYINT(Shape.LONG),
        SMALLINT(Shape.LONG),
        INTEGER(Shape.LONG),
        BIGINT(Shape.LONG),
        DECIMAL(Shape.DECIMAL),
        REAL(Shape.DOUBLE),
        DOUBLE(Shape.DOUBLE),
        CHAR(Shape.TEXT),
        VARCHAR(Shape.TEXT),
        VARCHAR_IGNORECASE(Shape.FOLDED),
        CLOB(Shape.TEXT),
        BINARY(Shape.BYTES),
        VARBINARY(Shape.BYTES),
        BLOB(Shape.BYTES),
        DATE(Shape.LONG),
        TIME(Shape.LONG),
        TIME_TZ(Shape.LONG),
        TIMESTAMP(Shape.LONG),
        TIMESTAMP_TZ(Shape.LONG),
        UUID(Shape.BYTES),
        JSON(Shape.BYTES),
        ARRAY(Shape.BYTES),
        INTERVAL(Shape.BYTES),
        ENUM(Shape.LONG),
        COMPOSITE(Shape.BYTES),
        BIT(Shape.TEXT),
        VARBIT(Shape.TEXT);

        private final Shape shape;

        Name(Shape shape) {
            this.shape = shape;
        }

        public Shape shape() {
            return shape;
        }
    }

    /// The type `name` without length and scale.
    public static Type of(Name name) {
        return new Type(name, 0, 0);
    }

    /// VARCHAR of at most `length` characters; 0 for any length.
    public static Type varchar(int length) {
        return new Type(Name.VARCHAR, length, 0);
    }

    /// `name`, a TIME or TIMESTAMP, with `secondDigits` digits of a second.
    public static Type temporal(Name name, int secondDigits) {
        return secondDigits == TimePrecision.MAX ? of(name) : new Type(name, secondDigits + 1, 0);
    }

    public Shape shape() {
        return name.shape();
    }

    /// The fields of an INTERVAL that has not all of them, `YEAR` or `DAY TO HOUR`.
    public String intervalFields() {
        if (scale == 0) {
            return length == 1 ? "YEAR TO MONTH" : "DAY TO SECOND";
        }
        String first = INTERVAL_FIELDS.get(scale / INTERVAL_BASE - 1);
        String last = INTERVAL_FIELDS.get(scale % INTERVAL_BASE - 1);
        return first.equals(last) ? first : first + " TO " + last;
    }

    /// An INTERVAL with the fields from `first` to `last`, which is the same or shorter; null if there is none.
    public static @Nullable Type interval(String first, String last) {
        int from = INTERVAL_FIELDS.indexOf(first.toUpperCase(Locale.ROOT)) + 1;
        int to = INTERVAL_FIELDS.indexOf(last.toUpperCase(Locale.ROOT)) + 1;
        boolean months = from <= 2;
        if (from == 0 || to < from || months != (to <= 2)) {
            return null;
        }
        boolean all = months ? from < to : from == 3 && to == INTERVAL_FIELDS.size();
        return new Type(Name.INTERVAL, months ? 1 : 2, all ? 0 : from * INTERVAL_BASE + to);
    }

    /// Digits of a second, of a TIME or TIMESTAMP.
    public int secondDigits() {
        return length == 0 ? TimePrecision.MAX : length - 1;
    }

    /// As records compare. The JVM would generate this method at its first call, which takes milliseconds, and the
    /// first statement of a program compares types.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Type type
                && name == type.name
                && length == type.length
                && scale == type.scale
                && Objects.equals(element, type.element)
                && Objects.equals(user, type.user);
    }

    @Override
    public int hashCode() {
        int own = 31 * (31 * name.name().hashCode() + length) + scale + Objects.hashCode(element);
        return user == null ? own : own + Long.hashCode(user.id());
    }

    /// In SQL's form: `VARCHAR(20)`, `DECIMAL(10, 2)`, `TIMESTAMP WITH TIME ZONE`.
    @Override
    public String toString() {
        if (user != null) {
            return user.name();
        }
        if (element != null) {
            return element + "[]";
        }
        if (name == Name.INTERVAL) {
            return length == 0 ? "INTERVAL" : "INTERVAL " + intervalFields();
        }
        String digits = length == 0 ? "" : "(" + secondDigits() + ")";
        if (name == Name.TIME || name == Name.TIMESTAMP) {
            return name + digits;
        }
        if (name == Name.TIME_TZ || name == Name.TIMESTAMP_TZ) {
            return (name == Name.TIME_TZ ? "TIME" : "TIMESTAMP") + digits + " WITH TIME ZONE";
        }
        String text = name == Name.VARBIT ? "BIT VARYING" : name.name();
        if (name == Name.DECIMAL && length > 0) {
            return text + "(" + length + ", " + scale + ")";
        }
        return length > 0 ? text + "(" + length + ")" : text;
    }
}
