package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.internal.Layers;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The text protocol's answers. Each was compared with those of memcached 1.6.18, but for numbers that
/// are each server's own.
final class TextProtocolTest {
    @RegisterExtension final Served served = new Served();

    private static final String LONG_KEY = "k".repeat(251);

    private void check(String... questionsAndAnswers) throws Exception {
        try (Wire wire = new Wire(served.start())) {
            for (int i = 0; i < questionsAndAnswers.length; i += 2) {
                String question = questionsAndAnswers[i].replace("|", "\r\n");
                String answer = questionsAndAnswers[i + 1].replace("|", "\r\n");
                assertEquals(answer, wire.ask(question), questionsAndAnswers[i]);
            }
        }
    }

    @Test
    void storingAndReading() throws Exception {
        check(
                "set a 5 0 3|abc|", "STORED|",
                "get a|", "VALUE a 5 3|abc|END|",
                "get a b a|", "VALUE a 5 3|abc|VALUE a 5 3|abc|END|",
                "add a 0 0 1|x|", "NOT_STORED|",
                "add b 4294967295 0 0||", "STORED|",
                "get b|", "VALUE b 4294967295 0||END|",
                "replace c 0 0 1|x|", "NOT_STORED|",
                "replace a 6 0 1|x|", "STORED|",
                "append a 9 0 2|yz|", "STORED|",
                "prepend a 9 0 2|vw|", "STORED|",
                "append c 0 0 1|x|", "NOT_STORED|",
                "get a|", "VALUE a 6 5|vwxyz|END|",
                "set a 0 0 1 noreply|q|get a|", "VALUE a 0 1|q|END|",
                "set bin 0 0 6|a\r\nb\r\n|get bin|", "STORED|VALUE bin 0 6|a\r\nb\r\n|END|",
                "cas c 0 0 1 1|x|", "NOT_FOUND|",
                "cas a 0 0 1 1|x|", "EXISTS|",
                "cas a 0 0 1 0|x|", "EXISTS|",
                "delete a|", "DELETED|",
                "delete a|", "NOT_FOUND|",
                "get a|", "END|",
                "flush_all|", "OK|",
                "get b bin|", "END|");
    }

    @Test
    void aNumberOfAnEntryIsGoodForOneSwap() throws Exception {
        try (Wire wire = new Wire(served.start())) {
            wire.ask("set a 0 0 1\r\n1\r\n");
            String[] words = wire.ask("gets a\r\n").split("\\s+", -1);
            assertEquals("VALUE", words[0]);
            String swap = "cas a 0 0 1 " + words[4] + "\r\n2\r\n";
            assertEquals("STORED\r\n", wire.ask(swap));
            assertEquals("EXISTS\r\n", wire.ask(swap));
        }
    }

    @Test
    void countingAndTouching() throws Exception {
        check(
                "incr n 1|",
                "NOT_FOUND|",
                "set n 0 0 1|9|incr n 1|",
                "STORED|10|",
                "decr n 99|",
                "0|",
                "incr n 18446744073709551615|",
                "18446744073709551615|",
                "incr n 2|",
                "1|",
                "set t 0 0 1|x|incr t 1|",
                "STORED|CLIENT_ERROR cannot increment or decrement non-numeric value|",
                "incr n x|",
                "CLIENT_ERROR invalid numeric delta argument|",
                "decr n -1|",
                "CLIENT_ERROR invalid numeric delta argument|",
                "set s 0 0 4|99  |incr s 1|",
                "STORED|100|",
                "set s 0 0 2|  |incr s 1|",
                "STORED|CLIENT_ERROR cannot increment or decrement non-numeric value|",
                "incr n 5 noreply|get n|",
                "VALUE n 0 1|6|END|",
                "touch n 100|",
                "TOUCHED|",
                "touch m 100|",
                "NOT_FOUND|",
                "touch n x|",
                "CLIENT_ERROR invalid exptime argument|",
                "gat 100 n m|",
                "VALUE n 0 1|6|END|",
                "gat 100 n " + LONG_KEY + "|",
                "CLIENT_ERROR bad command line format|",
                "gat x n|",
                "CLIENT_ERROR invalid exptime argument|",
                "touch n -1|get n|",
                "TOUCHED|END|",
                "set gone 0 -1 1|x|get gone|",
                "STORED|END|",
                "set old 0 1000000000 1|x|get old|",
                "STORED|END|",
                "set new 0 4000000000 1|x|get new|",
                "STORED|VALUE new 0 1|x|END|");
    }

    @Test
    void whatIsWrongIsSaidAsMemcachedSaysIt() throws Exception {
        check(
                "foo|",
                "ERROR|",
                "|",
                "ERROR|",
                "get|",
                "ERROR|",
                "GET a|",
                "ERROR|",
                "get " + LONG_KEY + "|",
                "CLIENT_ERROR bad command line format|",
                "set " + LONG_KEY + " 0 0 1|a|",
                "CLIENT_ERROR bad command line format|ERROR|",
                "set a 0 0|",
                "ERROR|",
                "set a 0 0 -1|",
                "CLIENT_ERROR bad command line format|",
                "set a x 0 1|a|",
                "CLIENT_ERROR bad command line format|ERROR|",
                "set a 4294967296 0 1|a|",
                "CLIENT_ERROR bad command line format|ERROR|",
                "cas a 0 0 1 x|a|",
                "CLIENT_ERROR bad command line format|ERROR|",
                "set a 0 0 3|abcd|version|",
                "CLIENT_ERROR bad data chunk|ERROR|VERSION 1.6.0+oriel|",
                "delete a 0|",
                "NOT_FOUND|",
                "delete a 1|",
                "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]|",
                "delete|",
                "ERROR|",
                "verbosity|",
                "ERROR|",
                "verbosity 1|",
                "OK|",
                "verbosity foo|",
                "CLIENT_ERROR bad command line format|",
                "verbosity a b c|",
                "ERROR|",
                "flush_all x|",
                "CLIENT_ERROR invalid exptime argument|",
                "flush_all 0 1 2|",
                "ERROR|",
                "stats foo|",
                "ERROR|",
                "shutdown|",
                "ERROR: shutdown not enabled|",
                "set big 0 0 30000000|" + "x".repeat(30_000_000) + "|",
                "SERVER_ERROR object too large for cache|",
                "ms a 30000000 MZ|" + "x".repeat(30_000_000) + "|",
                "CLIENT_ERROR invalid mode for ms M token|",
                "ms a 1 MZ|xyz|",
                "CLIENT_ERROR invalid mode for ms M token|ERROR|");
    }

    /// Who said `noreply` would take it for the answer of the next command.
    @Test
    void errorsAreNotSaidWhereNoReplyIsWanted() throws Exception {
        check(
                "set big 0 0 30000000 noreply|" + "x".repeat(30_000_000) + "|",
                "",
                "set a 0 0 1 noreply|xyz|",
                "ERROR|", // of what is left of the line
                "set " + LONG_KEY + " 0 0 1 noreply|version|",
                "VERSION 1.6.0+oriel|",
                "set a x 0 1 noreply|",
                "",
                "cas a 0 0 1 x noreply|",
                "",
                "incr a x noreply|",
                "",
                "incr " + LONG_KEY + " 1 noreply|",
                "",
                "touch a x noreply|",
                "",
                "touch " + LONG_KEY + " 1 noreply|",
                "",
                "delete " + LONG_KEY + " noreply|",
                "",
                "flush_all x noreply|",
                "",
                "get noreply|",
                "END|");
    }

    @Test
    void whatIsDeniedIsNotSaidWhereNoReplyIsWanted() throws Exception {
        Users.of(served.database).add("ada", "a", Map.of("default", Role.READ));
        try (Wire wire = new Wire(served.start())) {
            assertEquals("STORED\r\n", wire.ask("set x 0 0 5\r\nada a\r\n"));
            assertEquals("", wire.ask("delete a noreply\r\nset a 0 0 1 noreply\r\n1\r\n"));
            assertEquals("CLIENT_ERROR access denied\r\n", wire.ask("delete a\r\n"));
        }
    }

    @Test
    void metaCommands() throws Exception {
        check(
                "mg a v|", "EN|",
                "mg a v k Oabc|", "EN ka Oabc|",
                "ms a 2 F7 T0|hi|", "HD|",
                "mg a s v t f k Oabc|", "VA 2 s2 t-1 f7 ka Oabc|hi|",
                "mg a|", "HD|",
                "mg zz q|", "",
                "ms a 1 ME|x|", "NS|",
                "ms zz 1 MR|x|", "NS|",
                "ms zz 1 MA|x|", "NS|",
                "ms a 1 MA|!|mg a v|", "HD|VA 3|hi!|",
                "ms a 1 MP|>|mg a v|", "HD|VA 4|>hi!|",
                "ms a 1 C1|x|", "EX|",
                "ms a 1 ME C5|x|", "NS|",
                "ms zz 1 MA C5|x|", "NS|",
                "ms zz 1 MR C5|x|", "NF|",
                "ms a 1 MA C5|x|", "EX|",
                "ms yy 1 ME C5|x|md yy|", "HD|HD|",
                "ms yy 1 MA C5 N0|x|md yy|", "HD|HD|",
                "ms zz 1 C1|x|", "NF|",
                "ms a 1 C0|x|", "EX|",
                "ms a 1 C0 I|x|", "EX|",
                "ms a 1 MR C0|x|", "EX|",
                "md a C0|", "EX|",
                "ms zz 1 C0|x|", "NF|",
                "md zz C0|", "NF|",
                "ms a 1 q|x|", "",
                "ms a 1 MZ|a|", "CLIENT_ERROR invalid mode for ms M token|",
                "ms a 1 T|a|", "CLIENT_ERROR bad token in command line format|",
                "ms a abc|", "CLIENT_ERROR bad command line format|",
                "mg|", "ERROR|",
                "mg a x|", "CLIENT_ERROR invalid flag|",
                "mg a E5|", "CLIENT_ERROR invalid flag|",
                "mg a v v|", "CLIENT_ERROR duplicate flag|",
                "md a x|", "CLIENT_ERROR invalid or duplicate flag|",
                "ma n|", "NF|",
                "ma n N0 J13 v|", "VA 2|13|",
                "ma n v t|", "VA 2 t-1|14|",
                "ma n MD v q|ma n q|", "",
                "ma n MD D20 v|", "VA 1|0|",
                "ma a|", "CLIENT_ERROR cannot increment or decrement non-numeric value|",
                "ma n MX|", "CLIENT_ERROR invalid mode for ma M token|",
                "md n q|", "",
                "md n|", "NF|",
                "md n q|", "NF|",
                "ms YQ== 1 b|Q|get a|", "HD|VALUE a 0 1|Q|END|",
                "me zz|", "EN|");
    }

    @Test
    void metaCommandsThatRenewAnEntry() throws Exception {
        check(
                "mg a N30 v t h l|", "VA 0 t30 h0 l0 W||",
                "mg a N30 v t|", "VA 0 t30 Z||",
                "mg a v t h l|", "VA 0 t30 h1 l0 Z||",
                "ms a 2|hi|", "HD|",
                "mg a h l t v|", "VA 2 h0 l0 t-1|hi|",
                "mg a h u|", "HD h1|",
                "mg a R30 v t|", "VA 2 t-1|hi|",
                "ms b 2 T10|hi|", "HD|",
                "mg b u|mg b h|", "HD|HD h0|",
                "mg b R30 v t|", "VA 2 t10 W|hi|",
                "mg b R30 v t|", "VA 2 t10 Z|hi|",
                "mg b R5 v t|", "VA 2 t10 Z|hi|",
                "mg b v|", "VA 2 Z|hi|",
                "ms b 2 T10|hi|mg b v|", "HD|VA 2|hi|",
                "md b I T30|", "HD|",
                "mg b v t|", "VA 2 t30 X W|hi|",
                "mg b k O1 v t|", "VA 2 kb O1 t30 Z X|hi|",
                "md b I T30|mg b v|mg b v|", "HD|VA 2 X W|hi|VA 2 Z X|hi|",
                "ms b 1 I C1|z|mg b v|", "HD|VA 1 Z X|z|",
                "ms b 1 I C18446744073709551615|z|", "EX|",
                "ms b 1 I|z|mg b v|", "HD|VA 1|z|",
                "ms q 2|hi|md q I q|mg q v|", "HD|VA 2 X W|hi|",
                "ms q 2 MA|yo|mg q v|", "HD|VA 4|hiyo|",
                "ms n 1|5|md n I|mg n v|", "HD|HD|VA 1 X W|5|",
                "ma n v|mg n v|", "VA 1|6|VA 1 Z X|6|",
                "append n 0 0 1|1|mg n v|", "STORED|VA 2|61|",
                "ms v 2 MA N30|hi|mg v v t|", "HD|VA 2 t30|hi|",
                "ms v 2 MA N30|yo|mg v v|", "HD|VA 4|hiyo|",
                "ms w 2 MA|hi|", "NS|",
                "mg zz N|", "CLIENT_ERROR bad token in command line format|",
                "mg zz R|", "CLIENT_ERROR bad token in command line format|",
                "md gone I|", "NF|");
    }

    /// More than is answered before what was answered is sent.
    @Test
    void manyAreReadByOneLine() throws Exception {
        String value = "v".repeat(10_000);
        String one = "VALUE a 0 10000|" + value + "|";
        check(
                "set a 0 0 10000|" + value + "|",
                "STORED|",
                "get" + " a none".repeat(100) + "|get a|",
                one.repeat(100) + "END|" + one + "END|",
                "gat 0" + " a none".repeat(100) + "|",
                one.repeat(100) + "END|");
    }

    @Test
    void aLineOfGetMayBeLong() throws Exception {
        check(
                "set a 0 0 1|1|",
                "STORED|",
                "get " + "key-of-twenty-letters ".repeat(20_000) + "a|", // 440 KB
                "VALUE a 0 1|1|END|",
                "gets" + " b".repeat(200_000) + "|get a|",
                "END|VALUE a 0 1|1|END|");
    }

    @Test
    void whatWasCountedIsTold() throws Exception {
        OrielServer server = served.start(ServerOptions.defaults().withPorts(0, -1, -1));
        try (Wire wire = new Wire(server.memcachedPort())) {
            wire.ask("set a 0 0 1\r\nx\r\nget a b\r\nincr b 1\r\ndelete a\r\n");
            String stats = wire.ask("stats\r\n");
            for (String expected :
                    new String[] {
                        "cmd_get 2",
                        "get_hits 1",
                        "get_misses 1",
                        "cmd_set 1",
                        "incr_misses 1",
                        "delete_hits 1",
                        "curr_connections 1"
                    }) {
                assertTrue(stats.contains("STAT " + expected + "\r\n"), expected + " in " + stats);
            }
            assertTrue(wire.ask("stats settings\r\n").contains("STAT auth_enabled_sasl no\r\n"));
            assertEquals("RESET\r\n", wire.ask("stats reset\r\n"));
            assertTrue(wire.ask("stats\r\n").contains("STAT cmd_get 0\r\n"));
            assertEquals(2, server.metrics().gets.sum(), "/metrics goes on");
            wire.ask("get a\r\n");
            assertTrue(wire.ask("stats\r\n").contains("STAT cmd_get 1\r\n"));
        }
    }

    @Test
    void columnsThatWereAddedKeepTheirValues() throws Exception {
        try (Wire wire = new Wire(served.start());
                var connection = served.database.connect();
                var statement = connection.createStatement()) {
            wire.ask("set a 0 0 1\r\n1\r\n");
            statement.execute(
                    "ALTER TABLE bucket_default ADD COLUMN owner VARCHAR(9) DEFAULT 'nobody' NOT"
                            + " NULL");
            statement.execute("ALTER TABLE bucket_default ADD COLUMN paid DECIMAL(9, 2)");
            statement.executeUpdate("UPDATE bucket_default SET owner = 'ada', paid = 1.5");
            assertEquals("TOUCHED\r\n", wire.ask("touch a 100\r\n"));
            assertEquals("2\r\nSTORED\r\n", wire.ask("incr a 1\r\nset b 0 0 1\r\n1\r\n"));
            try (var rows =
                    statement.executeQuery("SELECT owner, paid FROM bucket_default ORDER BY key")) {
                assertTrue(rows.next());
                assertEquals("ada", rows.getString(1));
                assertEquals("1.50", rows.getString(2));
                assertTrue(rows.next());
                assertEquals("nobody", rows.getString(1));
                assertEquals(null, rows.getString(2));
            }
        }
    }

    @Test
    void aWriteThatWaitedForAnAlterationIsDone() throws Exception {
        try (Wire wire = new Wire(served.start());
                var connection = served.database.connect();
                var statement = connection.createStatement()) {
            wire.ask("set a 0 0 1\r\n1\r\n");
            connection.setAutoCommit(false);
            statement.execute("ALTER TABLE bucket_default ADD COLUMN note VARCHAR(10)");
            wire.send("set a 0 0 1\r\n2\r\n");
            long end = System.nanoTime() + 60_000_000_000L;
            while (Layers.tables(served.database).lockWaits().isEmpty()) {
                assertTrue(System.nanoTime() < end, "it does not wait");
                Thread.onSpinWait();
            }
            connection.commit();
            assertEquals("STORED\r\n", wire.line());
            assertEquals("VALUE a 0 1\r\n2\r\nEND\r\n", wire.ask("get a\r\n"));
        }
    }

    @Test
    void aBucketIsATableForSqlAndSqlsChangesAreSeen() throws Exception {
        try (Wire wire = new Wire(served.start());
                var connection = served.database.connect();
                var statement = connection.createStatement()) {
            wire.ask("set a 3 0 5\r\nhello\r\n");
            try (var rows =
                    statement.executeQuery(
                            "SELECT key, value, flags, expires_at FROM bucket_default")) {
                assertTrue(rows.next());
                assertEquals("a", rows.getString(1));
                assertEquals(
                        "hello",
                        new String(rows.getBytes(2), java.nio.charset.StandardCharsets.UTF_8));
                assertEquals(3, rows.getLong(3));
                assertEquals(null, rows.getObject(4));
            }
            String before = wire.ask("gets a\r\n");
            statement.executeUpdate("UPDATE bucket_default SET flags = 4 WHERE key = 'a'");
            String after = wire.ask("gets a\r\n");
            assertTrue(after.startsWith("VALUE a 4 5 "), after);
            assertTrue(
                    Long.parseLong(after.split("\\s", -1)[4])
                            > Long.parseLong(before.split("\\s", -1)[4]));
            statement.executeUpdate("DELETE FROM bucket_default");
            assertEquals("END\r\n", wire.ask("get a\r\n"));
        }
    }
}
