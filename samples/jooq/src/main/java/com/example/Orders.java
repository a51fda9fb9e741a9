package com.example;

import static com.example.made.Routines.taxed;
import static com.example.made.Sequences.RECEIPT;
import static com.example.made.Tables.BOUGHT_BY;
import static com.example.made.Tables.CUSTOMER;
import static com.example.made.Tables.LINE;
import static com.example.made.Tables.NAMES;
import static com.example.made.Tables.PURCHASE;
import static com.example.made.Tables.TURNOVER;
import static org.jooq.impl.DSL.multiset;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import com.example.made.DefaultSchema;
import com.example.made.enums.State;
import com.example.made.udt.records.AddressRecord;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.JSON;
import org.jooq.Named;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Writes and reads by the classes that jOOQ generated. */
public final class Orders {
    private Orders() {}

    public static void main(String[] arguments) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:orders");
                Statement statement = connection.createStatement()) {
            statement.execute(new String(Orders.class.getResourceAsStream("/schema.sql").readAllBytes(), StandardCharsets.UTF_8));
            run(DSL.using(connection, SQLDialect.POSTGRES));
        }
    }

    private static void run(DSLContext sql) {
        describe();
        var ann = sql.newRecord(CUSTOMER);
        ann.setName("Ann");
        ann.setTags(new String[] {"new", "vip"});
        ann.setInfo(JSON.valueOf("{\"age\": 41}"));
        ann.setHome(new AddressRecord("Main Street", "12345", new Integer[] {1, 2}));
        ann.store();

        var purchase = sql.newRecord(PURCHASE);
        purchase.setBuyer(ann.getId());
        purchase.setPrice(new BigDecimal("10.00"));
        purchase.setCode(UUID.randomUUID());
        purchase.setHistory(new State[] {State.open, State.paid});
        purchase.setMade(LocalDate.of(2026, 5, 1));
        purchase.store();
        purchase.refresh();
        sql.insertInto(LINE, LINE.PURCHASE, LINE.NUMBER, LINE.WHAT).values(purchase.getId(), 1, "bread").execute();
        sql.update(PURCHASE).set(PURCHASE.STATE, State.paid).where(PURCHASE.ID.eq(purchase.getId())).execute();
        sql.execute("REFRESH MATERIALIZED VIEW names");

        var read = sql.selectFrom(CUSTOMER).fetchSingle();
        System.out.println(read.getName() + " lives in " + read.getHome().getStreet() + ", tags " + List.of(read.getTags()));
        var bought = sql.select(PURCHASE.customer().NAME, PURCHASE.STATE, PURCHASE.TAXED, PURCHASE.HISTORY, multiset(select(LINE.WHAT).from(LINE).where(LINE.PURCHASE.eq(PURCHASE.ID))))
                .from(PURCHASE)
                .fetchSingle();
        System.out.println(bought.value1() + " bought for " + bought.value3() + " with tax, " + bought.value2() + " after " + List.of(bought.value4()) + ": " + bought.value5().getFirst().value1());
        System.out.println("Turnover " + sql.selectFrom(TURNOVER).fetchSingle().getTotal() + ", names " + sql.fetchCount(NAMES) + ", of a function " + sql.selectFrom(BOUGHT_BY.call(ann.getId())).fetchSingle().getPrice() + " and " + sql.select(taxed(val(new BigDecimal("5.00")), val(new BigDecimal("2.00")))).fetchSingle().value1() + ", receipt " + sql.nextval(RECEIPT));
    }

    /** Prints parts of the schema as the generated classes know them. */
    private static void describe() {
        System.out.println("Tables " + names(DefaultSchema.DEFAULT_SCHEMA.getTables()) + ", sequences " + names(DefaultSchema.DEFAULT_SCHEMA.getSequences()));
        System.out.println("Keys " + names(PURCHASE.getKeys()) + names(CUSTOMER.getKeys()) + ", references " + names(PURCHASE.getReferences()) + names(LINE.getReferences()) + ", indexes " + names(CUSTOMER.getIndexes()) + names(PURCHASE.getIndexes()) + ", checks " + names(PURCHASE.getChecks()) + ", comment " + CUSTOMER.getComment());
    }

    private static List<String> names(List<? extends Named> named) {
        return named.stream().map(Named::getName).sorted().toList();
    }
}
