package dev.oriel.sql.define;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.Partitions;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;

/// Runs CREATE INDEX in a transaction.
final class IndexDefinition {
    private final SqlText source;
    private final TableTransaction transaction;
    private final Catalog catalog;

    IndexDefinition(SqlText source, TableTransaction transaction) {
        this.source = source;
        this.transaction = transaction;
        this.catalog = transaction.catalog();
    }

    void create(Statement.CreateIndex create) {
        ConstraintBinder constraints = new ConstraintBinder(source, catalog);
        Identifier given = create.name();
        Partition place = SelectBinder.partition(catalog, create.table());
        Table table =
                place == null
                        ? SelectBinder.table(source, catalog, create.table())
                        : Partitions.around(catalog, place).table();
        if (given != null) {
            boolean elsewhere =
                    !given.schema().isEmpty()
                            && !table.schema().equals(catalog.schema(given.schema()));
            if (elsewhere) {
                throw source.error(
                        Kind.INVALID_DEFINITION,
                        given.position(),
                        "An index is in the schema of its table: leave out \""
                                + given.schema()
                                + "\"");
            }
            if (create.ifNotExists() && constraints.isTakenIndex(table, given.name())) {
                return;
            }
            constraints.checkFreeIndex(table, given);
        }
        List<Statement.Identifier> columns = new ArrayList<>();
        for (Statement.IndexTerm term : create.terms()) {
            if (term.column() != null) {
                columns.add(term.column());
            }
        }
        List<Integer> positions = constraints.positions(table, columns);
        create.included().forEach(column -> constraints.positions(table, List.of(column)));
        Table called = place == null ? table : table.withName(create.table().name());
        String name = given == null ? constraints.indexName(called, columns) : given.name();
        boolean plain = create.where() == null && columns.size() == create.terms().size();
        Index index =
                (plain
                                ? new Index(name, create.kind(), create.unique(), positions)
                                : indexOfTerms(called, create, name))
                        .withNulls(create.nulls())
                        .withOrders(orders(create));
        if (place != null) {
            new PartitionParts(source, transaction).createIndex(place, index, create.place());
            return;
        }
        if (index.unique() && catalog.partition(table.id()) != null) {
            Partitions.checkKey(source, create.place(), catalog, table, positions);
        }
        transaction.createIndex(table, index);
    }

    private static List<KeyOrder> orders(Statement.CreateIndex create) {
        List<KeyOrder> orders = new ArrayList<>();
        if (create.kind() != Index.Kind.SEARCH) { // words have no order that a query could ask for
            for (Statement.IndexTerm term : create.terms()) {
                orders.add(term.order());
            }
        }
        return orders;
    }

    private Index indexOfTerms(Table table, Statement.CreateIndex create, String name) {
        if (create.kind() == Index.Kind.SEARCH) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    create.place(),
                    "A SEARCH index cannot have expressions or WHERE; use a BTREE index");
        }
        if (create.kind() == Index.Kind.ARRAY) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    create.place(),
                    "An ARRAY index cannot have expressions or WHERE; use a BTREE index");
        }
        List<String> texts = new ArrayList<>();
        List<Type> types = new ArrayList<>();
        for (Statement.IndexTerm term : create.terms()) {
            texts.add(term.text());
            Scalar bound = TableExpressions.term(table, source, term.expression());
            checkIndexed(table, term, bound);
            types.add(bound.type());
        }
        Statement.IndexTerm where = create.where();
        if (where != null) {
            checkIndexed(table, where, TableExpressions.indexed(table, source, where.expression()));
        }
        Index.Terms terms = new Index.Terms(texts, types, where == null ? null : where.text());
        return new Index(name, create.unique(), terms);
    }

    private void checkIndexed(Table table, Statement.IndexTerm term, Scalar bound) {
        Expression written = term.expression();
        TableExpressions.refuseOutside(table, source, written, bound, "An index");
        TableExpressions.reread(table, source, written.position(), term.text());
    }
}
