package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.ModelQuery.Cond;
import dev.oriel.sql.ModelQuery.Env;
import dev.oriel.sql.ModelQuery.Query;
import dev.oriel.sql.ModelQuery.Values;
import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Random joins, subqueries, groups and set operations over small tables with every kind of key, against
/// [ModelQuery]. A failing query is reduced as far as possible before it is reported. `-Dmodel.queries=` sets their
/// number.
class QueryModelTest {
    private static final int COUNT = Integer.getInteger("model.queries", 2_500);
    private static final int QUERIES_A_FILLING = 30;

    private final TestDatabase database = opened();
    private final int count = count();
    private final Gen gen = new Gen(Seed.of("queries", 20_260_101));
    private final Map<String, List<Values>> tables = new LinkedHashMap<>();

    /// Database for the queries.
    TestDatabase opened() {
        return new TestDatabase();
    }

    /// Number of queries.
    int count() {
        return COUNT;
    }

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    private void create() {
        database.update("CREATE TABLE r (a INT, b INT, c DECIMAL(4, 0))");
        database.update("CREATE TABLE s (a INT PRIMARY KEY, b INT, c INT)");
        database.update("CREATE TABLE t (a INT, b BIGINT, c INT)");
        database.update("CREATE INDEX t_ab ON t (a, b)");
        database.update("CREATE TABLE u (a SMALLINT, b INT, c INT)");
        database.update("CREATE ARRAY INDEX u_b ON u (b)");
        database.update("CREATE UNIQUE INDEX u_c ON u (c)");
    }

    private void fill() {
        for (String table : ModelQueries.TABLES) {
            database.update("TRUNCATE " + table);
            List<Values> rows = new ArrayList<>();
            int count = gen.below(7);
            for (int i = 0; i < count; i++) {
                List<@Nullable Long> row = new ArrayList<>();
                row.add(table.equals("s") ? Long.valueOf(i) : small());
                row.add(small());
                row.add(table.equals("u") && gen.chance(70) ? Long.valueOf(i) : small());
                if (table.equals("u") && row.get(2) != null) {
                    row.set(2, (long) i);
                }
                rows.add(new Values(row));
                String values = rows.getLast().text().replace("|", ", ");
                database.update("INSERT INTO " + table + " VALUES (" + values + ")");
            }
            tables.put(table, rows);
        }
    }

    private @Nullable Long small() {
        return gen.chance(20) ? null : gen.between(0, 4);
    }

    @Test
    void answersAreThoseOfNestedLoops() {
        create();
        ModelQueries queries = new ModelQueries(gen);
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < count; i++) {
            if (i % QUERIES_A_FILLING == 0) {
                fill();
            }
            Query query = queries.query();
            if (difference(query) != null) {
                Query least = smallest(query);
                throw new AssertionError(
                        "query "
                                + i
                                + ": "
                                + difference(least)
                                + "\n"
                                + least.sql()
                                + "\n"
                                + tables);
            }
            String plan = String.join("\n", database.query("EXPLAIN " + query.sql()));
            for (String node : NODES) {
                seen.merge(node, plan.contains(node) ? 1 : 0, Integer::sum);
            }
            seen.merge("rows", database.query(query.sql()).isEmpty() ? 0 : 1, Integer::sum);
        }
        for (String node : NODES) {
            assertTrue(seen.getOrDefault(node, 0) > count / 100, () -> node + " of " + seen);
        }
        assertTrue(seen.getOrDefault("rows", 0) > count / 3, () -> "rows of " + seen);
    }

    /// Kinds of parts, each of which must occur in more than a hundredth of the queries.
    private static final List<String> NODES =
            List.of(
                    "LoopJoin\n",
                    "LoopJoin left",
                    "HashJoin (",
                    "HashJoin left",
                    "HashJoin full",
                    "KeptJoin",
                    "for each",
                    "once",
                    ") IN (",
                    "EXISTS (",
                    "Intersect",
                    "Except",
                    "Append",
                    "Kept w");

    /// Error in the answer to `query`; null if it is right.
    private @Nullable String difference(Query query) {
        List<String> expected = new ArrayList<>();
        query.of(new Env(tables, Map.of())).forEach(row -> expected.add(row.text()));
        List<String> found;
        try {
            found = database.query(query.sql());
        } catch (RuntimeException failure) {
            return "fails: " + failure;
        }
        if (!(query instanceof ModelQuery.Ordered
                || (query instanceof ModelQuery.With with
                        && with.query() instanceof ModelQuery.Ordered))) {
            Collections.sort(expected);
            Collections.sort(found);
        }
        return expected.equals(found) ? null : "expected " + expected + ", found " + found;
    }

    /// `failing`, reduced as long as it fails.
    private Query smallest(Query failing) {
        Query least = failing;
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (Query candidate : smaller(least)) {
                if (difference(candidate) != null) {
                    least = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        return least;
    }

    private static List<Query> smaller(Query query) {
        List<Query> all = new ArrayList<>();
        switch (query) {
            case ModelQuery.Select select -> {
                smaller(select.where())
                        .forEach(where ->
                                all.add(
                                        new ModelQuery.Select(
                                                select.distinct(),
                                                select.items(),
                                                select.from(),
                                                where)));
                if (select.distinct()) {
                    all.add(
                            new ModelQuery.Select(
                                    false, select.items(), select.from(), select.where()));
                }
                if (select.items().size() > 1) {
                    all.add(
                            new ModelQuery.Select(
                                    select.distinct(),
                                    select.items().subList(1, select.items().size()),
                                    select.from(),
                                    select.where()));
                }
            }
            case ModelQuery.Grouped grouped ->
                    smaller(grouped.where())
                            .forEach(where ->
                                    all.add(
                                            new ModelQuery.Grouped(
                                                    grouped.keys(),
                                                    grouped.aggregates(),
                                                    grouped.from(),
                                                    where)));
            case ModelQuery.SetOperation operation -> {
                all.add(operation.left());
                all.add(operation.right());
            }
            case ModelQuery.Ordered ordered -> all.add(ordered.query());
            case ModelQuery.Least least -> all.add(least.query());
            case ModelQuery.With with ->
                    smaller(with.query())
                            .forEach(inner ->
                                    all.add(new ModelQuery.With(with.name(), with.named(), inner)));
        }
        return all;
    }

    /// A null in the list means no condition at all.
    private static List<@Nullable Cond> smaller(@Nullable Cond condition) {
        List<@Nullable Cond> all = new ArrayList<>();
        if (condition == null) {
            return all;
        }
        all.add(null);
        switch (condition) {
            case ModelQuery.Both both -> {
                all.add(both.left());
                all.add(both.right());
            }
            case ModelQuery.Not not -> all.add(not.operand());
            case ModelQuery.Exists exists ->
                    smaller(exists.query()).forEach(inner -> all.add(new ModelQuery.Exists(inner)));
            case ModelQuery.Quantified quantified ->
                    smaller(quantified.query()).stream()
                            .filter(inner -> inner.width() == 1)
                            .forEach(inner ->
                                    all.add(
                                            new ModelQuery.Quantified(
                                                    quantified.operand(),
                                                    quantified.operator(),
                                                    quantified.all(),
                                                    inner)));
            case ModelQuery.Compare compare -> {}
            case ModelQuery.IsNull test -> {}
            case ModelQuery.Always always -> {}
        }
        return all;
    }

    @Test
    void changesSeeTheTablesAsTheyWere() {
        create();
        for (int i = 0; i < 200; i++) {
            fill();
            Map<String, List<Values>> before = Map.copyOf(tables);
            ModelQuery.Table self = new ModelQuery.Table("r", "r", 3);
            ModelQuery.Column a = new ModelQuery.Column("r", 0, "a");
            ModelQuery.Column other = new ModelQuery.Column("o", gen.below(3), "abc");
            String column = "abc".substring(other.index(), other.index() + 1);
            Cond where =
                    new ModelQuery.Quantified(
                            a,
                            gen.pick(List.of("=", "<>", "<")),
                            gen.chance(50),
                            new ModelQuery.Select(
                                    false,
                                    List.of(new ModelQuery.Column("o", other.index(), column)),
                                    new ModelQuery.Table(gen.chance(50) ? "r" : "t", "o", 3),
                                    gen.chance(50)
                                            ? null
                                            : new ModelQuery.Compare(
                                                    "<>", new ModelQuery.Column("o", 0, "a"), a)));
            List<String> kept = new ArrayList<>();
            long gone = 0;
            for (Map<String, Values> row : self.of(new Env(before, Map.of()))) {
                boolean deleted = Boolean.TRUE.equals(where.of(new Env(before, row)));
                gone += deleted ? 1 : 0;
                if (!deleted) {
                    row.values().forEach(values -> kept.add(values.text()));
                }
            }
            String sql = "DELETE FROM r WHERE " + where.sql();
            assertEquals(gone, database.update(sql), sql);
            List<String> found = database.query("SELECT * FROM r");
            Collections.sort(kept);
            Collections.sort(found);
            assertEquals(kept, found, sql);
        }
    }
}
