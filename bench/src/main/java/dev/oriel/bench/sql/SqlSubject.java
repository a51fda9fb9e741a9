package dev.oriel.bench.sql;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/// A database accessed by JDBC.
public interface SqlSubject extends Subject {
    /// The durability classes it can be opened in; [Durability#MEMORY] alone for one in memory.
    Set<Durability> durabilities();

    /// The URL by which `DriverManager` opens the database in `folder`, or makes an empty one; a
    /// memory database takes its name from the folder's.
    String url(Path folder, Durability durability);

    /// The driver's class and one of each further jar it needs, so that a fresh JVM can be given the class path of
    /// a user of this product alone.
    List<String> classes();

    /// Opens the database, or makes an empty one.
    default Connection connect(Path folder, Durability durability) throws SQLException {
        return DriverManager.getConnection(url(folder, durability));
    }

    /// Way to close the database.
    default Ending ending() {
        return Ending.CLOSE;
    }

    /// Closes the database; afterwards all data that it keeps is on disk.
    default void close(Connection connection) throws SQLException {
        ending().end(connection);
    }

    /// Whether its data is in memory.
    default boolean inMemory() {
        return durabilities().contains(Durability.MEMORY);
    }

    /// The class it is opened in for reading alone, which no class affects.
    default Durability usual() {
        return durabilities().contains(Durability.WRITTEN)
                ? Durability.WRITTEN
                : durabilities().iterator().next();
    }

    /// Whether it is another subject with a setting that matters to some queries only. A quick run
    /// has it, in memory, in the open-ended query and nowhere else.
    default boolean special() {
        return false;
    }

    /// Whether this subject runs the workloads that need all of SQL: the product's usual setup on disk.
    default boolean general() {
        return !inMemory() && !special();
    }

    /// The product's dialect of SQL.
    default SqlDialect dialect() {
        return SqlDialect.STANDARD;
    }

    /// Advice of the product's documents for particular kinds of work.
    default Tuning tuning() {
        return Tuning.USUAL;
    }

    /// Opens the database as one of many sessions that write.
    default Connection connectWriter(Path folder, Durability durability) throws SQLException {
        Properties properties = new Properties();
        properties.putAll(tuning().writers());
        return DriverManager.getConnection(url(folder, durability), properties);
    }

    /// The statement that makes the index of the subject's kind.
    default String createIndex(String index, String table, String column) {
        return "CREATE INDEX " + index + " ON " + table + " (" + column + ")";
    }

    /// The name of a type for text of up to 40 characters.
    default String textType() {
        return "VARCHAR(40)";
    }

    /// The product's clause for `LIMIT 10`.
    default String limitClause() {
        return "LIMIT 10";
    }
}
