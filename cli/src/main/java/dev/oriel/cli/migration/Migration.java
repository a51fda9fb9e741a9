package dev.oriel.cli.migration;

import dev.oriel.cli.migration.ColumnType.Kind;
import dev.oriel.cli.migration.SourceSchema.Column;
import dev.oriel.cli.migration.SourceSchema.Domain;
import dev.oriel.cli.migration.SourceSchema.Enumeration;
import dev.oriel.cli.migration.SourceSchema.Sequence;
import dev.oriel.cli.migration.SourceSchema.Table;
import dev.oriel.cli.migration.SourceSchema.View;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/// Reads a schema of another product and writes it into an empty database: tables, rows, keys, indexes, checks,
/// sequences, views.
///
/// Objects without a counterpart are left out and listed. Rows are never left out. If a row is refused, the
/// migration ends with an exception, and the caller drops the database.
public final class Migration {
    /// Receives the progress.
    public interface Watcher {
        /// Called when a table begins.
        ///
        /// @param rows number of rows in the source
        void table(String name, long rows);

        /// Called with the number of rows copied so far.
        void at(long rows);
    }

    private final Product product;
    private final Connection source;
    private final Connection target;
    private final String schema;
    private final Set<String> types = new HashSet<>();
    private final MigrationReport report = new MigrationReport();
    private final Map<String, RowCopy.Sum> sums = new HashMap<>();
    private final Set<String> withoutGenerated = new HashSet<>();

    private Migration(Product product, Connection source, Connection target, String schema) {
        this.product = product;
        this.source = source;
        this.target = target;
        this.schema = schema.isEmpty() ? product.usualSchema : schema;
    }

    /// Opens a database of `product`.
    ///
    /// @param place a JDBC URL, or the rest of one after `jdbc:h2:` and the like
    /// @param properties user and password
    /// @param jars jars with its driver, if it is not on the class path
    public static Connection connect(
            Product product, String place, Properties properties, List<Path> jars)
            throws SQLException, MigrationException {
        Connection source = Drivers.connect(product, product.url(place), properties, jars);
        boolean ready = false;
        try {
            source.setAutoCommit(false);
            if (source.getMetaData()
                    .supportsTransactionIsolationLevel(Connection.TRANSACTION_REPEATABLE_READ)) {
                source.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            }
            ready = true;
            return source;
        } finally {
            if (!ready) {
                source.close();
            }
        }
    }

    /// Copies a schema.
    ///
    /// @param target connection to an empty database
    /// @param schema schema of the source; empty for the default one
    /// @param named tables to copy; empty for all
    public static MigrationReport run(
            Product product,
            Connection source,
            Connection target,
            String schema,
            Set<String> named,
            Watcher watcher)
            throws SQLException, MigrationException {
        try {
            return new Migration(product, source, target, schema).run(named, watcher);
        } finally {
            source.rollback(); // Derby closes no connection with an open transaction
        }
    }

    private MigrationReport run(Set<String> named, Watcher watcher)
            throws SQLException, MigrationException {
        SourceSchema all = new SchemaReader(source, product, schema).read();
        all.left().forEach(loss -> report.left(loss.name(), loss.reason()));
        all.different().forEach(loss -> report.note(loss.name(), String.valueOf(loss.reason())));
        List<Table> tables =
                all.tables().stream()
                        .filter(table -> named.isEmpty() || named.contains(table.name()))
                        .toList();
        if (tables.isEmpty()) {
            throw new MigrationException(
                    "there is no table to import"
                            + (schema.isEmpty() ? "" : " in schema " + schema)
                            + (all.tables().isEmpty() ? "" : " among the named ones")
                            + "; look at the address, --schema and --tables");
        }
        for (String name : named) {
            if (tables.stream().noneMatch(table -> table.name().equalsIgnoreCase(name))) {
                throw new MigrationException(
                        "there is no table " + name + " to import; look at --schema and --tables");
            }
        }
        if (product == Product.SQLITE) {
            tables = new SqliteTypes(source, report).fitted(tables);
        }
        target.setAutoCommit(false);
        for (Sequence sequence : all.sequences()) {
            attempt("sequence " + sequence.name(), Definitions.create(sequence), report::sequence);
            exhaust(sequence.name(), sequence);
        }
        for (Enumeration type : all.enumerations()) {
            attempt("type " + type.name(), Definitions.create(type), () -> types.add(type.name()));
        }
        createDomains(new ArrayList<>(all.domains()));
        tables = tables.stream().map(this::withKnownTypes).toList();
        for (Table table : tables) {
            create(table);
        }
        for (Table table : tables) {
            watcher.table(table.name(), count(table));
            RowCopy copy = new RowCopy(source, target, product);
            RowCopy.Sum sum = copy.copy(table, generates(table), watcher::at);
            sums.put(table.name(), sum);
            report.table(table.name(), sum.rows());
        }
        for (Table table : tables) {
            define(table);
            for (SourceSchema.Clause clause : all.clauses()) {
                if (clause.table().equals(table.name())) {
                    attempt(clause.name(), clause.statement(), () -> {});
                }
            }
        }
        for (Table table : tables) {
            for (SourceSchema.ForeignKey key : table.foreignKeys()) {
                attempt(
                        "foreign key of " + table.name() + " to " + key.parent(),
                        Definitions.add(table, key),
                        report::foreignKey);
            }
        }
        addChecks(all.domains());
        createViews(new ArrayList<>(all.views()));
        compare(tables);
        return report;
    }

    private boolean generates(Table table) {
        return !withoutGenerated.contains(table.name());
    }

    private long count(Table table) throws SQLException {
        try (Statement statement = source.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table.from())) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /// Marks the last number of an exhausted sequence as used.
    private void exhaust(String name, Sequence sequence) throws SQLException {
        if (sequence.exhausted()) {
            attempt("end of sequence " + name, Definitions.exhaust(name, sequence), () -> {});
        }
    }

    /// Creates the domains. They may depend on each other, so the rest is retried as long as one more is created.
    private void createDomains(List<Domain> domains) throws SQLException {
        boolean progress = true;
        while (progress && !domains.isEmpty()) {
            progress = false;
            for (Domain domain : List.copyOf(domains)) {
                if (isTaken(definition(domain))) {
                    domains.remove(domain);
                    types.add(domain.name());
                    progress = true;
                }
            }
        }
        for (Domain domain : domains) {
            attempt("domain " + domain.name(), definition(domain), () -> {});
        }
    }

    private String definition(Domain domain) {
        String parent = domain.parent();
        return Definitions.create(
                domain, parent == null ? domain.type().text() : Definitions.quoted(parent));
    }

    /// Adds the checks of the domains that exist here; other checks are left out with their domains.
    private void addChecks(List<Domain> domains) throws SQLException {
        for (Domain domain : domains) {
            for (SourceSchema.Check check : domain.checks()) {
                if (types.contains(domain.name())) {
                    attempt(
                            "check of " + domain.name() + ": " + check.condition(),
                            Definitions.add(domain, check),
                            report::check);
                }
            }
        }
    }

    /// Replaces types that do not exist here by their base types.
    private Table withKnownTypes(Table table) {
        return table.withColumns(
                table.columns().stream()
                        .map(column -> {
                            String name = column.type().named();
                            return name == null || types.contains(name)
                                    ? column
                                    : column.withType(column.type().named(null));
                        })
                        .toList());
    }

    private void create(Table table) throws SQLException, MigrationException {
        for (Column column : table.columns()) {
            String name = table.name() + "." + column.name();
            if (column.type().note() != null) {
                report.note("column " + name, column.type().note());
            }
            if (column.identity() != null && column.type().kind() != Kind.INTEGER) {
                report.left("identity of " + name, "only integers are numbered here");
            }
        }
        try {
            execute(Definitions.create(table, true));
            return;
        } catch (SQLException refused) {
            target.rollback();
            boolean generates = table.columns().stream().anyMatch(Column::generated);
            if (!generates) {
                throw refused(table, refused);
            }
            report.left(
                    "generated columns of " + table.name() + " are ordinary ones here",
                    refused.getMessage());
        }
        withoutGenerated.add(table.name());
        try {
            execute(Definitions.create(table, false));
        } catch (SQLException refused) {
            throw refused(table, refused);
        }
    }

    private static MigrationException refused(Table table, SQLException refused) {
        return new MigrationException(
                "table " + table.name() + " cannot be created: " + refused.getMessage(), refused);
    }

    /// Adds definitions that follow the rows: defaults, indexes, checks, remarks.
    private void define(Table table) throws SQLException {
        for (Column column : table.columns()) {
            number(table, column);
            boolean plain = column.identity() == null && !column.generated();
            String text = column.defaultText();
            if (plain && text != null && !text.equalsIgnoreCase("NULL")) {
                for (String check : Definitions.sequenceOf(text)) {
                    attempt(
                            "sequence of the default of " + table.name() + "." + column.name(),
                            check,
                            () -> {});
                }
                attempt(
                        "default of " + table.name() + "." + column.name() + ": " + text,
                        Definitions.setDefault(table, column),
                        () -> {});
            }
        }
        for (SourceSchema.Index index : table.indexes()) {
            String name = index.name() == null ? "" : " " + index.name();
            attempt(
                    "index" + name + " of " + table.name(),
                    Definitions.add(table, index),
                    report::index);
        }
        for (SourceSchema.Check check : table.checks()) {
            attempt(
                    "check of " + table.name() + ": " + check.condition(),
                    Definitions.add(table, check),
                    report::check);
        }
        for (String remark : Definitions.remarks(table)) {
            execute(remark);
        }
    }

    /// Sets the next numbers of an identity column after the rows.
    private void number(Table table, Column column) throws SQLException {
        if (column.identity() == null || column.type().kind() != Kind.INTEGER) {
            return;
        }
        exhaust(table.name() + "_" + column.name() + "_seq", column.identity().numbers());
        if (column.identity().always()) {
            attempt(
                    "GENERATED ALWAYS of " + table.name() + "." + column.name(),
                    Definitions.always(table, column),
                    () -> {});
        }
    }

    /// Creates the views. They may depend on each other, so the rest is retried as long as one more is created.
    private void createViews(List<View> views) throws SQLException {
        boolean progress = true;
        while (progress && !views.isEmpty()) {
            progress = false;
            for (View view : List.copyOf(views)) {
                if (isTaken(view.statement())) {
                    report.view();
                    views.remove(view);
                    progress = true;
                }
            }
        }
        for (View view : views) {
            attempt("view " + view.name(), view.statement(), report::view);
        }
    }

    private boolean isTaken(String statement) throws SQLException {
        try {
            execute(statement);
            return true;
        } catch (SQLException refused) {
            target.rollback();
            return false; // it is retried, and in the end its reason goes into the report
        }
    }

    private void attempt(String name, String statement, Runnable done) throws SQLException {
        try {
            execute(statement);
            done.run();
        } catch (SQLException refused) {
            target.rollback();
            report.left(name, refused.getMessage());
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = target.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    rows.next(); // a query is evaluated as it is read
                }
            }
        }
        target.commit();
    }

    private void compare(List<Table> tables) throws SQLException, MigrationException {
        for (Table table : tables) {
            RowCopy.Sum arrived = new RowCopy(source, target, product).arrived(table);
            if (!arrived.equals(sums.get(table.name()))) {
                throw new MigrationException(
                        "table "
                                + table.name()
                                + " has other rows than its source: "
                                + arrived
                                + " and not "
                                + sums.get(table.name()));
            }
        }
    }
}
