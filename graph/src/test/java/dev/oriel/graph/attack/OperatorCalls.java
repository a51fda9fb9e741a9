package dev.oriel.graph.attack;

import dev.oriel.Database;
import dev.oriel.testkit.Gen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// Calls of the operator of the database, beside all others.
final class OperatorCalls {
    private static final AtomicInteger COPIES = new AtomicInteger();

    private final World world;
    private final int number;

    OperatorCalls(World world, int number) {
        this.world = world;
        this.number = number;
    }

    void call(int kind, Gen gen) throws SQLException, IOException {
        Database database = world.database;
        if (kind < 15) {
            List<String> wrong = database.check();
            if (!wrong.isEmpty()) {
                world.findings.add("check beside the work: " + wrong);
            }
        } else if (kind < 25) {
            database.compact();
        } else if (kind < 35) {
            Object _ = database.stats();
        } else if (kind < 50) {
            backup(database);
        } else if (kind < 65) {
            execute(gen.chance(50) ? "CALL sys.profile_start('tree')" : "CALL sys.profile_stop()");
        } else if (kind < 80) {
            world.ground.fail(gen);
        } else if (kind < 90) {
            world.ground.jump(gen);
        } else if (kind < 95) {
            execute("ANALYZE");
        } else if (world.setting.closing()) {
            if (gen.chance(50)) {
                world.graph.close();
            } else {
                database.close();
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = world.database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /// A copy is complete: it opens, is sound, and satisfies the same rules.
    private void backup(Database database) throws SQLException, IOException {
        Path copy =
                world.ground.folder().resolve("copy-" + number + "-" + COPIES.incrementAndGet());
        try {
            database.backup(copy);
            try (Database opened = Database.open(copy)) {
                Invariants.check(opened, world.findings);
            }
        } finally {
            delete(copy);
        }
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(path -> {
                        try {
                            Files.delete(path);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
    }
}
