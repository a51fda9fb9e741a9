package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.BucketSession;
import dev.oriel.kv.Change;
import dev.oriel.kv.JsonEdit;
import dev.oriel.kv.Status;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Sessions go from client to client, without a trace of the last one.
final class SessionPoolTest {
    @RegisterExtension final Served served = new Served();

    private static final long EXPIRY = 4_000_000_000_000_000L;

    private final SessionPool pool = new SessionPool();

    private BucketSession open() {
        return served.database.buckets().session("b");
    }

    @Test
    void nothingOfARequestStaysInItsSession() {
        BucketSession session = open();
        byte[] json = {'{', '}'};
        byte[] one = {'1'};
        JsonEdit edit = new JsonEdit(JsonEdit.Operation.REPLACE, "none", one, false);
        assertEquals(
                Status.SUCCESS,
                session.change("k", 0, new Change.Store(Change.Mode.SET, json, 7, EXPIRY), null));
        assertEquals(
                Status.MULTI_PATH_FAILURE,
                session.change(
                        "k",
                        0,
                        new Change.Edit(Change.Mode.SET, List.of(edit), Change.KEEP),
                        null));
        assertEquals(Status.SUCCESS, session.change("k", 0, new Change.Lock(1_000_000), null));
        pool.give("b", session, false);
        assertSame(session, pool.take("b", false));
        assertEquals(0, session.cas());
        assertEquals(0, session.flags());
        assertEquals(Change.NEVER, session.expiresAtMicros());
        assertEquals(0, session.newValue().length);
        assertEquals(List.of(), session.outcomes());
        assertEquals(0, session.value().length());
        session.close();
    }

    @Test
    void aMissingEntryHasNoNumber() {
        try (BucketSession session = open()) {
            assertEquals(
                    Status.SUCCESS,
                    session.change(
                            "k",
                            0,
                            new Change.Store(Change.Mode.SET, new byte[1], 7, Change.NEVER),
                            null));
            assertEquals(Status.NOT_FOUND, session.read("none"));
            assertEquals(0, session.cas());
            assertEquals(Status.SUCCESS, session.read("k"));
            session.release();
            assertEquals(Status.NOT_FOUND, session.change("none", 0, new Change.Remove(), null));
            assertEquals(0, session.cas());
        }
    }

    @Test
    void aNetworkThreadKeepsItsLastSession() throws Exception {
        BucketSession session = open();
        pool.give("b", session, true);
        FutureTask<Boolean> other = new FutureTask<>(() -> pool.take("b", true) == null);
        Thread.ofPlatform().start(other);
        assertTrue(other.get());
        assertNull(pool.take("c", true));
        assertSame(session, pool.take("b", true));
        pool.give("b", session, true);
        BucketSession next = open();
        pool.give("c", next, true);
        assertEquals(1, pool.idle("b"), "the former one is for all");
        assertSame(next, pool.take("c", true));
        assertSame(session, pool.take("b", true));
        session.close();
        next.close();
    }

    @Test
    void sessionsOnADroppedBucketAreNotUsedAgain() {
        pool.give("b", open(), true);
        pool.give("b", open(), false);
        pool.drop("b");
        assertNull(pool.take("b", true));
        assertNull(pool.take("b", false));
    }

    @Test
    void idleSessionsHaveALimitTogether() {
        for (int i = 0; i < 20; i++) {
            for (int j = 0; j < 70; j++) {
                pool.give("b" + i, open(), false);
            }
        }
        int all = 0;
        for (int i = 0; i < 20; i++) {
            all += pool.idle("b" + i);
        }
        assertEquals(1_024, all);
        assertEquals(0, pool.idle("b0"), "the one used longest ago");
        assertEquals(64, pool.idle("b19"));
    }

    /// SQL has dropped the table: the next request may be refused, those after it have a new one.
    @Test
    void aDroppedBucketIsMadeAgain() throws Exception {
        int port = served.start();
        String set = "set a 0 0 1\r\n1\r\n";
        try (Wire one = new Wire(port);
                Wire two = new Wire(port);
                var connection = served.database.connect();
                var statement = connection.createStatement()) {
            for (int round = 0; round < 3; round++) {
                assertEquals("STORED\r\n", one.ask(set));
                assertEquals("STORED\r\n", two.ask(set));
                statement.execute("DROP TABLE bucket_default");
                String first = one.ask(set);
                assertTrue(
                        first.equals("STORED\r\n")
                                || first.equals("SERVER_ERROR internal error\r\n"),
                        first);
                assertEquals("STORED\r\n", one.ask(set), "round " + round);
                assertEquals("STORED\r\n", two.ask(set), "round " + round);
            }
        }
        try (Wire three = new Wire(port)) {
            assertEquals("VALUE a 0 1\r\n1\r\nEND\r\n", three.ask("get a\r\n"));
        }
    }
}
