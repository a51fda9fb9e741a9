package com.example;

import static org.jooq.impl.DSL.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.Meta;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Schema;
import org.jooq.Table;
import org.jooq.codegen.GenerationTool;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.Target;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** jOOQ's dialect for PostgreSQL: kinds of statements, each with its result as text; metadata; generated code. */
class JooqTest {
    private static final Table<?> CUSTOMER = table(name("customer"));
    private static final Table<?> SALE = table(name("sale"));
    private static final Field<Integer> ID = field(name("customer", "id"), SQLDataType.INTEGER);
    private static final Field<String> NAME = field(name("customer", "name"), SQLDataType.VARCHAR);
    private static final Field<String[]> TAGS = field(name("customer", "tags"), SQLDataType.VARCHAR.array());
    private static final Field<JSON> INFO = field(name("customer", "info"), SQLDataType.JSON);
    private static final Field<Integer> SALE_ID = field(name("sale", "id"), SQLDataType.INTEGER);
    private static final Field<Integer> BUYER = field(name("sale", "customer"), SQLDataType.INTEGER);
    private static final Field<BigDecimal> PRICE = field(name("sale", "price"), SQLDataType.DECIMAL(10, 2));

    private record Kind(String name, String expected, Function<DSLContext, Object> run) {}

    private static Kind kind(String name, String expected, Function<DSLContext, Object> run) {
        return new Kind(name, expected, run);
    }

    /** The values of all rows, columns by a comma and rows by a bar. */
    private static String text(Object result) {
        return result instanceof org.jooq.Result<?> rows
                ? rows.stream().map(JooqTest::line).collect(Collectors.joining("|"))
                : result instanceof Record row ? line(row) : String.valueOf(result);
    }

    private static String line(Record row) {
        return Stream.of(row.intoArray())
                .map(each -> each instanceof Object[] array ? List.of(array).toString() : each instanceof org.jooq.Result<?> nested ? "{" + text(nested) + "}" : each instanceof Record inner ? "(" + line(inner) + ")" : String.valueOf(each))
                .collect(Collectors.joining(","));
    }

    private static final List<Kind> KINDS =
            List.of(
                    kind("select", "Ann|Bob", d -> d.select(NAME).from(CUSTOMER).orderBy(NAME).fetch()),
                    kind("join", "Ann,10.00|Ann,20.00|Bob,5.50", d -> d.select(NAME, PRICE).from(CUSTOMER).join(SALE).on(BUYER.eq(ID)).orderBy(NAME, PRICE).fetch()),
                    kind("left join with aggregate", "Ann,2|Bob,1", d -> d.select(NAME, count(SALE_ID)).from(CUSTOMER).leftJoin(SALE).on(BUYER.eq(ID)).groupBy(NAME).orderBy(NAME).fetch()),
                    kind("having", "1", d -> d.select(BUYER).from(SALE).groupBy(BUYER).having(count().gt(1)).fetch()),
                    kind("limit and offset", "2", d -> d.select(SALE_ID).from(SALE).orderBy(SALE_ID).limit(1).offset(1).fetch()),
                    kind("with ties", "10.00|5.50", d -> d.select(PRICE).from(SALE).orderBy(PRICE.desc()).limit(2).withTies().offset(1).fetch()),
                    kind("seek", "2|3", d -> d.select(SALE_ID).from(SALE).orderBy(SALE_ID).seek(1).limit(5).fetch()),
                    kind("exists", "Ann|Bob", d -> d.select(NAME).from(CUSTOMER).where(exists(selectOne().from(SALE).where(BUYER.eq(ID)))).orderBy(NAME).fetch()),
                    kind("in", "Ann", d -> d.select(NAME).from(CUSTOMER).where(NAME.in("Ann", "Zoe")).fetch()),
                    kind("in with a subquery", "Ann|Bob", d -> d.select(NAME).from(CUSTOMER).where(ID.in(select(BUYER).from(SALE))).orderBy(NAME).fetch()),
                    kind("row values in", "1", d -> d.select(SALE_ID).from(SALE).where(row(BUYER, PRICE).in(row(1, new BigDecimal("10.00")))).fetch()),
                    kind("row(1, 2) as a column", "(1,2)", d -> d.select(row(val(1), val(2))).fetch()),
                    kind("row of columns", "(1,Ann)", d -> d.select(row(ID, NAME)).from(CUSTOMER).where(ID.eq(1)).fetch()),
                    kind("like and escape", "Ann", d -> d.select(NAME).from(CUSTOMER).where(NAME.containsIgnoreCase("nN")).fetch()),
                    kind("case", "big|small|small", d -> d.select(when(PRICE.gt(BigDecimal.TEN), "big").otherwise("small").as("s")).from(SALE).orderBy(field(name("s"))).fetch()),
                    kind("coalesce and nullif", "x", d -> d.select(coalesce(nullif(val("a"), val("a")), val("x"))).fetch()),
                    kind("cast", "12", d -> d.select(cast(val("12"), SQLDataType.INTEGER)).fetch()),
                    kind("cast to jsonpath", "true", d -> d.select(field("jsonb_path_exists({0}, cast({1} as jsonpath))", Boolean.class, cast(val("{\"a\": 1}"), SQLDataType.JSONB), val("$.a"))).fetch()),
                    kind("union, intersect, except", "1|3", d -> d.selectDistinct(asterisk()).from(selectOne().unionAll(select(inline(3))).except(select(inline(2))).asTable("t", "a")).orderBy(1).fetch()),
                    kind("single value in a derived table", "2", d -> { var t = select(val(1).as("a")).asTable("t"); return d.select(t.field("a", Integer.class).plus(1)).from(t).fetch(); }),
                    kind("single value in with", "1", d -> { var c = name("c").fields("a").as(select(val(1))); return d.with(c).select().from(c).where(c.field("a", Integer.class).eq(1)).fetch(); }),
                    kind("with", "2", d -> { var c = name("c").as(select(SALE_ID.as("i")).from(SALE).where(PRICE.gt(BigDecimal.TEN))); return d.with(c).selectFrom(c).fetch(); }),
                    kind("recursive with", "6", d -> { var n = name("n").fields("i").as(select(val(1)).unionAll(select(field(name("i"), Integer.class).plus(1)).from(name("n")).where(field(name("i"), Integer.class).lt(3)))); return d.withRecursive(n).select(sum(field(name("i"), Integer.class))).from(n).fetch(); }),
                    kind("window", "1,1|2,2|3,1", d -> d.select(SALE_ID, rowNumber().over(partitionBy(BUYER).orderBy(SALE_ID))).from(SALE).orderBy(SALE_ID).fetch()),
                    kind("window frame", "10.00|30.00|35.50", d -> d.select(sum(PRICE).over(orderBy(SALE_ID).rowsBetweenUnboundedPreceding().andCurrentRow())).from(SALE).orderBy(SALE_ID).fetch()),
                    kind("filter", "1", d -> d.select(count().filterWhere(PRICE.gt(BigDecimal.TEN))).from(SALE).fetch()),
                    kind("listagg", "Ann;Bob", d -> d.select(listAgg(NAME, ";").withinGroupOrderBy(NAME)).from(CUSTOMER).fetch()),
                    kind("percentile", "10.00", d -> d.select(percentileDisc(0.5).withinGroupOrderBy(PRICE)).from(SALE).fetch()),
                    kind("grouping sets", "3", d -> d.fetchCount(select(BUYER, count()).from(SALE).groupBy(rollup(BUYER)))),
                    kind("lateral", "Ann,20.00|Bob,5.50", d -> { var top = lateral(select(max(PRICE).as("m")).from(SALE).where(BUYER.eq(ID))).as("t"); return d.select(NAME, top.field("m")).from(CUSTOMER, top).orderBy(NAME).fetch(); }),
                    kind("multiset", "Ann,{1|2}|Bob,{3}", d -> d.select(NAME, multiset(select(SALE_ID).from(SALE).where(BUYER.eq(ID)).orderBy(SALE_ID))).from(CUSTOMER).orderBy(NAME).fetch()),
                    kind("multiset_agg", "1,{1|2}|2,{3}", d -> d.select(BUYER, multisetAgg(SALE_ID).orderBy(SALE_ID)).from(SALE).groupBy(BUYER).orderBy(BUYER).fetch()),
                    kind("array of a subquery", "[1, 2]", d -> d.select(array(select(SALE_ID).from(SALE).where(BUYER.eq(1)).orderBy(SALE_ID))).fetch()),
                    kind("array_agg", "[Ann, Bob]", d -> d.select(arrayAgg(NAME).orderBy(NAME)).from(CUSTOMER).fetch()),
                    kind("array column", "[new, vip]", d -> d.select(TAGS).from(CUSTOMER).where(ID.eq(1)).fetch()),
                    kind("array parameter", "Ann", d -> d.select(NAME).from(CUSTOMER).where(val("vip").eq(any(TAGS))).fetch()),
                    kind("unnest", "1|2", d -> d.select().from(unnest(array(val(1), val(2)))).fetch()),
                    kind("generate_series", "1|2|3", d -> d.select().from(generateSeries(1, 3)).fetch()),
                    kind("values", "1,a|2,b", d -> d.select().from(values(row(1, "a"), row(2, "b")).as("v", "n", "t")).fetch()),
                    kind("json value", "\"Town\"", d -> d.select(jsonValue(INFO, "$.city")).from(CUSTOMER).where(ID.eq(1)).fetch()),
                    kind("json object and array", "{\"a\": 1, \"b\": [2]}", d -> d.select(jsonObject(key("a").value(1), key("b").value(jsonArray(val(2))))).fetch()),
                    kind("json_arrayagg", "[\"Ann\", \"Bob\"]", d -> d.select(jsonArrayAgg(NAME).orderBy(NAME)).from(CUSTOMER).fetch()),
                    kind("json exists", "2", d -> d.fetchCount(selectOne().from(CUSTOMER).where(jsonExists(INFO, "$.city")))),
                    kind("date arithmetic", "2026-03-01", d -> d.select(dateAdd(java.sql.Date.valueOf("2026-02-28"), 1, org.jooq.DatePart.DAY)).fetch()),
                    kind("extract and trunc", "2026", d -> d.select(year(java.time.LocalDate.of(2026, 5, 6))).fetch()),
                    kind("strings", "ABC,3,bc", d -> d.select(upper(val("abc")), length(val("abc")), substring(val("abc"), 2)).fetch()),
                    kind("numbers", "2,3.14,1", d -> d.select(ceil(val(1.2)).cast(Integer.class), round(val(3.14159), 2), val(7).mod(3)).fetch()),
                    kind("nextval", "100", d -> d.nextval("receipts")),
                    kind("nextval of a quoted name", "100", d -> d.select(sequence(name("receipts"), Integer.class).nextval()).fetch()),
                    kind("insert returning", "3", d -> d.insertInto(CUSTOMER, NAME).values("Cleo").returningResult(ID).fetch()),
                    kind("insert of several rows", "2", d -> d.insertInto(CUSTOMER, NAME).values("Dan").values("Eve").execute()),
                    kind("insert from select", "1", d -> d.insertInto(CUSTOMER, NAME).select(select(concat(NAME, val("2"))).from(CUSTOMER).where(NAME.eq("Ann"))).execute()),
                    kind("on conflict do nothing", "0", d -> d.insertInto(CUSTOMER, NAME).values("Ann").onConflict(NAME).doNothing().execute()),
                    kind("on conflict do update", "1,Ann!", d -> d.insertInto(CUSTOMER, ID, NAME).values(7, "Ann").onConflict(NAME).doUpdate().set(NAME, "Ann!").returningResult(ID, NAME).fetch()),
                    kind("on duplicate key", "1", d -> d.insertInto(CUSTOMER, ID, NAME).values(1, "Ann").onDuplicateKeyIgnore().execute() + 1),
                    kind("update", "2", d -> d.update(SALE).set(PRICE, PRICE.plus(1)).where(BUYER.eq(1)).execute()),
                    kind("update returning", "11.00", d -> d.update(SALE).set(PRICE, PRICE.plus(1)).where(SALE_ID.eq(1)).returningResult(PRICE).fetch()),
                    kind("update from", "2", d -> d.update(SALE).set(PRICE, BigDecimal.ONE).from(CUSTOMER).where(BUYER.eq(ID)).and(NAME.eq("Ann")).execute()),
                    kind("update of a row", "1", d -> d.update(SALE).set(row(BUYER, PRICE), row(val(2), val(BigDecimal.ONE))).where(SALE_ID.eq(1)).execute()),
                    kind("delete returning", "3", d -> d.deleteFrom(SALE).where(BUYER.eq(2)).returningResult(SALE_ID).fetch()),
                    kind("merge", "2", d -> d.mergeInto(CUSTOMER).using(values(row(1, "Anna"), row(9, "Nina")).as("v", "i", "n")).on(ID.eq(field(name("v", "i"), Integer.class))).whenMatchedThenUpdate().set(NAME, field(name("v", "n"), String.class)).whenNotMatchedThenInsert(ID, NAME).values(field(name("v", "i"), Integer.class), field(name("v", "n"), String.class)).execute()),
                    kind("for update", "1", d -> d.select(ID).from(CUSTOMER).where(ID.eq(1)).forUpdate().fetch()),
                    kind("for update skip locked", "1", d -> d.select(ID).from(CUSTOMER).where(ID.eq(1)).forUpdate().of(CUSTOMER).skipLocked().fetch()),
                    kind("for share", "1", d -> d.select(ID).from(CUSTOMER).where(ID.eq(1)).forShare().noWait().fetch()),
                    kind("batch", "[1, 1]", d -> java.util.Arrays.toString(d.batch(d.insertInto(CUSTOMER, NAME).values((String) null)).bind("p").bind("q").execute())),
                    kind("batch of statements", "[1, 1]", d -> java.util.Arrays.toString(d.batch(d.insertInto(CUSTOMER, NAME).values("p"), d.deleteFrom(SALE).where(SALE_ID.eq(3))).execute())),
                    kind("nested transaction", "2", d -> { d.transaction(t -> { try { t.dsl().transaction(u -> { u.dsl().deleteFrom(SALE).execute(); throw new IllegalStateException(); }); } catch (IllegalStateException e) { t.dsl().deleteFrom(SALE).where(SALE_ID.eq(1)).execute(); } }); return d.fetchCount(SALE); }),
                    kind("cursor", "3", d -> { int n = 0; try (var c = d.selectFrom(SALE).fetchSize(2).fetchLazy()) { while (c.fetchNext() != null) { n++; } } return n; }),
                    kind("stream", "Ann,Bob", d -> { try (var s = d.select(NAME).from(CUSTOMER).orderBy(NAME).stream()) { return s.map(r -> r.value1()).collect(Collectors.joining(",")); } }),
                    kind("create table", "0", d -> d.createTable("made").column("id", SQLDataType.BIGINT.generatedByDefaultAsIdentity()).column("n", SQLDataType.VARCHAR(10).notNull().defaultValue("x")).column("t", SQLDataType.TIMESTAMPWITHTIMEZONE).constraints(constraint("made_key").primaryKey("id"), constraint("made_n").unique("n"), constraint("made_c").check(field("n", String.class).ne("y"))).execute()),
                    kind("create table as", "2", d -> { d.createTable("copied").as(select(ID, NAME).from(CUSTOMER)).execute(); return d.fetchCount(table("copied")); }),
                    kind("alter table", "0", d -> d.alterTable(SALE).addColumn("note", SQLDataType.VARCHAR(10)).execute() + d.alterTable(SALE).renameColumn("note").to("remark").execute() + d.alterTable(SALE).dropColumn("remark").execute()),
                    kind("create index, view, sequence, schema", "0", d -> d.createIndex("i").on(SALE, PRICE).execute() + d.createView("v", "a").as(selectOne()).execute() + d.createSequence("s").startWith(5).execute() + d.createSchema("x").execute() + d.dropSchema("x").cascade().execute()),
                    kind("create type", "0", d -> d.createType("mood").asEnum("sad", "glad").execute() + d.dropType("mood").execute()),
                    kind("comment", "0", d -> d.commentOnTable(SALE).is("sold").execute()),
                    kind("truncate", "0", d -> { d.truncate(SALE).restartIdentity().cascade().execute(); return d.fetchCount(SALE); }),
                    kind("load csv", "2", d -> { try { return d.loadInto(CUSTOMER).loadCSV("id,name\n50,Pat\n51,Quin\n").fields(ID, NAME).execute().stored(); } catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); } }),
                    kind("current schema", "public", d -> d.select(currentSchema()).fetch()));

    @TestFactory
    Stream<DynamicTest> everyKindOfStatementRuns() {
        return KINDS.stream()
                .map(kind ->
                        dynamicTest(
                                kind.name(),
                                () -> {
                                    try (Shop shop = Shop.open("jooq-" + kind.name().hashCode())) {
                                        DSLContext sql = using(shop.connection(), SQLDialect.POSTGRES);
                                        assertEquals(kind.expected(), text(kind.run().apply(sql)));
                                    }
                                }));
    }

    @Test
    void metaReadsTablesKeysIndexesAndSequences() throws Exception {
        try (Shop shop = Shop.open("jooq-meta")) {
            Meta meta = using(shop.connection(), SQLDialect.POSTGRES).meta();
            Schema schema = meta.getSchemas("public").getFirst();
            Table<?> sale = schema.getTable("sale");
            assertEquals("[id, customer, state, price, made, code]", List.of(sale.fields()).stream().map(Field::getName).toList().toString());
            assertEquals("sale_pkey", sale.getPrimaryKey().getName());
            assertEquals(List.of("sale_customer"), sale.getReferences().stream().map(key -> key.getName()).toList());
            assertEquals(List.of("sale_price"), sale.getChecks().stream().map(check -> check.getName()).toList());
            assertEquals(List.of("sale_made"), sale.getIndexes().stream().map(index -> index.getName()).toList());
            assertEquals(List.of("customer_name_key"), schema.getTable("customer").getUniqueKeys().stream().map(key -> key.getName()).toList());
            assertTrue(schema.getSequence("receipts") != null);
        }
    }

    @TempDir Path folder;

    /** The names of the generated classes, without their packages. */
    private Set<String> generated(String database) throws Exception {
        try (Shop shop = Shop.open("jooq-" + database)) {
            GenerationTool.generate(
                    new Configuration()
                            .withJdbc(new Jdbc().withDriver("dev.oriel.OrielDriver").withUrl(shop.url()))
                            .withGenerator(
                                    new Generator()
                                            .withDatabase(new Database().withName(database).withInputSchema("public"))
                                            .withTarget(new Target().withPackageName("made").withDirectory(folder.toString()))));
        }
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(Files::isRegularFile).forEach(file -> names.add(file.getFileName().toString().replace(".java", "")));
        }
        return names;
    }

    @Test
    void codeIsGeneratedByJdbc() throws Exception {
        Set<String> names = generated("org.jooq.meta.jdbc.JDBCDatabase");
        assertTrue(names.containsAll(Set.of("Customer", "Sale", "Turnover")), names::toString);
    }
}
