package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oriel.Database;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tables of one name in two schemas, which nothing may confuse.
class SchemasTest {
    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Studio studio;

    @SuppressWarnings("NullAway.Init")
    private Browser browser;

    @BeforeEach
    void open() throws Exception {
        database = Database.inMemory();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql :
                    List.of(
                            "CREATE SCHEMA shop",
                            "CREATE TABLE item (id INTEGER PRIMARY KEY, price INTEGER)",
                            "CREATE TABLE shop.item (code VARCHAR PRIMARY KEY, kind INTEGER, colour VARCHAR)",
                            "CREATE TABLE shop.part (n INTEGER PRIMARY KEY, item VARCHAR REFERENCES shop.item (code))",
                            "CREATE TABLE part (m INTEGER PRIMARY KEY, item INTEGER REFERENCES item (id))",
                            "CREATE INDEX shop_item_colour ON shop.item (colour)",
                            "CREATE INDEX item_price ON item (price)",
                            "INSERT INTO item SELECT i, i FROM GENERATE_SERIES(1, 20) AS g(i)",
                            "INSERT INTO shop.item SELECT 'c' || i, MOD(i, 500), 'red' FROM GENERATE_SERIES(1, 3000) AS g(i)")) {
                statement.execute(sql);
            }
        }
        studio = Studio.open(database, StudioOptions.defaults());
        browser = Browser.inside(studio);
    }

    @AfterEach
    void close() {
        studio.close();
        database.close();
    }

    private static List<String> names(JsonNode all, String field) {
        List<String> names = new ArrayList<>();
        all.forEach(one -> names.add(one.path(field).asText()));
        return names;
    }

    @Test
    void aTableHasItsOwnColumnsKeysAndIndexes() throws Exception {
        JsonNode shop = browser.json("table?schema=SHOP&name=item");
        assertEquals(List.of("code", "kind", "colour"), names(shop.path("columns"), "name"));
        assertEquals("[\"code\"]", shop.path("primaryKey").toString());
        assertTrue(names(shop.path("indexes"), "name").contains("shop_item_colour"));
        assertTrue(!names(shop.path("indexes"), "name").contains("item_price"), shop.toString());
        assertEquals(1, shop.path("exported").size(), shop.toString());
        assertEquals("shop", shop.path("exported").get(0).path("schema").asText());
        JsonNode part = browser.json("table?schema=shop&name=part");
        assertEquals(1, part.path("imported").size(), part.toString());
        assertEquals("shop", part.path("imported").get(0).path("schema").asText());
        JsonNode item = browser.json("table?name=item");
        assertEquals(List.of("id", "price"), names(item.path("columns"), "name"));
        assertEquals("[\"id\"]", item.path("primaryKey").toString());
        assertEquals(1, item.path("exported").size());
        assertTrue(!names(item.path("indexes"), "name").contains("shop_item_colour"));
    }

    @Test
    void rowsComeInTheOrderOfTheirOwnKey() throws Exception {
        JsonNode page = browser.json("rows", "{\"schema\": \"shop\", \"table\": \"item\"}");
        assertEquals(200, page.path("rows").size());
        assertEquals("c1", page.path("rows").get(0).get(0).asText());
        JsonNode own = browser.json("rows", "{\"table\": \"item\"}");
        assertEquals(20, own.path("rows").size());
    }

    @Test
    void aChangeNeedsTheKeyOfItsOwnTable() throws Exception {
        String change =
                "{\"schema\": \"shop\", \"table\": \"item\", \"key\": {\"code\": \"c7\"}, \"set\": {\"colour\": \"blue\"}}";
        JsonNode changed = browser.json("change", change);
        assertEquals(
                "UPDATE \"shop\".\"item\" SET \"colour\" = 'blue' WHERE \"code\" = 'c7'",
                changed.path("sql").asText());
        assertEquals(1, changed.path("rows").asInt());
    }

    @Test
    void adviceNamesTheTableThatThePlanReads() throws Exception {
        String slow = "{\"sql\": \"SELECT * FROM shop.item WHERE kind = 3\", \"analyze\": true}";
        JsonNode advice = browser.json("explain", slow).path("advice");
        assertEquals(1, advice.size(), advice.toString());
        assertEquals(
                "CREATE INDEX \"item_kind\" ON \"shop\".\"item\" (\"kind\")",
                advice.get(0).path("sql").asText());
        JsonNode index = advice.get(0).path("index");
        String trial =
                "{\"sql\": \"SELECT * FROM shop.item WHERE kind = 3\", \"index\": %s}"
                        .formatted(index);
        String lines = browser.post("experiment", trial).body();
        assertTrue(lines.contains("\"end\""), lines);
    }

    @Test
    void theCatalogHasEachIndexWithItsSchema() throws Exception {
        JsonNode catalog = browser.json("catalog");
        for (JsonNode index : catalog.path("indexes")) {
            if (index.path("name").asText().equals("shop_item_colour")) {
                assertEquals("shop", index.path("schema").asText());
            }
        }
        assertTrue(names(catalog.path("indexes"), "name").contains("shop_item_colour"));
    }
}
