package dev.oriel.bench.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.peers.PeerSqlSubjects;
import dev.oriel.bench.tpch.TpchTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What a product has loaded from a file by its own statement is what the file says, blanks too.
class PeerCopyTest {
    @TempDir private Path folder;

    static List<Arguments> subjects() {
        return Stream.concat(
                        new OrielSqlSubjects().subjects().stream(),
                        new PeerSqlSubjects().subjects().stream())
                .filter(subject -> subject instanceof SqlSubject sql && sql.general())
                .map(SqlSubject.class::cast)
                .filter(sql -> !sql.tuning().copy().isNone())
                .map(sql -> Arguments.of(sql.name(), sql))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void loadsTextsAsTheyAre(String name, SqlSubject subject) throws Exception {
        Tuning.Copy copy = subject.tuning().copy();
        Path written = folder.resolve("customer");
        TpchTables.write("customer", 0.001, written, copy.quoted());
        Path plain = folder.resolve("plain");
        TpchTables.write("customer", 0.001, plain);
        List<String> expected = new ArrayList<>();
        for (String line : Files.readAllLines(plain)) {
            String[] values = line.split("\\|", -1);
            expected.add(String.join("|", values[0], values[2], values[7]));
        }
        assertTrue(
                expected.stream().anyMatch(row -> row.contains("| ")), "no blank at a beginning");

        List<String> found = new ArrayList<>();
        Connection connection = subject.connect(folder.resolve("db"), subject.usual());
        try (Statement statement = connection.createStatement()) {
            statement.execute(TpchTables.create("customer", true));
            statement.execute(copy.of("customer", written));
            try (ResultSet rows =
                    statement.executeQuery(
                            "SELECT c_custkey, c_address, c_comment FROM customer ORDER BY 1")) {
                while (rows.next()) {
                    found.add(rows.getInt(1) + "|" + rows.getString(2) + "|" + rows.getString(3));
                }
            }
        }
        subject.close(connection);
        assertEquals(expected, found);
    }
}
