package dev.oriel.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.LimitException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One process has a database open; another wants it.
class TwoProcessesTest {
    private static final long SEED = 1;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void secondProcessIsToldWhichOneHasTheDatabase() throws Exception {
        Path path = folder.resolve("held");
        String url = "jdbc:oriel:" + path;
        Ledger ledger = new Ledger(SEED);
        try (Victim holder = Victim.start(folder, url, SEED, SEED, Long.MAX_VALUE / 2)) {
            holder.await("opened");
            String pid = "process " + holder.pid();

            LimitException refused =
                    assertThrows(LimitException.class, () -> Database.open(path).close());
            assertTrue(String.valueOf(refused.getMessage()).contains(pid), refused::toString);
            DatabaseOptions reading = DatabaseOptions.defaults().withReadOnly(true);
            assertThrows(LimitException.class, () -> Database.open(path, reading).close());
            SQLException jdbc =
                    assertThrows(
                            SQLException.class, () -> DriverManager.getConnection(url).close());
            assertEquals("55006", jdbc.getSQLState());
            assertTrue(String.valueOf(jdbc.getMessage()).contains(pid), jdbc::toString);

            assertTrue(holder.killAfter(0), "the holder is not disturbed");
            try (Database database = Database.open(path)) {
                assertTrue(LedgerCheck.commits(database) >= holder.lastCommit());
                ledger.advance(LedgerCheck.commits(database));
                LedgerCheck.check(database, ledger);
            }
        }
    }
}
