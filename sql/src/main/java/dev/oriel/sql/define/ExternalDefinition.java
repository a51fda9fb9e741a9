package dev.oriel.sql.define;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.file.ExternalFile;
import dev.oriel.sql.file.ExternalForm;
import dev.oriel.sql.file.FileOutput;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.syntax.ExternalOption;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs definitions of external tables.
final class ExternalDefinition {
    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;

    /// The definitions before the statement.
    private final Catalog former;

    ExternalDefinition(SqlText source, Execution execution) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.former = transaction.catalog();
    }

    void create(Statement.CreateExternal create) {
        List<Column> columns = new ArrayList<>();
        for (Statement.ColumnDefinition column : create.columns()) {
            Identifier name = column.name();
            if (columns.stream().anyMatch(other -> other.name().equalsIgnoreCase(name.name()))) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        name.position(),
                        "Column \"" + name.name() + "\" is declared twice: choose another name");
            }
            if (column.filling() != null) {
                throw source.error(
                        Kind.NOT_SUPPORTED,
                        column.filling().position(),
                        "Columns of external tables have no defaults and generate nothing");
            }
            Type type = InlineTypes.stored(column.type(), transaction);
            columns.add(new Column(name.name(), type, column.nullable()));
        }
        Map<String, String> options = new HashMap<>();
        for (ExternalOption option : create.options()) {
            if (!ExternalForm.OPTIONS.contains(option.name())) {
                throw source.error(
                        Kind.INVALID_PARAMETER,
                        option.position(),
                        "ORGANIZATION has no option \""
                                + option.name()
                                + "\""
                                + Nearest.hint(option.name(), ExternalForm.OPTIONS));
            }
            if (options.put(option.name(), option.value()) != null) {
                throw source.error(
                        Kind.INVALID_PARAMETER,
                        option.position(),
                        option.name() + " is given twice");
            }
        }
        ExternalTable table = new ExternalTable(0, create.table().name(), columns, options);
        ExternalFile file =
                new ExternalFile(table, place(create.table()), execution.files(), execution.zone());
        transaction.create(table);
        boolean plain = file.form().skipped() == 0 && file.form().headerBytes() == 0;
        if (plain && file.form().creates() && !Files.exists(file.path())) {
            empty(table, create.table());
        }
    }

    private Place place(Identifier name) {
        return source.at(name.position());
    }

    /// TRUNCATE: leaves the header, if there is one.
    void empty(ExternalTable table, Identifier name) {
        ExternalFile file =
                new ExternalFile(table, place(name), execution.files(), execution.zone());
        if (file.form().skipped() > 0 || file.form().headerBytes() > 0) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "An external table with ROWSTOSKIP or HEADERBYTESOFFSET can be added to only");
        }
        long _ = ExternalFile.alone(() -> emptied(file, name), execution::poll);
    }

    private long emptied(ExternalFile file, Identifier name) {
        try (FileOutput out = new FileOutput(file.path(), file.form().form().charset())) {
            file.writeHeader(out.writer());
            out.complete();
            return 0;
        } catch (IOException failure) {
            throw FileOutput.failed(file.form().file(), failure, place(name));
        }
    }

    /// DROP TABLE: the file is kept.
    void drop(ExternalTable table, Identifier name, boolean cascade) {
        transaction.drop(table);
        Views.check(source, name.position(), transaction, former, cascade);
    }
}
