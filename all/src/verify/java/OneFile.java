import dev.oriel.Database;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapValue;
import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.stream.Stream;

/// Whether `oriel-all.jar` is all that a program needs: run with that file alone on its class path.
final class OneFile {
    private OneFile() {}

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("oriel-all");
        try {
            work(folder.resolve("shop"));
        } finally {
            delete(folder);
        }
    }

    private static void work(Path path) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:" + path);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR(40))");
            statement.execute("INSERT INTO item VALUES (1, 'lamp'), (2, 'table')");
        }
        try (Database database = Database.open(path)) {
            Profile profile = Profile.start(ProfileOptions.everything());
            database.transact(
                    tx -> {
                        try (Statement statement = tx.connection().createStatement()) {
                            statement.execute("INSERT INTO item VALUES (3, 'chair')");
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                        tx.map("stock", MapKey.text(), MapValue.longs()).put("chair", 7L);
                        return 0;
                    });
            require(profile.stop().toString().length() > 0, "a profile");
            require(
                    database.map("stock", MapKey.text(), MapValue.longs()).get("chair") == 7,
                    "an entry");
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM item")) {
                require(rows.next() && rows.getInt(1) == 3, "three rows");
            }
            require(database.check().isEmpty(), "a database without damage");
        }
        System.out.println("oriel-all.jar is enough");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("There is not " + what);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
