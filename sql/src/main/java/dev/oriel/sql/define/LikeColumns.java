package dev.oriel.sql.define;

import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.syntax.LikePart;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.SequenceOptions;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.ColumnDefinition;
import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.LikeTable;
import dev.oriel.sql.syntax.TableConstraint;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The columns that CREATE TABLE (LIKE other INCLUDING ...) copies from other tables, with their properties.
/// Foreign keys are never copied.
final class LikeColumns {
    private final SqlText source;
    private final Catalog catalog;

    /// Indexes of the other tables that are no constraints, and the offset of each table's columns among the new
    /// ones.
    private final List<Copied> copied = new ArrayList<>();

    LikeColumns(SqlText source, Catalog catalog) {
        this.source = source;
        this.catalog = catalog;
    }

    private record Copied(Table from, LikeTable like, int first) {}

    /// `create` with the columns and constraints of its LIKE clauses expanded.
    Statement.CreateTable spelled(Statement.CreateTable create) {
        if (create.likes().isEmpty()) {
            return create;
        }
        List<ColumnDefinition> columns = new ArrayList<>();
        List<TableConstraint> constraints = new ArrayList<>(create.constraints());
        int taken = 0;
        for (LikeTable like : create.likes()) {
            columns.addAll(create.columns().subList(taken, like.at()));
            taken = like.at();
            Table from = SelectBinder.storing(source, catalog, like.table());
            copied.add(new Copied(from, like, columns.size()));
            from.columns().forEach(column -> columns.add(column(like, from, column)));
            addConstraints(like, from, constraints);
        }
        columns.addAll(create.columns().subList(taken, create.columns().size()));
        return new Statement.CreateTable(
                create.position(),
                create.ifNotExists(),
                create.table(),
                List.copyOf(columns),
                List.copyOf(constraints),
                List.of(),
                create.temporary(),
                create.partitioned());
    }

    private ColumnDefinition column(LikeTable like, Table from, Column column) {
        int position = like.table().position();
        FillingClause filling =
                switch (column.filling()) {
                    case null -> null;
                    case ColumnDefault.Default value ->
                            like.parts().contains(LikePart.DEFAULTS)
                                    ? new FillingClause.Default(
                                            position,
                                            Parser.expression(
                                                    new SqlText(value.expression()),
                                                    UserTypes.of(from)),
                                            value.expression())
                                    : null;
                    case ColumnDefault.Generated value ->
                            like.parts().contains(LikePart.GENERATED)
                                    ? new FillingClause.Generated(
                                            position,
                                            Parser.expression(
                                                    new SqlText(value.expression()),
                                                    UserTypes.of(from)),
                                            value.expression())
                                    : null;
                    case ColumnDefault.Identity identity ->
                            like.parts().contains(LikePart.IDENTITY)
                                    ? identity(position, column, identity)
                                    : null;
                };
        return new ColumnDefinition(
                new Identifier(position, column.name()),
                column.type(),
                column.nullable(),
                filling,
                null,
                null,
                filling != null && column.fillsNull(),
                null,
                Column.Role.PLAIN);
    }

    private @Nullable FillingClause identity(
            int position, Column column, ColumnDefault.Identity identity) {
        Sequence sequence = catalog.sequence(identity.sequence());
        if (sequence == null) {
            return null;
        }
        return new FillingClause.Identity(
                position,
                identity.always(),
                new SequenceOptions(
                        column.type(),
                        sequence.start(),
                        sequence.increment(),
                        new Statement.Limit(sequence.least()),
                        new Statement.Limit(sequence.most()),
                        sequence.cycle(),
                        null,
                        null,
                        null));
    }

    private static void addConstraints(
            LikeTable like, Table from, List<TableConstraint> constraints) {
        int position = like.table().position();
        if (like.parts().contains(LikePart.CONSTRAINTS)) {
            for (Check check : from.constraints().declared()) {
                constraints.add(
                        new TableConstraint.CheckDefinition(
                                position,
                                new Identifier(position, check.name()),
                                Parser.expression(
                                        new SqlText(check.expression()), UserTypes.of(from)),
                                check.expression()));
            }
        }
        if (like.parts().contains(LikePart.INDEXES)) {
            if (!from.primaryKey().isEmpty()) {
                constraints.add(key(position, from, from.primaryKey(), null));
            }
            for (Index index : from.indexes()) {
                if (index.constraint()) {
                    constraints.add(key(position, from, index.columns(), index));
                }
            }
        }
    }

    private static TableConstraint.KeyDefinition key(
            int position, Table from, List<Integer> columns, @Nullable Index unique) {
        return new TableConstraint.KeyDefinition(
                position,
                null,
                unique == null,
                unique == null ? Index.Nulls.DISTINCT : unique.nulls(),
                names(position, from, columns),
                unique != null && unique.deferred());
    }

    private static List<Identifier> names(int position, Table from, List<Integer> columns) {
        return columns.stream()
                .map(column -> new Identifier(position, from.columns().get(column).name()))
                .toList();
    }

    /// Adds the comments, and the indexes that are no constraints, to `created`.
    void addIndexes(TableTransaction transaction, Table created) {
        for (Copied each : copied) {
            Table from = each.from();
            boolean indexed = each.like().parts().contains(LikePart.INDEXES);
            for (Index index : indexed ? from.indexes() : List.<Index>of()) {
                if (!index.constraint()) {
                    addIndex(transaction, created, each, index);
                }
            }
            Comments comments = catalog.comments(from.id());
            if (each.like().parts().contains(LikePart.COMMENTS)) {
                copyComments(transaction, created, from, comments);
            }
        }
    }

    /// Adds the comments written with `columns` to `created`.
    void addComments(TableTransaction transaction, Table created, List<ColumnDefinition> columns) {
        Comments before = transaction.catalog().comments(created.id());
        Comments own = before;
        for (ColumnDefinition column : columns) {
            if (column.comment() != null) {
                own = own.with(Comments.Subject.column(column.name().name()), column.comment());
            }
        }
        if (!own.equals(before)) {
            transaction.create(own);
        }
    }

    private void addIndex(TableTransaction transaction, Table created, Copied each, Index index) {
        ConstraintBinder binder = new ConstraintBinder(source, transaction.catalog());
        int position = each.like().table().position();
        String name = binder.indexName(created, names(position, each.from(), index.columns()));
        Index like =
                index.withName(name)
                        .withColumns(index.columns().stream().map(i -> i + each.first()).toList());
        transaction.createIndex(created, like);
    }

    private static void copyComments(
            TableTransaction transaction, Table created, Table from, Comments comments) {
        Comments own = transaction.catalog().comments(created.id());
        for (Column column : from.columns()) {
            Comments.Subject subject = Comments.Subject.column(column.name());
            own = own.with(subject, comments.text(subject));
        }
        if (!own.equals(transaction.catalog().comments(created.id()))) {
            transaction.create(own);
        }
    }
}
