package com.example;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;

/** A database in memory with the tables of the sample, made by Flyway. It lives while `connection` is open. */
record Shop(String url, Connection connection) implements AutoCloseable {
    static Shop open(String name) throws SQLException {
        String url = "jdbc:oriel:mem:" + name;
        Connection connection = DriverManager.getConnection(url);
        Flyway.configure().dataSource(url, "", "").load().migrate();
        return new Shop(url, connection);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
