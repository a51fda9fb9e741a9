package dev.oriel.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/// A database behind JDBC.
public interface SqlSubject extends Subject {
    /// Opens the database in `folder`, or makes an empty one; a memory database ignores it.
    Connection connect(Path folder) throws SQLException;

    /// Ends the database, beyond `connection.close()` where the product needs more.
    void close(Connection connection) throws SQLException;

    /// Where its data is.
    boolean inMemory();

    /// The statement that makes the index of the subject's kind.
    default String createIndex(String index, String table, String column) {
        return "CREATE INDEX " + index + " ON " + table + " (" + column + ")";
    }

    /// The name of a type for text of up to 40 characters.
    default String textType() {
        return "VARCHAR(40)";
    }

    /// Whether it knows `LIMIT 10` as such; else the clause it has for it, empty for none.
    default String limitClause() {
        return "LIMIT 10";
    }
}
