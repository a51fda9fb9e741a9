package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.Struct;
import org.hibernate.cfg.Configuration;
import org.hibernate.tool.schema.spi.SchemaManagementException;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Definitions that Hibernate makes, validates and updates: schemas, types, sequences, changed entities.
@Timeout(300)
class SchemaTest {
    private static final String URL = "jdbc:oriel:mem:definitions";

    @SuppressWarnings("NullAway.Init")
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection(URL);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private static SessionFactory factory(String action, Class<?>... entities) {
        return factory(action, true, entities);
    }

    private static SessionFactory factory(String action, boolean halt, Class<?>... entities) {
        Configuration configuration =
                new Configuration()
                        .setProperty("hibernate.connection.url", URL)
                        .setProperty("hibernate.hbm2ddl.auto", action)
                        .setProperty("hibernate.hbm2ddl.halt_on_error", "" + halt)
                        .setProperty("jakarta.persistence.create-database-schemas", "true");
        for (Class<?> entity : entities) {
            configuration.addAnnotatedClass(entity);
        }
        return configuration.buildSessionFactory();
    }

    private List<String> ask(String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    @Entity(name = "ShopItem")
    @Table(name = "item", schema = "shop", indexes = @Index(name = "by_name", columnList = "name"))
    static class ShopItem {
        @Id
        @GeneratedValue(generator = "shop_ids")
        @SequenceGenerator(
                name = "shop_ids",
                schema = "shop",
                sequenceName = "shop_ids",
                allocationSize = 5)
        long id;

        @Column(unique = true)
        String name = "in shop";
    }

    @Entity(name = "StoreItem")
    @Table(name = "item", schema = "store", indexes = @Index(name = "by_name", columnList = "name"))
    static class StoreItem {
        @Id
        @GeneratedValue(generator = "store_ids")
        @SequenceGenerator(
                name = "store_ids",
                schema = "store",
                sequenceName = "store_ids",
                allocationSize = 5)
        long id;

        String name = "in store";

        @ManyToOne @Nullable ShopItem sold;
    }

    @Entity(name = "Item")
    static class Item {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        long id;

        String name = "in public";
        int size;
    }

    @Test
    void tablesOfOneNameInSeveralSchemasAreMadeValidatedAndUpdated() throws SQLException {
        Class<?>[] all = {ShopItem.class, StoreItem.class, Item.class};
        try (SessionFactory factory = factory("create", all)) {
            factory.inTransaction(session -> {
                ShopItem sold = new ShopItem();
                session.persist(sold);
                StoreItem stored = new StoreItem();
                stored.sold = sold;
                session.persist(stored);
                session.persist(new Item());
            });
            factory.inTransaction(session -> {
                assertEquals("in shop", only(session, ShopItem.class).name);
                assertEquals("in store", only(session, StoreItem.class).name);
                assertEquals("in public", only(session, Item.class).name);
                assertEquals(
                        1,
                        session.createMutationQuery("update StoreItem set name = 'x'")
                                .executeUpdate());
            });
        }
        assertEquals(
                List.of("public.Item", "shop.item", "store.item"),
                ask(
                        "SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog') ORDER"
                                + " BY 1"));
        factory("validate", all).close();
        factory("update", all).close();
        try (Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE store.item DROP COLUMN name");
        }
        assertThrows(SchemaManagementException.class, () -> factory("validate", all));
        factory("update", all).close();
        factory("validate", all).close();
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP SEQUENCE shop.shop_ids");
        }
        assertThrows(SchemaManagementException.class, () -> factory("validate", all));
        factory("create-drop", all).close();
        assertEquals(
                List.of(),
                ask(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog')"));
        assertEquals(
                List.of(),
                ask(
                        "SELECT schema_name FROM information_schema.schemata WHERE schema_name IN"
                                + " ('shop', 'store')"));
    }

    private static <T> T only(Session session, Class<T> type) {
        return session.createSelectionQuery("from " + type.getSimpleName(), type).getSingleResult();
    }

    enum Mood {
        SAD,
        GLAD,
        CALM
    }

    @Embeddable
    @Struct(name = "place")
    static class Place {
        int x;
        int y;
        @Nullable String name;
    }

    @Entity(name = "Guest")
    static class Guest {
        @Id int id;

        @Enumerated
        @JdbcTypeCode(SqlTypes.NAMED_ENUM)
        @Nullable Mood mood = Mood.GLAD;

        @Enumerated
        @JdbcTypeCode(SqlTypes.NAMED_ORDINAL_ENUM)
        Mood other = Mood.CALM;

        @Nullable Place place = new Place();
    }

    @Test
    void namedEnumsAreTypesOfTheDatabase() throws SQLException {
        try (SessionFactory factory = factory("create-drop", Guest.class)) {
            factory.inTransaction(session -> {
                Guest guest = new Guest();
                session.persist(guest);
                Guest none = new Guest();
                none.id = 1;
                none.mood = null;
                session.persist(none);
            });
            assertEquals(
                    List.of("e"), ask("SELECT typtype FROM pg_type WHERE LOWER(typname) = 'mood'"));
            factory.inTransaction(session -> {
                Guest found =
                        session.createSelectionQuery(
                                        "from Guest where mood = :mood and mood = GLAD",
                                        Guest.class)
                                .setParameter("mood", Mood.GLAD)
                                .getSingleResult();
                assertEquals(Mood.GLAD, found.mood);
                assertEquals(Mood.CALM, found.other);
                found.mood = Mood.SAD;
            });
            factory.inTransaction(session ->
                    assertEquals(
                            List.of(0),
                            session.createSelectionQuery(
                                            "select id from Guest where mood in (:moods)",
                                            Integer.class)
                                    .setParameterList("moods", List.of(Mood.SAD, Mood.CALM))
                                    .getResultList()));
            factory("validate", Guest.class).close();
            try (Statement statement = connection.createStatement()) {
                statement.execute("ALTER TYPE Mood RENAME VALUE 'CALM' TO 'CALMER'"); // as if new
            }
            updateWithTypes();
            assertEquals(
                    List.of("CALM", "CALMER", "GLAD", "SAD"),
                    ask("SELECT enumlabel FROM pg_enum ORDER BY 1"));
            assertEquals(
                    List.of("SAD", "null"),
                    ask("SELECT COALESCE(mood::text, 'null') FROM Guest ORDER BY id"));
        }
        assertEquals(List.of(), ask("SELECT typname FROM pg_type WHERE typtype IN ('e', 'c')"));
    }

    enum Size {
        BIG,
        MEDIUM,
        SMALL,
        TINY
    }

    @Entity(name = "Shirt")
    static class Shirt {
        @Id int id;

        @Enumerated
        @JdbcTypeCode(SqlTypes.NAMED_ORDINAL_ENUM)
        Size size = Size.BIG;
    }

    @ParameterizedTest
    @ValueSource(strings = {"'SMALL'", "'BIG', 'TINY'", "'MEDIUM', 'TINY'", "'BIG', 'MEDIUM'"})
    void newLabelsAreInOrder(String old) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TYPE Size AS ENUM (" + old + ")");
            statement.execute("CREATE TABLE Shirt (id INT PRIMARY KEY, size Size NOT NULL)");
        }
        factory("update", false, Shirt.class).close();
        assertEquals(
                List.of("BIG", "MEDIUM", "SMALL", "TINY"),
                ask("SELECT enumlabel FROM pg_enum ORDER BY enumsortorder"));
    }

    @Test
    void structsAreCompositeTypes() throws SQLException {
        try (SessionFactory factory = factory("create-drop", Guest.class)) {
            factory.inTransaction(session -> {
                Guest guest = new Guest();
                Place place = new Place();
                place.x = 3;
                place.y = 4;
                place.name = "it's (here), \"really\"";
                guest.place = place;
                session.persist(guest);
                Guest none = new Guest();
                none.id = 1;
                none.place = null;
                session.persist(none);
            });
            assertEquals(
                    List.of("4", "null"),
                    ask("SELECT COALESCE((place).y::text, 'null') FROM Guest ORDER BY id"));
            factory.inTransaction(session -> {
                Guest found =
                        session.createSelectionQuery("from Guest where place.x = 3", Guest.class)
                                .getSingleResult();
                Place place = found.place;
                assertEquals("it's (here), \"really\"", place == null ? "" : place.name);
                assertEquals(
                        1,
                        session.createMutationQuery("update Guest set place.y = 9 where id = 0")
                                .executeUpdate());
            });
            factory.inTransaction(session -> {
                Place place = session.find(Guest.class, 0).place;
                assertEquals(9, place == null ? 0 : place.y);
                assertEquals(
                        List.of(1),
                        session.createSelectionQuery(
                                        "select id from Guest where place is null", Integer.class)
                                .getResultList());
            });
            factory("validate", Guest.class).close();
            updateWithTypes();
            assertEquals(List.of("9"), ask("SELECT (place).y FROM Guest WHERE id = 0"));
        }
    }

    /// Hibernate tries to drop and to make all types again in an update.
    private static void updateWithTypes() {
        factory("update", false, Guest.class).close();
    }

    @Entity(name = "Ticket")
    static class Ticket {
        @Id
        @GeneratedValue(generator = "tickets")
        @SequenceGenerator(name = "tickets", sequenceName = "tickets", allocationSize = 50)
        long id;
    }

    @Test
    void pooledIdsAskTheSequenceOnceForMany() throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (SessionFactory factory = factory("create", Ticket.class)) {
            for (int i = 0; i < 120; i++) {
                factory.inTransaction(session -> {
                    Ticket ticket = new Ticket();
                    session.persist(ticket);
                    ids.add(ticket.id);
                });
            }
        }
        for (int i = 0; i < 120; i++) {
            assertEquals(i + 1L, ids.get(i));
        }
        assertEquals(List.of("201"), ask("SELECT NEXTVAL('tickets')"), "asked at 1, 51, 101, 151");
        try (SessionFactory again = factory("validate", Ticket.class)) {
            again.inTransaction(session -> {
                Ticket ticket = new Ticket();
                session.persist(ticket);
                assertEquals(202L, ticket.id);
            });
        }
    }

    @Entity(name = "Grown")
    static class Before {
        @Id int id;
        String name = "old";
    }

    @Entity(name = "Grown")
    @Table(indexes = @Index(name = "grown_name", columnList = "name"))
    static class After {
        @Id int id;
        String name = "new";

        @Column(nullable = false, columnDefinition = "integer default 7")
        int size;

        @Column(unique = true)
        @Nullable String code;

        @Nullable Mood mood;

        @ManyToOne
        @JoinColumn(name = "item_id")
        @Nullable Item item;
    }

    @Test
    void changedEntitiesUpdateTheirTables() throws SQLException {
        try (SessionFactory factory = factory("create", Before.class)) {
            factory.inTransaction(session -> session.persist(new Before()));
        }
        assertThrows(
                SchemaManagementException.class,
                () -> factory("validate", After.class, Item.class));
        try (SessionFactory factory = factory("update", After.class, Item.class)) {
            factory.inTransaction(session -> {
                After found = session.find(After.class, 0);
                assertEquals(7, found.size);
                found.mood = Mood.CALM;
                Item item = new Item();
                session.persist(item);
                found.item = item;
            });
        }
        factory("validate", After.class, Item.class).close();
        factory("update", After.class, Item.class).close();
        assertEquals(
                List.of("1"),
                ask("SELECT COUNT(*) FROM information_schema.referential_constraints"));
        assertEquals(
                List.of("1"),
                ask(
                        "SELECT COUNT(*) FROM information_schema.indexes WHERE index_name = 'grown_name'"));
    }
}
