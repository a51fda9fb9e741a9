package dev.oriel.spring;

import java.sql.Connection;
import java.util.Optional;
import org.springframework.data.jdbc.core.dialect.DialectResolver;
import org.springframework.data.jdbc.core.dialect.JdbcArrayColumns;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.relational.core.dialect.AnsiDialect;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

/// Oriel's SQL for Spring Data JDBC: the standard's.
final class OrielJdbcDialect extends AnsiDialect implements JdbcDialect {
    static final OrielJdbcDialect INSTANCE = new OrielJdbcDialect();

    private OrielJdbcDialect() {}

    @Override
    public JdbcArrayColumns getArraySupport() {
        return JdbcArrayColumns.DefaultSupport.INSTANCE;
    }

    /// Finds the dialect by the name of the database.
    public static final class Provider implements DialectResolver.JdbcDialectProvider {
        /// For Spring's factories.
        public Provider() {}

        @Override
        public Optional<Dialect> getDialect(JdbcOperations operations) {
            ConnectionCallback<String> product =
                    (Connection connection) -> connection.getMetaData().getDatabaseProductName();
            return "Oriel".equals(operations.execute(product))
                    ? Optional.of(INSTANCE)
                    : Optional.empty();
        }
    }
}
