package dev.oriel.sql.json;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.json.JsonPath.Node;
import dev.oriel.sql.json.JsonPath.Predicate;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Regex;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Reads a [JsonPath] by descending the precedences, loosest first:
///
/// ```
/// || | && | ! | == != <> < <= > >= starts with, like_regex | + - | * / % | sign | . [] ? ()
/// ```
public final class JsonPathParser {
    /// Limit of the nesting depth of a path, and of the number of consecutive steps.
    private static final int NESTING_MAX = 200;

    private static final int TEXT_CHARS_MAX = 100_000;

    /// Keywords that are lower case only, as in JSON; all others are case-insensitive.
    private static final Set<String> CONSTANTS = Set.of("true", "false", "null");

    private final String text;
    private final Place place;
    private int at;
    private int nesting;

    /// Number of filters and subscripts around this place.
    private int filters;

    private int subscripts;

    /// @param place position of the path in the statement
    private JsonPathParser(String text, Place place) {
        this.text = text;
        this.place = place;
    }

    /// Parses `text`.
    public static JsonPath parse(String text, Place place) {
        return new JsonPathParser(text, place).whole();
    }

    private JsonPath whole() {
        if (text.length() > TEXT_CHARS_MAX) {
            throw error("it is longer than " + TEXT_CHARS_MAX + " characters");
        }
        boolean strict = word("strict");
        if (!strict) {
            word("lax");
        }
        Node root = or();
        blanks();
        if (at < text.length()) {
            throw unexpected("the end");
        }
        return new JsonPath(strict, root);
    }

    private Node or() {
        if (++nesting > NESTING_MAX) {
            throw error("it is nested more than " + NESTING_MAX + " levels deep");
        }
        Node left = and();
        int steps = 0;
        while (symbol("||")) {
            limit(++steps);
            left = new JsonPath.Logical(false, predicate(left), predicate(and()));
        }
        nesting--;
        return left;
    }

    private Node and() {
        Node left = comparison();
        int steps = 0;
        while (symbol("&&")) {
            limit(++steps);
            left = new JsonPath.Logical(true, predicate(left), predicate(comparison()));
        }
        return left;
    }

    private void limit(int steps) {
        if (steps > NESTING_MAX) {
            throw error("more than " + NESTING_MAX + " steps follow one another");
        }
    }

    private Predicate predicate(Node node) {
        if (node instanceof Predicate predicate) {
            return predicate;
        }
        throw error("a condition was expected here");
    }

    private Node value(Node node) {
        if (node instanceof Predicate) {
            throw error("a value was expected here, not a condition");
        }
        return node;
    }

    private Node comparison() {
        Node left = sum();
        blanks();
        for (String symbol : new String[] {"==", "=", "!=", "<>", "<=", "<", ">=", ">"}) {
            if (symbol(symbol)) {
                Operator operator =
                        switch (symbol) {
                            case "==", "=" -> Operator.EQUAL;
                            case "!=", "<>" -> Operator.NOT_EQUAL;
                            case "<=" -> Operator.LESS_OR_EQUAL;
                            case "<" -> Operator.LESS;
                            case ">=" -> Operator.GREATER_OR_EQUAL;
                            default -> Operator.GREATER;
                        };
                return new JsonPath.Comparison(operator, value(left), value(sum()));
            }
        }
        if (word("starts")) {
            need("with");
            return new JsonPath.StartsWith(value(left), primary());
        }
        if (word("like_regex")) {
            return matches(value(left));
        }
        return left;
    }

    private Node matches(Node left) {
        blanks();
        String pattern = string();
        String flags = "";
        if (word("flag")) {
            blanks();
            flags = string();
        }
        if (flags.contains("q")) {
            throw error("the flag \"q\" is not known: escape the pattern");
        }
        // Compiles the pattern now, so that a bad one fails here and not at run time.
        Regex.like(new Object[] {"", pattern, Regex.ofLines(flags)}, place);
        return new JsonPath.Matches(left, pattern, flags);
    }

    private Node sum() {
        Node left = product();
        int steps = 0;
        while (true) {
            blanks();
            char c = peek();
            if (c != '+' && c != '-') {
                return left;
            }
            limit(++steps);
            at++;
            left = new JsonPath.Calculation(c, value(left), value(product()));
        }
    }

    private Node product() {
        Node left = signed();
        int steps = 0;
        while (true) {
            blanks();
            char c = peek();
            if (c != '*' && c != '/' && c != '%') {
                return left;
            }
            limit(++steps);
            at++;
            left = new JsonPath.Calculation(c, value(left), value(signed()));
        }
    }

    private Node signed() {
        blanks();
        char c = peek();
        if (c != '+' && c != '-') {
            return steps(primary());
        }
        at++;
        if (++nesting > NESTING_MAX) {
            throw error("it is nested more than " + NESTING_MAX + " levels deep");
        }
        Node operand = value(signed());
        nesting--;
        if (operand instanceof JsonPath.Constant constant
                && Json.kind(constant.json(), 0) == Json.Kind.NUMBER) {
            BigDecimal number = new BigDecimal(Json.text(constant.json()));
            return c == '+' ? operand : constant(new JsonBuilder().putNumber(number.negate()));
        }
        return new JsonPath.Signed(c == '-', operand);
    }

    private Node primary() {
        blanks();
        char c = peek();
        if (c == '$') {
            at++;
            if (peek() == '"') {
                return new JsonPath.Variable(string());
            }
            return isWordStart(peek()) ? new JsonPath.Variable(identifier()) : new JsonPath.Root();
        }
        if (c == '@') {
            if (filters == 0) {
                throw error("\"@\" is what a filter looks at: it is allowed in ?(...) only");
            }
            at++;
            return new JsonPath.Current();
        }
        if (c == '"') {
            return constant(new JsonBuilder().putString(string()));
        }
        if (digit(c) || c == '.') {
            return number();
        }
        if (c == '(') {
            at++;
            Node inner = or();
            need(")");
            if (inner instanceof Predicate predicate && word("is")) {
                need("unknown");
                return new JsonPath.IsUnknown(predicate);
            }
            return inner;
        }
        if (c == '!') {
            at++;
            if (++nesting > NESTING_MAX) {
                throw error("it is nested more than " + NESTING_MAX + " levels deep");
            }
            Node operand = primary();
            nesting--;
            return new JsonPath.Not(predicate(operand));
        }
        return named();
    }

    private Node named() {
        if (word("true")) {
            return constant(new JsonBuilder().putBoolean(true));
        } else if (word("false")) {
            return constant(new JsonBuilder().putBoolean(false));
        } else if (word("null")) {
            return constant(new JsonBuilder().putNull());
        } else if (word("last")) {
            if (subscripts == 0) {
                throw error("last is an index: it is allowed in [...] only");
            }
            return new JsonPath.Last();
        } else if (word("exists")) {
            need("(");
            Node path = value(or());
            need(")");
            return new JsonPath.Exists(path);
        }
        throw unexpected("\"$\", \"@\", a constant or \"(\"");
    }

    private static Node constant(JsonBuilder value) {
        return new JsonPath.Constant(value.toBytes());
    }

    private Node number() {
        int start = at;
        digits();
        if (at > start + 1 && text.charAt(start) == '0') {
            at = start;
            throw error("a number does not begin with 0 before other digits");
        }
        if (peek() == '.' && (digit(peek(1)) || exponent(1))) {
            at++;
            digits();
        }
        if (exponent(0)) {
            at += 2;
            digits();
        }
        if (isWordStart(peek())) {
            throw unexpected("an operator");
        }
        try {
            return constant(new JsonBuilder().putNumber(new BigDecimal(text.substring(start, at))));
        } catch (IllegalArgumentException beyond) {
            at = start;
            throw error("this number is out of range");
        }
    }

    /// Whether an exponent begins `ahead` characters from here.
    private boolean exponent(int ahead) {
        char letter = peek(ahead);
        char next = peek(ahead + 1);
        boolean signed = (next == '+' || next == '-') && digit(peek(ahead + 2));
        return (letter == 'e' || letter == 'E') && (digit(next) || signed);
    }

    private void digits() {
        while (digit(peek())) {
            at++;
        }
    }

    /// Parses the steps after `base`: member and element accessors, filters, methods.
    private Node steps(Node base) {
        Node node = base;
        int steps = 0;
        while (true) {
            blanks();
            char c = peek();
            if (c != '.' && c != '[' && c != '?') {
                return node;
            }
            limit(++steps);
            value(node);
            at++;
            node =
                    switch (c) {
                        case '.' -> dot(node);
                        case '[' -> subscript(node);
                        default -> filter(node);
                    };
        }
    }

    private Node dot(Node base) {
        blanks();
        if (symbol("**")) {
            return descendants(base);
        }
        if (symbol("*")) {
            return new JsonPath.AnyMember(base);
        }
        if (peek() == '"') {
            return member(base, string());
        }
        if (!isWordStart(peek())) {
            throw unexpected("a name");
        }
        int start = at;
        String name = identifier();
        blanks();
        if (peek() != '(') {
            return member(base, name);
        }
        at++;
        if (name.equalsIgnoreCase("datetime")) {
            blanks();
            String template = peek() == '"' ? string() : null;
            need(")");
            return new JsonPath.DateTime(base, template);
        }
        need(")");
        for (JsonPath.MethodName method : JsonPath.MethodName.values()) {
            if (method.name().equalsIgnoreCase(name)) {
                return new JsonPath.Method(base, method);
            }
        }
        at = start;
        throw error(
                "there is no method \""
                        + name
                        + "\": there are type, size, double, number, integer, bigint, string,"
                        + " boolean, ceiling, floor, abs, keyvalue, datetime");
    }

    private Node member(Node base, String name) {
        try {
            return new JsonPath.Member(base, name, Json.name(name));
        } catch (IllegalArgumentException unfit) {
            throw error(String.valueOf(unfit.getMessage()));
        }
    }

    /// `.**`, `.**{2}`, `.**{1 to last}`.
    private Node descendants(Node base) {
        if (!symbol("{")) {
            return new JsonPath.Descendants(base, 0, Integer.MAX_VALUE);
        }
        int least = level();
        int most = word("to") ? level() : least;
        need("}");
        return new JsonPath.Descendants(base, least, most);
    }

    private int level() {
        if (word("last")) {
            return Integer.MAX_VALUE;
        }
        blanks();
        int start = at;
        digits();
        if (at == start || at - start > 6) {
            at = start;
            throw unexpected("a level");
        }
        return Integer.parseInt(text.substring(start, at));
    }

    private Node subscript(Node base) {
        if (symbol("*")) {
            need("]");
            return new JsonPath.AnyElement(base);
        }
        subscripts++;
        List<JsonPath.Range> ranges = new ArrayList<>();
        do {
            Node from = value(or());
            ranges.add(new JsonPath.Range(from, word("to") ? value(or()) : null));
        } while (symbol(","));
        need("]");
        subscripts--;
        return new JsonPath.Elements(base, List.copyOf(ranges));
    }

    private Node filter(Node base) {
        need("(");
        filters++;
        Predicate condition = predicate(or());
        filters--;
        need(")");
        return new JsonPath.Filter(base, condition);
    }

    private String identifier() {
        int start = at;
        while (at < text.length() && (isWordStart(peek()) || digit(peek()) || peek() == '$')) {
            at++;
        }
        return text.substring(start, at);
    }

    /// A string in double quotes, with the escapes of JSON.
    private String string() {
        if (peek() != '"') {
            throw unexpected("a string in double quotes");
        }
        int start = at++;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        if (at >= text.length()) {
            at = start;
            throw error("this string is not closed");
        }
        at++;
        try {
            return Json.string(Json.parse(text.substring(start, at)), 0);
        } catch (IllegalArgumentException unfit) {
            at = start;
            throw error(String.valueOf(unfit.getMessage()));
        }
    }

    private boolean symbol(String symbol) {
        blanks();
        if (text.startsWith(symbol, at)) {
            at += symbol.length();
            return true;
        }
        return false;
    }

    private boolean word(String word) {
        blanks();
        int end = at + word.length();
        boolean whole = end >= text.length() || !isWordPart(text.charAt(end));
        boolean anyCase = !CONSTANTS.contains(word);
        if (whole && text.regionMatches(anyCase, at, word, 0, word.length())) {
            at = end;
            return true;
        }
        return false;
    }

    private void need(String what) {
        boolean found = Character.isLetter(what.charAt(0)) ? word(what) : symbol(what);
        if (!found) {
            throw unexpected("\"" + what + "\"");
        }
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        return peek(0);
    }

    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWordStart(char c) {
        return c == '_' || Character.isLetter(c) || Character.isSurrogate(c);
    }

    private static boolean isWordPart(char c) {
        return isWordStart(c) || digit(c);
    }

    private SqlException unexpected(String wanted) {
        blanks();
        String found =
                at >= text.length()
                        ? "the end"
                        : "\"" + Character.toString(text.codePointAt(at)) + "\"";
        return error(wanted + " was expected, found " + found);
    }

    private SqlException error(String problem) {
        return place.error(
                Kind.SYNTAX,
                "This is not a JSON path: "
                        + problem
                        + " (character "
                        + (at + 1)
                        + " of the path)");
    }
}
