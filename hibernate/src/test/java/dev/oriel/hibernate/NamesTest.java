package dev.oriel.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.tool.schema.spi.SchemaManagementException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Names are compared without their case, in quotes too, whether Hibernate reads all tables at once or each.
@Timeout(300)
class NamesTest {
    private static final String URL = "jdbc:oriel:mem:names";

    @SuppressWarnings("NullAway.Init")
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection(URL);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Entity(name = "Owner")
    @Table(name = "`My_Owner`", indexes = @Index(name = "By_Name", columnList = "`FullName`"))
    static class Owner {
        @Id long id;

        @Column(name = "`FullName`")
        @Nullable String name;
    }

    @Entity(name = "PetOfOwner")
    @Table(name = "PetOfOwner")
    static class Pet {
        @Id long id;

        @Column(name = "BirthYear")
        int year;

        @ManyToOne
        @JoinColumn(name = "`Owner_Id`")
        @Nullable Owner owner;
    }

    private static SessionFactory factory(String action, String strategy, boolean metadata) {
        return new Configuration()
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.dialect", OrielDialect.class.getName())
                .setProperty("hibernate.hbm2ddl.auto", action)
                .setProperty("hibernate.hbm2ddl.halt_on_error", "true")
                .setProperty("hibernate.hbm2ddl.jdbc_metadata_extraction_strategy", strategy)
                .setProperty("hibernate.boot.allow_jdbc_metadata_access", "" + metadata)
                .addAnnotatedClass(Owner.class)
                .addAnnotatedClass(Pet.class)
                .buildSessionFactory();
    }

    private int columns() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT COUNT(*) FROM information_schema.columns"
                                        + " WHERE table_schema = 'public'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"grouped,true", "grouped,false", "individually,true", "individually,false"})
    void namesInQuotesAreMadeValidatedAndUpdated(String strategy, boolean metadata)
            throws SQLException {
        factory("update", strategy, metadata).close();
        assertEquals(5, columns());
        factory("validate", strategy, metadata).close();
        factory("update", strategy, metadata).close();
        assertEquals(5, columns());
    }

    /// As a migration may have made them.
    @ParameterizedTest
    @ValueSource(strings = {"grouped", "individually"})
    void tablesOfOtherCaseAreFound(String strategy) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE MY_OWNER (ID BIGINT PRIMARY KEY)");
            assertThrows(
                    SchemaManagementException.class, () -> factory("validate", strategy, true));
            statement.execute("ALTER TABLE MY_OWNER ADD COLUMN FULLNAME VARCHAR(255)");
            statement.execute(
                    "CREATE TABLE petofowner (id BIGINT PRIMARY KEY, birthyear INT NOT NULL,"
                            + " owner_id BIGINT REFERENCES my_owner)");
        }
        factory("validate", strategy, true).close();
        factory("update", strategy, true).close();
        assertEquals(5, columns());
    }
}
