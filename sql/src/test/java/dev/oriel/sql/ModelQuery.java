package dev.oriel.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Queries over small tables of integers that can be written as SQL, and evaluated naively: nested
/// loops over lists, three-valued logic spelled out, and nothing shared with the engine.
final class ModelQuery {
    /// The values of a row, any of which may be null.
    record Values(List<@Nullable Long> list) {
        @Nullable Long at(int i) {
            return list.get(i);
        }

        String text() {
            return String.join(
                    "|", list.stream().map(v -> v == null ? "NULL" : v.toString()).toList());
        }
    }

    /// The tables' rows by name, and the current rows of the query's names.
    record Env(Map<String, List<Values>> tables, Map<String, Values> rows) {
        Env with(Map<String, Values> more) {
            Map<String, Values> all = new HashMap<>(rows);
            all.putAll(more);
            return new Env(tables, all);
        }
    }

    private ModelQuery() {}

    sealed interface Expr {
        String sql();

        @Nullable Long of(Env env);
    }

    record Column(String alias, int index, String name) implements Expr {
        @Override
        public String sql() {
            return alias + "." + name;
        }

        @Override
        public @Nullable Long of(Env env) {
            return Objects.requireNonNull(env.rows.get(alias), alias).at(index);
        }
    }

    record Literal(@Nullable Long value) implements Expr {
        @Override
        public String sql() {
            return value == null ? "CAST(NULL AS INT)" : value.toString();
        }

        @Override
        public @Nullable Long of(Env env) {
            return value;
        }
    }

    record Plus(Expr left, Expr right) implements Expr {
        @Override
        public String sql() {
            return "(" + left.sql() + " + " + right.sql() + ")";
        }

        @Override
        public @Nullable Long of(Env env) {
            Long a = left.of(env);
            Long b = right.of(env);
            return a == null || b == null ? null : Long.valueOf(a + b);
        }
    }

    record Either(Expr left, Expr right) implements Expr {
        @Override
        public String sql() {
            return "COALESCE(" + left.sql() + ", " + right.sql() + ")";
        }

        @Override
        public @Nullable Long of(Env env) {
            Long a = left.of(env);
            return a == null ? right.of(env) : a;
        }
    }

    /// A query of one row and one column.
    record Single(Query query) implements Expr {
        @Override
        public String sql() {
            return "(" + query.sql() + ")";
        }

        @Override
        public @Nullable Long of(Env env) {
            List<Values> rows = query.of(env);
            if (rows.size() > 1) {
                throw new IllegalStateException("more than one row");
            }
            return rows.isEmpty() ? null : rows.getFirst().at(0);
        }
    }

    record Aggregate(String name, @Nullable Expr argument) {
        String sql() {
            return name + "(" + (argument == null ? "*" : argument.sql()) + ")";
        }

        @Nullable Long of(List<Env> group) {
            Expr each = argument;
            if (each == null) {
                return (long) group.size();
            }
            List<Long> values = new ArrayList<>();
            for (Env env : group) {
                Long value = each.of(env);
                if (value != null) {
                    values.add(value);
                }
            }
            return switch (name) {
                case "COUNT" -> (long) values.size();
                case "SUM" -> values.stream().reduce(Long::sum).orElse(null);
                case "MIN" -> values.stream().min(Long::compare).orElse(null);
                default -> values.stream().max(Long::compare).orElse(null);
            };
        }
    }

    /// A condition: true, false, or null for unknown.
    sealed interface Cond {
        String sql();

        @Nullable Boolean of(Env env);
    }

    record Compare(String operator, Expr left, Expr right) implements Cond {
        @Override
        public String sql() {
            return left.sql() + " " + operator + " " + right.sql();
        }

        @Override
        public @Nullable Boolean of(Env env) {
            return compare(operator, left.of(env), right.of(env));
        }
    }

    static @Nullable Boolean compare(String operator, @Nullable Long a, @Nullable Long b) {
        if (operator.equals("IS NOT DISTINCT FROM")) {
            return Objects.equals(a, b);
        }
        if (a == null || b == null) {
            return null;
        }
        return switch (operator) {
            case "=" -> a.equals(b);
            case "<>" -> !a.equals(b);
            case "<" -> a < b;
            case "<=" -> a <= b;
            case ">" -> a > b;
            default -> a >= b;
        };
    }

    record Both(boolean and, Cond left, Cond right) implements Cond {
        @Override
        public String sql() {
            return "(" + left.sql() + (and ? " AND " : " OR ") + right.sql() + ")";
        }

        @Override
        public @Nullable Boolean of(Env env) {
            return both(and, left.of(env), right.of(env));
        }
    }

    static @Nullable Boolean both(boolean and, @Nullable Boolean a, @Nullable Boolean b) {
        if (Objects.equals(a, !and) || Objects.equals(b, !and)) {
            return !and;
        }
        return (a == null || b == null) ? null : Boolean.valueOf(and);
    }

    record Not(Cond operand) implements Cond {
        @Override
        public String sql() {
            return "NOT (" + operand.sql() + ")";
        }

        @Override
        public @Nullable Boolean of(Env env) {
            Boolean value = operand.of(env);
            return value == null ? null : Boolean.valueOf(!value);
        }
    }

    record IsNull(Expr operand) implements Cond {
        @Override
        public String sql() {
            return operand.sql() + " IS NULL";
        }

        @Override
        public Boolean of(Env env) {
            return operand.of(env) == null;
        }
    }

    record Always(boolean value) implements Cond {
        @Override
        public String sql() {
            return value ? "TRUE" : "FALSE";
        }

        @Override
        public Boolean of(Env env) {
            return value;
        }
    }

    record Exists(Query query) implements Cond {
        @Override
        public String sql() {
            return "EXISTS (" + query.sql() + ")";
        }

        @Override
        public Boolean of(Env env) {
            return !query.of(env).isEmpty();
        }
    }

    /// `operand operator ANY (query)`, or ALL; printed as IN and NOT IN if equivalent.
    record Quantified(Expr operand, String operator, boolean all, Query query) implements Cond {
        @Override
        public String sql() {
            String word = operator + (all ? " ALL " : " ANY ");
            if (operator.equals("=") && !all) {
                word = "IN ";
            } else if (operator.equals("<>") && all) {
                word = "NOT IN ";
            }
            return operand.sql() + " " + word + "(" + query.sql() + ")";
        }

        @Override
        public @Nullable Boolean of(Env env) {
            Boolean result = all;
            for (Values row : query.of(env)) {
                result = both(all, result, compare(operator, operand.of(env), row.at(0)));
            }
            return result;
        }
    }

    /// A FROM clause: rows, as the values that each name refers to.
    sealed interface From {
        String sql();

        List<Map<String, Values>> of(Env env);

        /// The names, each with the number of its columns.
        Map<String, Integer> widths();
    }

    /// @param width width of a table whose columns are a, b, c
    record Table(String name, String alias, int width) implements From {
        @Override
        public String sql() {
            return name + " AS " + alias;
        }

        @Override
        public List<Map<String, Values>> of(Env env) {
            return Objects.requireNonNull(env.tables.get(name)).stream()
                    .map(row -> Map.of(alias, row))
                    .toList();
        }

        @Override
        public Map<String, Integer> widths() {
            return Map.of(alias, width);
        }
    }

    record Derived(Query query, String alias, boolean lateral, int width) implements From {
        @Override
        public String sql() {
            String columns = String.join(", ", List.of("a", "b", "c").subList(0, width));
            String word = lateral ? "LATERAL " : "";
            return word + "(" + query.sql() + ") AS " + alias + " (" + columns + ")";
        }

        @Override
        public List<Map<String, Values>> of(Env env) {
            return query.of(env).stream().map(row -> Map.of(alias, row)).toList();
        }

        @Override
        public Map<String, Integer> widths() {
            return Map.of(alias, width);
        }
    }

    /// @param on null for a comma
    record Join(String kind, From left, From right, @Nullable Cond on) implements From {
        @Override
        public String sql() {
            if (on == null) {
                return left.sql() + " CROSS JOIN " + side(right);
            }
            return left.sql() + " " + kind + " JOIN " + side(right) + " ON " + on.sql();
        }

        private static String side(From from) {
            return from instanceof Join ? "(" + from.sql() + ")" : from.sql();
        }

        @Override
        public Map<String, Integer> widths() {
            Map<String, Integer> widths = new LinkedHashMap<>(left.widths());
            widths.putAll(right.widths());
            return widths;
        }

        @Override
        public List<Map<String, Values>> of(Env env) {
            List<Map<String, Values>> rows = new ArrayList<>();
            for (Map<String, Values> a : left.of(env)) {
                boolean matched = false;
                for (Map<String, Values> b : right.of(env.with(a))) {
                    Map<String, Values> both = joined(a, b);
                    if (on == null || Objects.equals(on.of(env.with(both)), true)) {
                        rows.add(both);
                        matched = true;
                    }
                }
                if (!matched && (kind.equals("LEFT") || kind.equals("FULL"))) {
                    rows.add(joined(a, nulls(right)));
                }
            }
            if (kind.equals("RIGHT") || kind.equals("FULL")) {
                addUnmatched(env, rows);
            }
            return rows;
        }

        private void addUnmatched(Env env, List<Map<String, Values>> rows) {
            for (Map<String, Values> b : right.of(env)) {
                boolean matched = false;
                for (Map<String, Values> a : left.of(env)) {
                    boolean holds =
                            on == null || Objects.equals(on.of(env.with(joined(a, b))), true);
                    matched |= holds;
                }
                if (!matched) {
                    rows.add(joined(nulls(left), b));
                }
            }
        }

        private static Map<String, Values> nulls(From from) {
            Map<String, Values> nulls = new HashMap<>();
            from.widths().forEach((alias, width) -> nulls.put(alias, ofNulls(width)));
            return nulls;
        }

        private static Map<String, Values> joined(Map<String, Values> a, Map<String, Values> b) {
            Map<String, Values> both = new HashMap<>(a);
            both.putAll(b);
            return both;
        }
    }

    static Values ofNulls(int width) {
        List<@Nullable Long> nulls = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            nulls.add(null);
        }
        return new Values(nulls);
    }

    sealed interface Query {
        String sql();

        List<Values> of(Env env);

        int width();
    }

    record Select(boolean distinct, List<Expr> items, From from, @Nullable Cond where)
            implements Query {
        @Override
        public String sql() {
            return "SELECT "
                    + (distinct ? "DISTINCT " : "")
                    + String.join(", ", items.stream().map(Expr::sql).toList())
                    + " FROM "
                    + from.sql()
                    + (where == null ? "" : " WHERE " + where.sql());
        }

        @Override
        public List<Values> of(Env env) {
            List<Values> rows = new ArrayList<>();
            for (Env each : kept(env, from, where)) {
                List<@Nullable Long> values = new ArrayList<>();
                items.forEach(item -> values.add(item.of(each)));
                Values row = new Values(values);
                if (!distinct || !rows.contains(row)) {
                    rows.add(row);
                }
            }
            return rows;
        }

        @Override
        public int width() {
            return items.size();
        }
    }

    private static List<Env> kept(Env env, From from, @Nullable Cond where) {
        List<Env> kept = new ArrayList<>();
        for (Map<String, Values> row : from.of(env)) {
            Env each = env.with(row);
            if (where == null || Objects.equals(where.of(each), true)) {
                kept.add(each);
            }
        }
        return kept;
    }

    /// Keys, then aggregates; one row if there are no keys.
    record Grouped(List<Expr> keys, List<Aggregate> aggregates, From from, @Nullable Cond where)
            implements Query {
        @Override
        public String sql() {
            List<String> items = new ArrayList<>(keys.stream().map(Expr::sql).toList());
            aggregates.forEach(aggregate -> items.add(aggregate.sql()));
            String by = String.join(", ", keys.stream().map(Expr::sql).toList());
            return "SELECT "
                    + String.join(", ", items)
                    + " FROM "
                    + from.sql()
                    + (where == null ? "" : " WHERE " + where.sql())
                    + (keys.isEmpty() ? "" : " GROUP BY " + by);
        }

        @Override
        public List<Values> of(Env env) {
            Map<Values, List<Env>> groups = new LinkedHashMap<>();
            if (keys.isEmpty()) {
                groups.put(new Values(List.of()), new ArrayList<>());
            }
            for (Env each : kept(env, from, where)) {
                List<@Nullable Long> key = new ArrayList<>();
                keys.forEach(expression -> key.add(expression.of(each)));
                groups.computeIfAbsent(new Values(key), k -> new ArrayList<>()).add(each);
            }
            List<Values> rows = new ArrayList<>();
            groups.forEach((key, group) -> {
                List<@Nullable Long> values = new ArrayList<>(key.list());
                aggregates.forEach(aggregate -> values.add(aggregate.of(group)));
                rows.add(new Values(values));
            });
            return rows;
        }

        @Override
        public int width() {
            return keys.size() + aggregates.size();
        }
    }

    record SetOperation(String kind, boolean all, Query left, Query right) implements Query {
        @Override
        public String sql() {
            String word = " " + kind + (all ? " ALL " : " ");
            return "(" + left.sql() + ")" + word + "(" + right.sql() + ")";
        }

        @Override
        public List<Values> of(Env env) {
            List<Values> rows = new ArrayList<>();
            List<Values> others = new ArrayList<>(right.of(env));
            for (Values row : left.of(env)) {
                boolean there =
                        (all && !kind.equals("UNION")) ? others.remove(row) : others.contains(row);
                if (kind.equals("UNION") || there == kind.equals("INTERSECT")) {
                    rows.add(row);
                }
            }
            if (kind.equals("UNION")) {
                rows.addAll(others);
            }
            return all ? rows : new ArrayList<>(rows.stream().distinct().toList());
        }

        @Override
        public int width() {
            return left.width();
        }
    }

    /// Ordered by all of its columns, with a limit.
    record Ordered(Query query, boolean descending, @Nullable Integer limit) implements Query {
        @Override
        public String sql() {
            List<String> keys = new ArrayList<>();
            for (int i = 1; i <= query.width(); i++) {
                keys.add(i + (descending ? " DESC" : ""));
            }
            return (query instanceof Least ? "(" + query.sql() + ")" : query.sql())
                    + " ORDER BY "
                    + String.join(", ", keys)
                    + (limit == null ? "" : " LIMIT " + limit);
        }

        @Override
        public List<Values> of(Env env) {
            List<Values> rows = new ArrayList<>(query.of(env));
            rows.sort((a, b) -> descending ? order(b, a) : order(a, b));
            return limit == null || limit >= rows.size() ? rows : rows.subList(0, limit);
        }

        @Override
        public int width() {
            return query.width();
        }
    }

    /// The least rows of a query by all of its columns, the last one first, and of these the first `width`.
    record Least(Query query, int width, int limit) implements Query {
        @Override
        public String sql() {
            List<String> columns = new ArrayList<>();
            for (int i = 0; i < query.width(); i++) {
                columns.add("c" + i);
            }
            return "SELECT "
                    + String.join(", ", columns.subList(0, width))
                    + " FROM ("
                    + query.sql()
                    + ") AS low ("
                    + String.join(", ", columns)
                    + ") ORDER BY "
                    + String.join(", ", columns.reversed())
                    + " LIMIT "
                    + limit;
        }

        @Override
        public List<Values> of(Env env) {
            return query.of(env).stream()
                    .sorted((a, b) -> order(reversed(a), reversed(b)))
                    .limit(limit)
                    .map(row -> new Values(row.list().subList(0, width)))
                    .toList();
        }

        private static Values reversed(Values row) {
            return new Values(row.list().reversed());
        }
    }

    /// NULL last.
    private static int order(Values a, Values b) {
        for (int i = 0; i < a.list().size(); i++) {
            Long x = a.at(i);
            Long y = b.at(i);
            int difference =
                    x == null || y == null
                            ? Boolean.compare(x == null, y == null)
                            : Long.compare(x, y);
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    /// `WITH name AS (named) query`, whose tables may be called `name`.
    record With(String name, Query named, Query query) implements Query {
        @Override
        public String sql() {
            String columns = String.join(", ", List.of("a", "b", "c").subList(0, named.width()));
            return "WITH " + name + " (" + columns + ") AS (" + named.sql() + ") " + query.sql();
        }

        @Override
        public List<Values> of(Env env) {
            Map<String, List<Values>> tables = new HashMap<>(env.tables);
            tables.put(name, named.of(env));
            return query.of(new Env(tables, env.rows));
        }

        @Override
        public int width() {
            return query.width();
        }
    }
}
