package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Bucket;
import dev.oriel.kv.Codec;
import dev.oriel.kv.Entry;
import dev.oriel.kv.WriteOptions;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Buckets and SQL on the same rows.
class DatabaseBucketTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static <T> Entry<T> entry(Bucket<T> bucket, String key) {
        Entry<T> entry = bucket.entry(key);
        assertNotNull(entry);
        return entry;
    }

    @Test
    void sqlReadsAndChangesTheSameEntries() throws Exception {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            Bucket<String> bucket = db.bucket("Things", Codec.text());
            bucket.upsert("a", "one");
            bucket.upsert("b", "two", WriteOptions.none().expiringAt(Instant.ofEpochSecond(1)));
            Instant later = Instant.parse("2100-01-01T00:00:00Z");
            bucket.upsert("c", "three", WriteOptions.none().expiringAt(later));
            try (ResultSet rows =
                    statement.executeQuery(
                            "SELECT key, value, expires_at FROM bucket_things ORDER BY key")) {
                assertTrue(rows.next());
                assertEquals("a", rows.getString(1));
                assertArrayEquals("one".getBytes(StandardCharsets.UTF_8), rows.getBytes(2));
                assertNull(rows.getObject(3));
                assertTrue(rows.next());
                assertEquals("c", rows.getString(1));
                assertEquals(later, rows.getObject(3, java.time.OffsetDateTime.class).toInstant());
                assertFalse(rows.next(), "what has expired is absent");
            }
            long before = entry(bucket, "a").cas();
            assertEquals(
                    1,
                    statement.executeUpdate(
                            "UPDATE bucket_things SET flags = 7, cas = 1 WHERE key = 'a'"));
            Entry<String> after = entry(bucket, "a");
            assertTrue(after.cas() > before, "a change through SQL raises the number");
            assertEquals(7, after.flags());
            assertThrows(
                    ConflictException.class,
                    () -> bucket.upsert("a", "x", WriteOptions.none().ifCas(before)));
            try (PreparedStatement insert =
                    connection.prepareStatement(
                            "INSERT INTO bucket_things (key, value) VALUES (?, ?)")) {
                insert.setString(1, "b"); // which has expired, so it is free
                insert.setBytes(2, "sql".getBytes(StandardCharsets.UTF_8));
                assertEquals(1, insert.executeUpdate());
            }
            assertEquals("sql", bucket.get("b"));
            assertTrue(entry(bucket, "b").cas() > after.cas());
            assertEquals(List.of(), db.check());
        }
    }

    @Test
    void aBucketIsFoundAgainAfterTruncateAndSaysWhenItIsGone() throws Exception {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            Bucket<String> bucket = db.bucket("b", Codec.text());
            bucket.upsert("a", "1");
            statement.executeUpdate("TRUNCATE TABLE bucket_b");
            assertNull(bucket.get("a"));
            bucket.upsert("a", "2");
            statement.executeUpdate("CREATE INDEX by_flags ON bucket_b (flags)");
            bucket.upsert("c", "3");
            assertEquals("2", bucket.get("a"));
            statement.executeUpdate("DROP TABLE bucket_b");
            assertEquals(
                    "The bucket has been dropped; open it again to create it: table=BUCKET_B",
                    assertThrows(RuntimeException.class, () -> bucket.get("a")).getMessage());
            assertEquals(List.of(), db.check());
        }
    }

    @Test
    void bucketsAreKeptAndEndWithTheirDatabase() {
        Bucket<String> closed;
        try (Database db = Database.open(folder)) {
            closed = db.bucket("b", Codec.text());
            closed.upsert("a", "1");
        }
        assertThrows(ClosedException.class, () -> closed.get("a"));
        try (Database db = Database.open(folder)) {
            assertEquals("1", db.bucket("b", Codec.text()).get("a"));
        }
    }
}
