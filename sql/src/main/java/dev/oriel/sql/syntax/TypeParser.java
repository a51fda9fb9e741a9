package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.TimePrecision;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Parses the name of a type, under any of the names that databases give it.
public final class TypeParser {
    /// Maximum digits of a DECIMAL.
    private static final int DIGITS_MAX = 1_000;

    /// Maximum characters or bytes of a type with a length.
    private static final int LENGTH_MAX = 1 << 30;

    /// Greatest length of bit strings, PostgreSQL's.
    private static final int BITS_MAX = 83_886_080;

    /// Digits of a second in other databases.
    private static final int NANOSECOND_DIGITS = 9;

    /// Characters of PostgreSQL's type NAME.
    private static final int IDENTIFIER_LENGTH = 63;

    private static final List<String> COLLATIONS =
            List.of("c", "c.utf8", "c.utf-8", "posix", "ucs_basic", "default");

    private static final Map<String, Type.Name> NAMES = names();

    private final TokenReader tokens;

    public TypeParser(TokenReader tokens) {
        this.tokens = tokens;
    }

    /// Whether `word` is the name of a type.
    public static boolean isName(String word) {
        return NAMES.containsKey(word.toUpperCase(Locale.ROOT));
    }

    /// Parses a type, which may be an array type.
    public Type type() {
        Type type = single();
        while (true) {
            if (atFolded()) {
                int place = tokens.position();
                passFolded();
                return folded(type, place);
            }
            if (tokens.peek().kind() == Token.Kind.WORD && collated()) {
                return type;
            }
            int position = tokens.position();
            if (tokens.peek().isSymbol("[")) {
                tokens.take();
                if (tokens.peek().kind() == Token.Kind.INTEGER) {
                    tokens.take(); // ignored, as in PostgreSQL
                }
                tokens.expect("]");
                if (type.element() != null) {
                    continue; // the number of dimensions is no part of the type, as in PostgreSQL
                }
            } else if (tokens.peek().is(Keyword.ARRAY)) {
                tokens.take();
                if (tokens.accept("[")) {
                    number("a number of elements", 1, LENGTH_MAX);
                    tokens.expect("]");
                }
            } else {
                return type;
            }
            if (type.element() != null) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED, position, "Arrays cannot be nested; use JSON");
            }
            if (type.domain() != null) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED,
                        position,
                        "The elements of an array cannot be of a domain; make a domain over"
                                + " arrays");
            }
            type = Type.array(type);
        }
    }

    /// A cast of `operand` to the type that follows. JSONPATH is no type of its own but text checked as a path.
    Expression cast(int position, Expression operand) {
        if (tokens.peek(1).isSymbol("[")) {
            return new Expression.Cast(position, operand, type());
        }
        if (TokenReader.isName(tokens.peek(), "pg_catalog")
                && tokens.peek(1).isSymbol(".")
                && (tokens.atWord(2, "REGCLASS") || tokens.atWord(2, "REGPROC"))) {
            tokens.take();
            tokens.take();
        }
        Function registered =
                tokens.acceptWord("REGCLASS")
                        ? Function.REGCLASS
                        : tokens.acceptWord("REGTYPE")
                                ? Function.REGTYPE
                                : tokens.acceptWord("REGPROC") ? Function.REGPROC : null;
        if (registered != null) {
            return new Expression.Call(position, registered.called(), List.of(operand));
        }
        if (atCoarse()) {
            return coarse(position, operand);
        }
        if (tokens.acceptWord("OID")) {
            return new Expression.Cast(position, operand, Type.of(Type.Name.BIGINT));
        }
        if (!tokens.acceptWord("JSONPATH")) {
            return new Expression.Cast(position, operand, type());
        }
        return new Expression.Call(position, Function.JSON_PATH.called(), List.of(operand));
    }

    /// Whether a DECIMAL with a negative scale follows.
    private boolean atCoarse() {
        return tokens.peek(1).isSymbol("(")
                && tokens.peek(3).isSymbol(",")
                && tokens.peek(4).isSymbol("-")
                && NAMES.get(tokens.peek().text().toUpperCase(Locale.ROOT)) == Type.Name.DECIMAL;
    }

    /// A cast to `DECIMAL(digits, -zeros)`: to multiples of a power of ten, in so many digits before the zeros. No column
    /// is of this type.
    private Expression coarse(int position, Expression operand) {
        tokens.take();
        tokens.take();
        int digits = number("a number of digits", 1, DIGITS_MAX);
        tokens.take();
        tokens.take();
        int zeros = number("a scale", 0, DIGITS_MAX - digits);
        tokens.expect(")");
        Expression place =
                new Expression.Literal(position, Expression.Literal.Kind.INTEGER, "-" + zeros);
        Expression number = new Expression.Cast(position, operand, Type.of(Type.Name.DECIMAL));
        Expression rounded =
                new Expression.Call(position, Function.ROUND.called(), List.of(number, place));
        return new Expression.Cast(
                position, rounded, new Type(Type.Name.DECIMAL, digits + zeros, 0));
    }

    /// Whether SQLite's COLLATE NOCASE follows.
    boolean atFolded() {
        return tokens.atWord(0, "COLLATE") && TokenReader.isName(tokens.peek(1), "nocase");
    }

    void passFolded() {
        tokens.take();
        tokens.take();
    }

    private Type folded(Type type, int place) {
        return switch (type.name()) {
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB ->
                    new Type(Type.Name.VARCHAR_IGNORECASE, type.length(), 0);
            default ->
                    throw tokens.error(
                            Kind.TYPE_MISMATCH, place, "COLLATE is for text, not " + type);
        };
    }

    /// Accepts COLLATE and a name. The only collation is by code point.
    boolean collated() {
        boolean named =
                tokens.peek(1).kind() == Token.Kind.QUOTED
                        || TokenReader.isName(tokens.peek(1), "pg_catalog");
        if (!named || !tokens.acceptWord("COLLATE")) {
            return false;
        }
        Statement.Identifier name = tokens.relation("a collation");
        if (!COLLATIONS.contains(name.name().toLowerCase(Locale.ROOT))) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "Texts compare by code points, as with COLLATE \"C\", or"
                            + " without case as VARCHAR_IGNORECASE; there is no collation \""
                            + name.name()
                            + "\"");
        }
        return true;
    }

    private Type single() {
        Statement.Identifier word = tokens.relation("a type name");
        String upper = word.name().toUpperCase(Locale.ROOT);
        if (upper.equals("NATIONAL")) {
            word = tokens.name("a type name");
            upper = word.name().toUpperCase(Locale.ROOT);
        }
        if (upper.equals("ENUM")
                && word.schema().isEmpty()
                && tokens.peek().isSymbol("(")
                && tokens.peek(1).kind() == Token.Kind.STRING) {
            return enumeration();
        }
        boolean own = word.schema().isEmpty() || word.schema().equalsIgnoreCase("pg_catalog");
        boolean users =
                word.schema().isEmpty() || word.schema().equalsIgnoreCase(SearchPath.PUBLIC);
        Type.Name name = own ? NAMES.get(upper) : null;
        if (name == null) {
            Type user = users ? tokens.types().named(word.name()) : null;
            if (user != null) {
                return user;
            }
            Type.Name element = own && upper.startsWith("_") ? NAMES.get(upper.substring(1)) : null;
            if (element != null) {
                return Type.array(plain(element)); // PostgreSQL's name of an array type
            }
            if (!word.schema().isEmpty()) {
                throw tokens.error(
                        Kind.UNKNOWN_OBJECT,
                        word.position(),
                        "There is no type \""
                                + word.text()
                                + "\": types that users define are in public, whatever schema their"
                                + " tables are in");
            }
            throw tokens.error(
                    Kind.SYNTAX,
                    word.position(),
                    "There is no type \""
                            + word.name()
                            + "\""
                            + Nearest.hint(word.name(), NAMES.keySet()));
        }
        return switch (upper) {
            case "DOUBLE" -> {
                tokens.acceptWord("PRECISION");
                yield Type.of(name);
            }
            case "FLOAT" -> floating();
            case "CHARACTER", "CHAR", "NCHAR" -> character();
            case "BINARY" -> binary();
            case "BIT" -> bit();
            case "TIME", "TIMETZ", "TIMESTAMP", "DATETIME", "DATETIME2" -> temporal(name);
            case "TIMESTAMPTZ", "DATETIMEOFFSET" -> temporal(name);
            case "DECFLOAT" -> floatingDecimal(name);
            case "INTERVAL" -> interval();
            case "NAME" -> Type.varchar(IDENTIFIER_LENGTH);
            default -> plain(name);
        };
    }

    private Type plain(Type.Name name) {
        return switch (name) {
            case DECIMAL -> decimal();
            case CHAR, VARCHAR, VARCHAR_IGNORECASE, BINARY, VARBINARY, BIT, VARBIT ->
                    new Type(name, length(0), 0);
            case CLOB, BLOB -> {
                length(0, Integer.MAX_VALUE);
                yield Type.of(name);
            }
            case TINYINT, SMALLINT, INTEGER, BIGINT -> {
                length(0); // MySQL's width of display
                yield Type.of(name);
            }
            case BOOLEAN, REAL, DOUBLE, DATE, TIME, TIME_TZ -> Type.of(name);
            case TIMESTAMP, TIMESTAMP_TZ, UUID, JSON, INTERVAL -> Type.of(name);
            case ARRAY, ENUM, COMPOSITE ->
                    throw new IllegalStateException("none has a name of its own");
        };
    }

    /// The labels of `ENUM ('a', 'b')`, as in MySQL and H2: a type whose name spells them. Names must differ in more
    /// than case, so other labels with an equal name make the name longer.
    private Type enumeration() {
        List<String> labels = new ArrayList<>();
        StringBuilder name = new StringBuilder("ENUM(");
        tokens.expect("(");
        do {
            Token label = tokens.peek();
            if (label.kind() != Token.Kind.STRING) {
                tokens.expected("a label");
                throw tokens.unexpected();
            }
            if (labels.contains(label.text()) || label.text().isEmpty()) {
                throw tokens.error(
                        Kind.DUPLICATE_OBJECT,
                        label.position(),
                        "The labels of an enumeration differ, and none is empty; leave '"
                                + label.text()
                                + "' out");
            }
            name.append(labels.isEmpty() ? "'" : ", '");
            name.append(label.text().replace("'", "''")).append('\'');
            labels.add(label.text());
            tokens.take();
        } while (tokens.accept(","));
        tokens.expect(")");
        name.append(')');
        EnumType known = enumeration(name.toString());
        while (known != null && !isOf(known, labels)) {
            name.append('*'); // labels that differ in case only
            known = enumeration(name.toString());
        }
        return Type.of(known == null ? EnumType.of(name.toString(), labels) : known);
    }

    /// The enumeration of exactly this name, in any case; null for none.
    private @Nullable EnumType enumeration(String name) {
        Type known = tokens.types().named(name);
        return known != null
                        && known.user() instanceof EnumType own
                        && own.name().equalsIgnoreCase(name)
                ? own
                : null;
    }

    private static boolean isOf(EnumType type, List<String> labels) {
        return type.labels().stream().map(EnumType.Label::text).toList().equals(labels);
    }

    /// DECFLOAT, a DECIMAL, since neither limits its digits. With a number of digits it would round.
    private Type floatingDecimal(Type.Name name) {
        if (tokens.peek().isSymbol("(")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    tokens.position(),
                    "DECFLOAT keeps all digits, as DECIMAL does, and rounds to no number of them;"
                            + " leave the number out");
        }
        return Type.of(name);
    }

    /// FLOAT(p): at most 24 binary digits fit a REAL.
    private Type floating() {
        int digits = length(53);
        return Type.of(digits <= 24 ? Type.Name.REAL : Type.Name.DOUBLE);
    }

    private Type character() {
        if (tokens.acceptWord("VARYING")) {
            return Type.varchar(length(0));
        }
        if (tokens.acceptWord("LARGE")) {
            large();
            return Type.of(Type.Name.CLOB);
        }
        return new Type(Type.Name.CHAR, length(1), 0);
    }

    private Type binary() {
        if (tokens.acceptWord("VARYING")) {
            return new Type(Type.Name.VARBINARY, length(0), 0);
        }
        if (tokens.acceptWord("LARGE")) {
            large();
            return Type.of(Type.Name.BLOB);
        }
        return new Type(Type.Name.BINARY, length(1), 0);
    }

    /// BIT and BIT(1), a boolean in most databases; a longer one and BIT VARYING are bit strings.
    private Type bit() {
        if (tokens.acceptWord("VARYING")) {
            return new Type(Type.Name.VARBIT, length(0, BITS_MAX), 0);
        }
        int length = length(1, BITS_MAX);
        return length > 1 ? new Type(Type.Name.BIT, length, 0) : Type.of(Type.Name.BOOLEAN);
    }

    private void large() {
        if (!tokens.acceptWord("OBJECT")) {
            tokens.expected("OBJECT");
            throw tokens.unexpected();
        }
        length(0);
    }

    private Type temporal(Type.Name name) {
        int digits = secondDigits();
        boolean zone = tokens.peek().is(Keyword.WITH) && tokens.peek(1).is(Keyword.TIME);
        if (zone || tokens.peek().is(Keyword.WITHOUT)) {
            tokens.take();
            tokens.expect(Keyword.TIME);
            tokens.expect(Keyword.ZONE);
        }
        boolean time = name == Type.Name.TIME;
        Type.Name zoned = time ? Type.Name.TIME_TZ : Type.Name.TIMESTAMP_TZ;
        return Type.temporal(zone ? zoned : name, digits);
    }

    /// Digits of a second in parentheses, or the maximum. Up to nine are accepted, and six are kept.
    int secondDigits() {
        if (!tokens.peek().isSymbol("(")) {
            return TimePrecision.MAX;
        }
        int position = tokens.position();
        tokens.take();
        int digits = number("a number of digits", 0, LENGTH_MAX);
        tokens.expect(")");
        if (digits > NANOSECOND_DIGITS) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED, position, "Seconds have at most 6 decimal places");
        }
        return Math.min(digits, TimePrecision.MAX);
    }

    /// An INTERVAL keeps all digits of its seconds. Those before the point may be numbered first.
    private void allSecondDigits() {
        int position = tokens.position();
        boolean two = tokens.peek().isSymbol("(") && tokens.peek(2).isSymbol(",");
        if (two) {
            tokens.take();
            number("a length", 1, LENGTH_MAX);
            tokens.take();
        }
        int digits = two ? number("a number of digits", 0, NANOSECOND_DIGITS) : secondDigits();
        if (two) {
            tokens.expect(")");
        }
        if (digits < TimePrecision.MAX) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "The seconds of an INTERVAL always have 6 decimal places; leave the number out");
        }
    }

    /// INTERVAL with its optional fields.
    private Type interval() {
        Token first = tokens.peek();
        if (first.kind() != Token.Kind.WORD || !Intervals.isField(first.text())) {
            allSecondDigits();
            return Typing.INTERVAL;
        }
        tokens.take();
        Token last = first;
        boolean seconds = first.text().equalsIgnoreCase("SECOND");
        if (!seconds && tokens.peek().isSymbol("(")) {
            length(0); // all digits of the first field are kept
        }
        if (tokens.accept(Keyword.TO)) {
            last = tokens.take();
        }
        allSecondDigits();
        Type type = Type.interval(first.text(), last.text());
        if (type == null) {
            throw tokens.error(
                    Kind.SYNTAX,
                    last.position(),
                    "An INTERVAL goes from YEAR TO MONTH, from DAY TO SECOND, or has all fields");
        }
        return type;
    }

    private Type decimal() {
        if (!tokens.peek().isSymbol("(")) {
            return Type.of(Type.Name.DECIMAL);
        }
        tokens.take();
        int digits = number("a number of digits", 1, DIGITS_MAX);
        int scale = tokens.accept(",") ? number("a scale", 0, digits) : 0;
        tokens.expect(")");
        return new Type(Type.Name.DECIMAL, digits, scale);
    }

    /// A length in parentheses, or `usual` if there is none.
    private int length(int usual) {
        return length(usual, LENGTH_MAX);
    }

    private int length(int usual, int most) {
        if (!tokens.peek().isSymbol("(")) {
            return usual;
        }
        tokens.take();
        if (tokens.acceptWord("MAX")) { // as of SQL Server
            tokens.expect(")");
            return usual;
        }
        int length = number("a length", 1, most);
        if (!tokens.acceptWord("CHARACTERS") && !tokens.acceptWord("OCTETS")) {
            // As of Oracle; OCTETS and BYTE count characters, as in H2.
            if (!tokens.acceptWord("CHAR")) {
                tokens.acceptWord("BYTE");
            }
        }
        tokens.expect(")");
        return length;
    }

    private int number(String what, int least, int most) {
        Token token = tokens.peek();
        if (token.kind() != Token.Kind.INTEGER) {
            tokens.expected(what);
            throw tokens.unexpected();
        }
        long written = token.text().length() > 18 ? Long.MAX_VALUE : Long.parseLong(token.text());
        int value = (int) Math.min(written, Integer.MAX_VALUE);
        if (value < least || value > most) {
            throw tokens.error(
                    Kind.OUT_OF_RANGE,
                    token.position(),
                    "Expected " + what + " from " + least + " to " + most);
        }
        tokens.take();
        return value;
    }

    private static Map<String, Type.Name> names() {
        Map<String, Type.Name> names = new TreeMap<>();
        add(names, Type.Name.BOOLEAN, "BOOLEAN", "BOOL", "BIT");
        add(names, Type.Name.TINYINT, "TINYINT", "INT1", "BYTE");
        add(names, Type.Name.SMALLINT, "SMALLINT", "INT2", "SHORT");
        add(names, Type.Name.INTEGER, "INTEGER", "INT", "INT4", "MEDIUMINT");
        add(names, Type.Name.BIGINT, "BIGINT", "INT8", "LONG", "OID");
        add(names, Type.Name.DECIMAL, "DECIMAL", "DEC", "NUMERIC", "NUMBER", "DECFLOAT");
        add(names, Type.Name.REAL, "REAL", "FLOAT4", "BINARY_FLOAT");
        add(names, Type.Name.DOUBLE, "DOUBLE", "FLOAT", "FLOAT8", "BINARY_DOUBLE");
        add(names, Type.Name.CHAR, "CHAR", "CHARACTER", "NCHAR");
        add(names, Type.Name.VARCHAR, "VARCHAR", "VARCHAR2", "NVARCHAR", "TEXT", "STRING");
        add(names, Type.Name.VARCHAR, "NAME", "NVARCHAR2", "BPCHAR");
        add(names, Type.Name.VARCHAR_IGNORECASE, "VARCHAR_IGNORECASE", "CITEXT");
        add(names, Type.Name.VARCHAR, "VARCHAR_CASESENSITIVE");
        add(names, Type.Name.CLOB, "CLOB", "NCLOB", "LONGVARCHAR", "LONGTEXT", "MEDIUMTEXT");
        add(names, Type.Name.CLOB, "TINYTEXT", "NTEXT");
        add(names, Type.Name.BINARY, "BINARY");
        add(names, Type.Name.VARBINARY, "VARBINARY", "BYTEA", "RAW");
        add(names, Type.Name.BLOB, "BLOB", "LONGVARBINARY", "IMAGE", "LONGBLOB", "MEDIUMBLOB");
        add(names, Type.Name.BLOB, "TINYBLOB");
        add(names, Type.Name.DATE, "DATE");
        add(names, Type.Name.TIME, "TIME");
        add(names, Type.Name.TIME_TZ, "TIMETZ");
        add(names, Type.Name.TIMESTAMP, "TIMESTAMP", "DATETIME", "DATETIME2");
        add(names, Type.Name.TIMESTAMP, "SMALLDATETIME");
        add(names, Type.Name.TIMESTAMP_TZ, "TIMESTAMPTZ", "DATETIMEOFFSET");
        add(names, Type.Name.UUID, "UUID");
        add(names, Type.Name.JSON, "JSON", "JSONB");
        add(names, Type.Name.INTERVAL, "INTERVAL");
        add(names, Type.Name.VARBIT, "VARBIT");
        return Map.copyOf(names);
    }

    private static void add(Map<String, Type.Name> names, Type.Name type, String... aliases) {
        for (String alias : aliases) {
            names.put(alias, type);
        }
    }
}
