package dev.oriel.redeploy;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Objects;

/// An application that [RedeployTest] loads by a class loader of its own, once for each deployment.
public final class Redeployed implements Runnable {
    private static final String URL = "jdbc:oriel:mem:redeployed";

    /// Uses a database, and ends as an application server expects it: closed, and its driver deregistered.
    @Override
    public void run() {
        try {
            Class.forName("dev.oriel.OrielDriver");
            try (Connection connection = DriverManager.getConnection(URL);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, words VARCHAR)");
                statement.execute("INSERT INTO t VALUES (1, 'a b')");
                statement.executeQuery("SELECT REGEXP_LIKE(words, 'a.*') FROM t").close();
                statement.executeQuery("SELECT ARRAY[id, 2] FROM t").close();
            }
            for (Driver driver : Collections.list(DriverManager.getDrivers())) {
                if (Objects.equals(
                        driver.getClass().getClassLoader(), getClass().getClassLoader())) {
                    DriverManager.deregisterDriver(driver);
                }
            }
        } catch (SQLException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
