package dev.oriel.sql.json;

import dev.oriel.sql.json.JsonPath.Node;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import java.util.Locale;

/// Prints a [JsonPath] in the format of PostgreSQL: names in double quotes, parentheses only if needed.
final class JsonPathText {
    /// Precedences of operators, loosest first.
    private static final int OR = 0;

    private static final int AND = 1;
    private static final int COMPARISON = 2;
    private static final int SUM = 3;
    private static final int PRODUCT = 4;
    private static final int SIGN = 5;
    private static final int TIGHTEST = 6;

    private final StringBuilder out = new StringBuilder();

    private JsonPathText() {}

    static String of(JsonPath path) {
        JsonPathText text = new JsonPathText();
        if (path.strict()) {
            text.out.append("strict ");
        }
        text.put(path.root(), true);
        return text.out.toString();
    }

    /// @param enclosed whether an operator gets parentheses
    private void put(Node node, boolean enclosed) {
        switch (node) {
            case JsonPath.Root _ -> out.append('$');
            case JsonPath.Current _ -> out.append('@');
            case JsonPath.Last _ -> out.append("last");
            case JsonPath.Variable variable -> {
                out.append('$');
                quoted(variable.name());
            }
            case JsonPath.Constant constant -> out.append(Json.text(constant.json()));
            case JsonPath.Member member -> {
                base(member.base());
                out.append('.');
                quoted(member.name());
            }
            case JsonPath.AnyMember any -> {
                base(any.base());
                out.append(".*");
            }
            case JsonPath.AnyElement any -> {
                base(any.base());
                out.append("[*]");
            }
            case JsonPath.Descendants all -> descendants(all);
            case JsonPath.Elements elements -> elements(elements);
            case JsonPath.Filter filter -> {
                base(filter.base());
                out.append("?(");
                put(filter.condition(), false);
                out.append(')');
            }
            case JsonPath.Method method -> {
                base(method.base());
                out.append('.').append(method.name().name().toLowerCase(Locale.ROOT));
                out.append("()");
            }
            case JsonPath.DateTime date -> {
                base(date.base());
                out.append(".datetime(");
                if (date.template() != null) {
                    quoted(date.template());
                }
                out.append(')');
            }
            case JsonPath.Calculation pair ->
                    pair(node, pair.left(), " " + pair.operator() + " ", pair.right(), enclosed);
            case JsonPath.Signed signed -> {
                out.append(enclosed ? "(" : "").append(signed.minus() ? '-' : '+');
                put(signed.operand(), precedence(signed.operand()) <= SIGN);
                out.append(enclosed ? ")" : "");
            }
            case JsonPath.Predicate predicate -> predicate(predicate, enclosed);
        }
    }

    private void predicate(JsonPath.Predicate node, boolean enclosed) {
        switch (node) {
            case JsonPath.Comparison pair ->
                    pair(node, pair.left(), symbol(pair), pair.right(), enclosed);
            case JsonPath.Logical pair ->
                    pair(node, pair.left(), pair.and() ? " && " : " || ", pair.right(), enclosed);
            case JsonPath.StartsWith pair ->
                    pair(node, pair.text(), " starts with ", pair.beginning(), enclosed);
            case JsonPath.Not not -> around("!(", not.operand(), ")");
            case JsonPath.Exists exists -> around("exists (", exists.path(), ")");
            case JsonPath.IsUnknown unknown -> around("(", unknown.operand(), ") is unknown");
            case JsonPath.Matches matches -> {
                out.append(enclosed ? "(" : "");
                put(matches.text(), precedence(matches.text()) <= COMPARISON);
                out.append(" like_regex ");
                quoted(matches.pattern());
                if (!matches.flags().isEmpty()) {
                    out.append(" flag ");
                    StringBuilder flags = new StringBuilder();
                    for (char flag : "ismxq".toCharArray()) {
                        if (matches.flags().indexOf(flag) >= 0) {
                            flags.append(flag);
                        }
                    }
                    quoted(flags.toString());
                }
                out.append(enclosed ? ")" : "");
            }
        }
    }

    private void around(String before, Node node, String behind) {
        out.append(before);
        put(node, false);
        out.append(behind);
    }

    private void pair(Node node, Node left, String operator, Node right, boolean enclosed) {
        int own = precedence(node);
        out.append(enclosed ? "(" : "");
        put(left, precedence(left) <= own);
        out.append(operator);
        put(right, precedence(right) <= own);
        out.append(enclosed ? ")" : "");
    }

    private static String symbol(JsonPath.Comparison comparison) {
        return switch (comparison.operator()) {
            case EQUAL -> " == ";
            case NOT_EQUAL -> " != ";
            case LESS -> " < ";
            case LESS_OR_EQUAL -> " <= ";
            case GREATER -> " > ";
            default -> " >= ";
        };
    }

    /// Prints a node that steps may follow: numbers and operators get parentheses.
    private void base(Node node) {
        boolean number =
                node instanceof JsonPath.Constant constant
                        && "-0123456789".indexOf(Json.text(constant.json()).charAt(0)) >= 0;
        out.append(number ? "(" : "");
        put(node, true);
        out.append(number ? ")" : "");
    }

    private void descendants(JsonPath.Descendants all) {
        base(all.base());
        out.append(".**");
        if (all.least() == 0 && all.most() == Integer.MAX_VALUE) {
            return;
        }
        out.append('{').append(level(all.least()));
        if (all.least() != all.most()) {
            out.append(" to ").append(level(all.most()));
        }
        out.append('}');
    }

    private static String level(int level) {
        return level == Integer.MAX_VALUE ? "last" : Integer.toString(level);
    }

    private void elements(JsonPath.Elements elements) {
        base(elements.base());
        String between = "[";
        for (JsonPath.Range range : elements.ranges()) {
            out.append(between);
            put(range.from(), false);
            if (range.to() != null) {
                out.append(" to ");
                put(range.to(), false);
            }
            between = ",";
        }
        out.append(']');
    }

    private void quoted(String text) {
        out.append(Json.text(new JsonBuilder().putString(text).toBytes()));
    }

    private static int precedence(Node node) {
        return switch (node) {
            case JsonPath.Logical logical -> logical.and() ? AND : OR;
            case JsonPath.Comparison _, JsonPath.StartsWith _ -> COMPARISON;
            case JsonPath.Calculation pair ->
                    pair.operator() == '+' || pair.operator() == '-' ? SUM : PRODUCT;
            case JsonPath.Signed _ -> SIGN;
            default -> TIGHTEST;
        };
    }
}
