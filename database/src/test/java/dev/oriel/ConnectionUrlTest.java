package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.PageReads;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ConnectionUrlTest {
    private static ConnectionUrl parse(String url) throws SQLException {
        return ConnectionUrl.parse(url, new Properties());
    }

    @Test
    void pathsAndMemoryNamesAreToldApart() throws SQLException {
        assertEquals(new ConnectionUrl(false, "/data/db", null), parse("jdbc:oriel:/data/db"));
        assertEquals(new ConnectionUrl(true, "x", null), parse("jdbc:oriel:mem:x"));
        assertEquals(new ConnectionUrl(true, "", null), parse("jdbc:oriel:mem:"));
        assertEquals(new ConnectionUrl(false, "mem", null), parse("jdbc:oriel:mem"));
        Expect.error("08001", "names no folder", () -> parse("jdbc:oriel:"));
        Expect.error("08001", "names no folder", () -> parse("jdbc:oriel:?readOnly=true"));
    }

    @Test
    void formsOfOtherDriversAreRefusedAndNoFolderOfThatNameIsMade() throws SQLException {
        for (String form :
                List.of("memory:", "memory:x", ":memory:", "file:./x", "h2:mem:x", "tcp://h/x")) {
            Expect.error("08001", "jdbc:oriel:mem:NAME", () -> parse("jdbc:oriel:" + form));
        }
        for (String form : List.of("mem:x;DB_CLOSE_DELAY=-1", "./x;MODE=PostgreSQL;USER=sa")) {
            Expect.error("08001", "?name=value&...", () -> parse("jdbc:oriel:" + form));
        }
        assertEquals(new ConnectionUrl(false, "C:/x", null), parse("jdbc:oriel:C:/x"));
        assertEquals(new ConnectionUrl(false, "./file:x", null), parse("jdbc:oriel:./file:x"));
        assertEquals(new ConnectionUrl(false, "x;y", null), parse("jdbc:oriel:x;y"));
    }

    @Test
    void propertiesComeFromBothAndTheUrlWins() throws SQLException {
        Properties given = new Properties();
        given.setProperty("user", "sa");
        given.setProperty("password", "");
        given.setProperty("durability", "sync");
        given.setProperty("writeTimeoutMillis", "5");
        ConnectionUrl url =
                ConnectionUrl.parse("jdbc:oriel:x?durability=written&readOnly=TRUE", given);
        assertEquals(
                DatabaseOptions.defaults()
                        .withDurability(Durability.WRITTEN)
                        .withReadOnly(true)
                        .withWriteTimeoutMillis(5),
                url.options());
        assertTrue(url.readOnly());
    }

    /// Every option of the store can be given by `DatabaseOptions` and by the URL, under one name.
    @Test
    void everyOptionOfTheStoreHasOneName() throws Exception {
        Set<String> properties = new TreeSet<>();
        for (ConnectionUrl.Property property : ConnectionUrl.Property.values()) {
            properties.add(property.spelling);
        }
        for (RecordComponent option : StoreOptions.class.getRecordComponents()) {
            String name = option.getName();
            assertTrue(properties.contains(name), name);
            assertEquals(
                    option.getType(), DatabaseOptions.class.getMethod(name).getReturnType(), name);
            String with = "with" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
            assertEquals(
                    DatabaseOptions.class,
                    DatabaseOptions.class.getMethod(with, option.getType()).getReturnType());
        }
    }

    @Test
    void optionsOfTheStoreAreReadFromTheUrl() throws SQLException {
        DatabaseOptions options =
                ConnectionUrl.parse(
                                "jdbc:oriel:x?dirtyBytesMax=9000000&snapshotAgeMillisMax=7"
                                        + "&writeSetBytesMax=8000000&keyLocksMax=5"
                                        + "&exclusiveIdleMillisMax=6&pageReads=positional"
                                        + "&pageCacheBytesMax=2000000&gatheredBytesMax=3000000",
                                new Properties())
                        .options();
        assertEquals(
                DatabaseOptions.defaults()
                        .withDirtyBytesMax(9_000_000)
                        .withSnapshotAgeMillisMax(7)
                        .withWriteSetBytesMax(8_000_000)
                        .withKeyLocksMax(5)
                        .withExclusiveIdleMillisMax(6)
                        .withPageReads(new PageReads(PageReads.Way.POSITIONAL, 2_000_000))
                        .withGatheredBytesMax(3_000_000),
                options);
        assertNotEquals(DatabaseOptions.defaults(), options);
        assertEquals(
                DatabaseOptions.defaults(), parse("jdbc:oriel:x?snapshotAgeMillisMax=0").options());
    }

    @Test
    void numbersBelowTheirMinimumAreRefusedInBothWays() {
        DatabaseOptions usual = DatabaseOptions.defaults();
        Map<String, LongFunction<DatabaseOptions>> setters =
                Map.of(
                        "checkpointBytes",
                        usual::withCheckpointBytes,
                        "dirtyBytesMax",
                        usual::withDirtyBytesMax,
                        "writeTimeoutMillis",
                        usual::withWriteTimeoutMillis,
                        "snapshotAgeMillisMax",
                        usual::withSnapshotAgeMillisMax,
                        "writeSetBytesMax",
                        usual::withWriteSetBytesMax,
                        "keyLocksMax",
                        value -> usual.withKeyLocksMax((int) value),
                        "exclusiveIdleMillisMax",
                        usual::withExclusiveIdleMillisMax,
                        "gatheredBytesMax",
                        usual::withGatheredBytesMax,
                        "queryBytesMax",
                        usual::withQueryBytesMax);
        setters.forEach((name, setter) -> {
            UsageException refused = assertThrows(UsageException.class, () -> setter.apply(-5));
            assertTrue(refused.context().startsWith(name + "=-5, "), refused.context());
            Expect.error(
                    "08001",
                    "give at least the minimum: " + name + "=-5",
                    () -> parse("jdbc:oriel:x?" + name + "=-5"));
        });
    }

    @Test
    void wrongPropertiesAreNamedWithTheNearest() {
        Expect.error(
                "08001",
                "no property 'durabilty'; did you mean 'durability'",
                () -> parse("jdbc:oriel:x?durabilty=sync"));
        Expect.error(
                "08001",
                "one of sync, written, async, not 'fast'",
                () -> parse("jdbc:oriel:x?durability=fast"));
        Expect.error("08001", "true or false", () -> parse("jdbc:oriel:x?readOnly"));
        Expect.error("08001", "whole number", () -> parse("jdbc:oriel:x?checkpointBytes=1M"));
        Expect.error(
                "08001",
                "give at least the minimum: checkpointBytes=0, minimum=1",
                () -> parse("jdbc:oriel:x?checkpointBytes=0"));
        Expect.error(
                "08001",
                "pageCacheBytesMax=5, minimum=1048576",
                () -> parse("jdbc:oriel:x?pageCacheBytesMax=5"));
        Expect.error(
                "08001",
                "durability is given twice, as 'sync' and as 'async'; leave one out",
                () -> parse("jdbc:oriel:x?durability=sync&readOnly=true&DURABILITY=async"));
    }

    @Test
    void driverLeavesOtherUrlsAlone() throws SQLException {
        OrielDriver driver = new OrielDriver();
        assertFalse(driver.acceptsURL("jdbc:h2:mem:x"));
        assertFalse(driver.acceptsURL(null));
        assertNull(driver.connect("jdbc:h2:mem:x", new Properties()));
        assertTrue(driver.acceptsURL("jdbc:oriel:mem:"));
        assertEquals(OrielDriver.class, DriverManager.getDriver("jdbc:oriel:x").getClass());
    }

    /// Hibernate gives `autocommit` to each driver, and pools names of their own.
    @Test
    void otherPropertiesBesideTheUrlAreIgnored() throws SQLException {
        Properties given = new Properties();
        given.setProperty("autocommit", "false");
        given.setProperty("initSql", "SELECT 1");
        given.setProperty("ssl", "true");
        given.setProperty("user", "sa");
        DriverManager.getConnection("jdbc:oriel:mem:", given).close();
        Expect.error(
                "08001",
                "There is no property 'autocommit'",
                () -> DriverManager.getConnection("jdbc:oriel:mem:?autocommit=false"));
        given.setProperty("durabilty", "sync");
        Expect.error(
                "08001",
                "did you mean 'durability'",
                () -> DriverManager.getConnection("jdbc:oriel:mem:", given));
    }

    @Test
    void propertiesAreListedForToolsAndInTheDocument() throws Exception {
        String document =
                Files.readString(
                        Path.of(System.getProperty("oriel.root", "..")).resolve("docs/jdbc.md"));
        for (DriverPropertyInfo each : new OrielDriver().getPropertyInfo("jdbc:oriel:", null)) {
            assertTrue(document.contains("\n| `" + each.name + "` |"), each.name);
            for (String choice : each.choices == null ? new String[0] : each.choices) {
                String url = "jdbc:oriel:mem:?" + each.name + "=" + choice;
                assertTrue(ConnectionUrl.accepts(url));
                ConnectionUrl.parse(url, new Properties());
                assertTrue(document.contains("`" + choice + "`"), choice);
            }
        }
    }

    /// `sa` without a password is what frameworks give to an embedded database.
    @Test
    void aUserIsAcceptedAndAPasswordRefused() throws SQLException {
        String url = "jdbc:oriel:mem:";
        DriverManager.getConnection(url, "sa", "").close();
        DriverManager.getConnection(url + "?user=sa&password=").close();
        OrielDataSource source = new OrielDataSource(url);
        source.getConnection("sa", null).close();
        source.createConnectionBuilder().user("sa").build().close();
        List<Executable> refused =
                List.of(
                        () -> DriverManager.getConnection(url, "sa", "secret"),
                        () -> DriverManager.getConnection(url, "", "secret"),
                        () -> DriverManager.getConnection(url + "?password=secret"),
                        () -> DriverManager.getConnection(url + "?PASSWORD=secret"),
                        () -> source.getConnection("sa", "secret"),
                        () -> source.createConnectionBuilder().password("secret").build());
        for (Executable each : refused) {
            SQLException e = Expect.error("28000", "has no users", each);
            assertFalse(e.toString().contains("secret"));
        }
    }

    @Test
    void anUnknownPropertyIsAnsweredWithThoseThereAre() {
        Expect.error(
                "08001",
                "There are durability, readOnly",
                () -> DriverManager.getConnection("jdbc:oriel:mem:?fileAcces=none"));
    }
}
