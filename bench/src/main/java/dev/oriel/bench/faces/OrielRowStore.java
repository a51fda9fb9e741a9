package dev.oriel.bench.faces;

import dev.oriel.Database;
import dev.oriel.bench.Durability;
import dev.oriel.internal.Layers;
import dev.oriel.store.Isolation;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.value.Tuple;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;

/// The same three writes as rows of tables, by the table layer, which the faces are built on.
final class OrielRowStore implements FacesStore {
    private final Database database;
    private final Tables tables;
    private final Tuple payment = new Tuple(3);
    private final Tuple paid = new Tuple(4);
    private final Tuple entry = new Tuple(2);

    private OrielRowStore(Database database) {
        this.database = database;
        this.tables = Layers.tables(database);
    }

    static FacesStore open(Path folder, Durability durability) {
        Database database = OrielFaceStore.database(folder, durability);
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String definition :
                    List.of(
                            OrielFaceStore.ROWS,
                            "CREATE TABLE entry (k BIGINT PRIMARY KEY, v CLOB NOT NULL)",
                            "CREATE TABLE holder (id BIGINT PRIMARY KEY, place BIGINT NOT NULL)",
                            "CREATE TABLE paid (source BIGINT NOT NULL REFERENCES holder, target"
                                    + " BIGINT NOT NULL REFERENCES holder, number BIGINT, amount"
                                    + " BIGINT NOT NULL, PRIMARY KEY (source, target, number))",
                            "CREATE INDEX paid_in ON paid (target, source, number)")) {
                statement.execute(definition);
            }
            for (int i = 0; i < HOLDERS; i++) {
                statement.execute("INSERT INTO holder VALUES (" + i + ", " + i + ")");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new OrielRowStore(database);
    }

    @Override
    public void write(long number) {
        String text = FacesStore.text(number);
        long amount = FacesStore.amount(number);
        payment.setLong(0, number);
        payment.setLong(1, amount);
        payment.setText(2, text);
        paid.setLong(0, FacesStore.source(number));
        paid.setLong(1, FacesStore.target(number));
        paid.setLong(2, number);
        paid.setLong(3, amount);
        entry.setLong(0, number);
        entry.setText(1, text);
        try (TableTransaction transaction = tables.beginWrite(Isolation.READ_COMMITTED)) {
            transaction.insert(table(transaction, "PAYMENT"), payment);
            transaction.insert(table(transaction, "PAID"), paid);
            transaction.insert(table(transaction, "ENTRY"), entry);
            transaction.commit();
        }
    }

    private static Table table(TableTransaction transaction, String name) {
        return Objects.requireNonNull(transaction.catalog().table(name));
    }

    @Override
    public long count() {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT (SELECT COUNT(*) FROM payment) + (SELECT COUNT(*) FROM paid)"
                                        + " + (SELECT COUNT(*) FROM entry)")) {
            return rows.next() ? rows.getLong(1) : 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
