package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import schemacrawler.schema.Catalog;
import schemacrawler.schema.ForeignKey;
import schemacrawler.schema.NamedObject;
import schemacrawler.schema.Schema;
import schemacrawler.schema.Table;
import schemacrawler.schema.View;
import schemacrawler.schemacrawler.InformationSchemaKey;
import schemacrawler.schemacrawler.InformationSchemaViewsBuilder;
import schemacrawler.schemacrawler.LimitOptionsBuilder;
import schemacrawler.schemacrawler.LoadOptionsBuilder;
import schemacrawler.schemacrawler.SchemaCrawlerOptions;
import schemacrawler.schemacrawler.SchemaCrawlerOptionsBuilder;
import schemacrawler.schemacrawler.SchemaInfoLevelBuilder;
import schemacrawler.schemacrawler.SchemaRetrievalOptions;
import schemacrawler.schemacrawler.SchemaRetrievalOptionsBuilder;
import schemacrawler.tools.options.ConfigUtility;
import schemacrawler.tools.utility.SchemaCrawlerUtility;
import us.fatehi.utility.datasource.DatabaseConnectionSource;
import us.fatehi.utility.datasource.DatabaseConnectionSources;

/** A walk over two schemas by SchemaCrawler, with the views of the information schema that it asks for. */
class SchemaCrawlerTest {
    private static List<String> names(Collection<? extends NamedObject> objects) {
        return objects.stream().map(NamedObject::getName).sorted().toList();
    }

    private static Catalog crawl(Shop shop) throws Exception {
        SchemaCrawlerOptions options =
                SchemaCrawlerOptionsBuilder.newSchemaCrawlerOptions()
                        .withLimitOptions(
                                LimitOptionsBuilder.builder()
                                        .includeSchemas(name -> name.equals("public") || name.equals("store"))
                                        .includeAllSequences()
                                        .includeAllRoutines()
                                        .toOptions())
                        .withLoadOptions(
                                LoadOptionsBuilder.builder()
                                        .withSchemaInfoLevel(SchemaInfoLevelBuilder.maximum())
                                        .toOptions());
        SchemaRetrievalOptions retrieval =
                SchemaRetrievalOptionsBuilder.builder()
                        .withDoesNotSupportCatalogs()
                        .withInformationSchemaViews(
                                InformationSchemaViewsBuilder.builder()
                                        .withSql(InformationSchemaKey.VIEWS, "SELECT * FROM information_schema.views")
                                        .withSql(InformationSchemaKey.SEQUENCES, "SELECT * FROM information_schema.sequences")
                                        .withSql(
                                                InformationSchemaKey.TABLE_CONSTRAINTS,
                                                "SELECT * FROM information_schema.table_constraints")
                                        .withSql(
                                                InformationSchemaKey.CHECK_CONSTRAINTS,
                                                "SELECT * FROM information_schema.check_constraints")
                                        .withSql(
                                                InformationSchemaKey.CONSTRAINT_COLUMN_USAGE,
                                                "SELECT * FROM information_schema.key_column_usage")
                                        .toOptions())
                        .toOptions();
        DatabaseConnectionSource source =
                DatabaseConnectionSources.fromDataSource(new dev.oriel.OrielDataSource(shop.url()));
        return SchemaCrawlerUtility.getCatalog(source, retrieval, options, ConfigUtility.newConfig());
    }

    @Test
    void everyObjectIsFoundUnderItsName() throws Exception {
        try (Shop shop = Shop.open("crawler"); Statement statement = shop.connection().createStatement()) {
            statement.execute("CREATE SCHEMA store");
            statement.execute("CREATE TABLE store.sale (id INT PRIMARY KEY, sold INT REFERENCES public.sale)");
            statement.execute("CREATE VIEW store.seen AS SELECT id FROM store.sale");
            statement.execute("CREATE SEQUENCE store.numbers MINVALUE 5 MAXVALUE 50 INCREMENT BY 5 CYCLE");
            Catalog catalog = crawl(shop);
            assertEquals(List.of("public", "store"), names(catalog.getSchemas()));
            Schema own = catalog.lookupSchema("public").orElseThrow();
            Schema store = catalog.lookupSchema("store").orElseThrow();
            assertEquals(List.of("customer", "flyway_schema_history", "sale", "turnover"), names(catalog.getTables(own)));
            assertEquals(List.of("sale", "seen"), names(catalog.getTables(store)));

            Table sale = catalog.lookupTable(own, "sale").orElseThrow();
            assertEquals(List.of("id", "customer", "state", "price", "made", "code"), sale.getColumns().stream().map(NamedObject::getName).toList());
            assertEquals("sale_pkey", sale.getPrimaryKey().getName());
            assertTrue(sale.lookupColumn("id").orElseThrow().isAutoIncremented());
            assertEquals(List.of("sale_customer"), names(sale.getImportedForeignKeys()));
            ForeignKey key = sale.getImportedForeignKeys().iterator().next();
            assertEquals("customer", key.getPrimaryKeyTable().getName());
            assertEquals("cascade", key.getDeleteRule().toString());
            assertEquals(List.of("sale_made", "sale_pkey"), names(sale.getIndexes()));
            assertEquals(
                    List.of("sale_customer", "sale_pkey", "sale_price"), names(sale.getTableConstraints()));
            assertTrue(
                    sale.getTableConstraints().stream()
                            .anyMatch(each -> each.getDefinition().contains("price >= 0")));
            Table customer = catalog.lookupTable(own, "customer").orElseThrow();
            assertEquals("who buys", customer.getRemarks());
            assertTrue(customer.lookupIndex("customer_name_key").orElseThrow().isUnique());

            View turnover = (View) catalog.lookupTable(own, "turnover").orElseThrow();
            assertTrue(turnover.getDefinition().contains("SUM(s.price)"), turnover::getDefinition);
            View seen = (View) catalog.lookupTable(store, "seen").orElseThrow();
            assertTrue(seen.getDefinition().contains("store.sale"), seen::getDefinition);
            Table stored = catalog.lookupTable(store, "sale").orElseThrow();
            assertEquals(sale, stored.getImportedForeignKeys().iterator().next().getPrimaryKeyTable());

            assertEquals(List.of("customer_id_seq", "receipts", "sale_id_seq"), names(catalog.getSequences(own)));
            var numbers = catalog.lookupSequence(store, "numbers").orElseThrow();
            assertEquals(5, numbers.getIncrement());
            assertEquals("50", numbers.getMaximumValue().toString());
            assertTrue(numbers.isCycle());
        }
    }
}
