package dev.oriel.sql.json;

import dev.oriel.sql.syntax.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A path of SQL/JSON, as ISO/IEC 19075-6 describes it: `strict $.items[*] ? (@.price > 10).name`. Immutable;
/// [JsonPathParser] makes one, [JsonPathRun] evaluates it.
///
/// @param strict whether a structural error is raised. In lax mode steps unwrap arrays, and take single values as
///     arrays, as needed
public record JsonPath(boolean strict, Node root) {
    /// Text of the path, as PostgreSQL prints it.
    public String text() {
        return JsonPathText.of(this);
    }

    /// A node of the syntax tree of a path.
    sealed interface Node {}

    /// `$`.
    record Root() implements Node {}

    /// `@`, the item that a filter tests.
    record Current() implements Node {}

    /// `last`, the greatest index of the enclosing array.
    record Last() implements Node {}

    /// `$name`, a variable passed by the caller.
    record Variable(String name) implements Node {}

    /// A constant, as the bytes that [dev.oriel.table.value.Json] makes.
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Constant(byte[] json) implements Node {}

    /// `.name`.
    ///
    /// @param bytes encoded name, as objects store it
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Member(Node base, String name, byte[] bytes) implements Node {}

    /// `.*`.
    record AnyMember(Node base) implements Node {}

    /// `.**`, the descendants in a range of depths.
    record Descendants(Node base, int least, int most) implements Node {}

    /// `[0, 2 to last]`.
    record Elements(Node base, List<Range> ranges) implements Node {}

    /// One index, or all from one to another.
    record Range(Node from, @Nullable Node to) {}

    /// `[*]`.
    record AnyElement(Node base) implements Node {}

    /// `? (condition)`.
    record Filter(Node base, Predicate condition) implements Node {}

    /// `.size()` and its like.
    record Method(Node base, MethodName name) implements Node {}

    /// `.datetime()`.
    ///
    /// @param template null for the forms of ISO 8601
    record DateTime(Node base, @Nullable String template) implements Node {}

    enum MethodName {
        TYPE,
        SIZE,
        DOUBLE,
        NUMBER,
        INTEGER,
        BIGINT,
        STRING,
        BOOLEAN,
        CEILING,
        FLOOR,
        ABS,
        KEYVALUE
    }

    /// Whether `.**` precedes `step` in its path.
    static boolean isBelowDescendants(Node step) {
        Node at = step;
        while (true) {
            switch (at) {
                case Member n -> at = n.base();
                case AnyMember n -> at = n.base();
                case Elements n -> at = n.base();
                case AnyElement n -> at = n.base();
                case Filter n -> at = n.base();
                case Method n -> at = n.base();
                case DateTime n -> at = n.base();
                case Descendants _ -> {
                    return true;
                }
                default -> {
                    return false;
                }
            }
        }
    }

    /// Binary arithmetic: one of `+ - * / %`.
    record Calculation(char operator, Node left, Node right) implements Node {}

    /// A sign before numbers.
    record Signed(boolean minus, Node operand) implements Node {}

    /// A predicate: true, false or unknown. As an item, unknown is null.
    sealed interface Predicate extends Node {}

    record Comparison(Expression.Operator operator, Node left, Node right) implements Predicate {}

    record Logical(boolean and, Predicate left, Predicate right) implements Predicate {}

    record Not(Predicate operand) implements Predicate {}

    record Exists(Node path) implements Predicate {}

    record IsUnknown(Predicate operand) implements Predicate {}

    record StartsWith(Node text, Node beginning) implements Predicate {}

    /// `like_regex`.
    ///
    /// @param flags flags of REGEXP_LIKE
    record Matches(Node text, String pattern, String flags) implements Predicate {}
}
