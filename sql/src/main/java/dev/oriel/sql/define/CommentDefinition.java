package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.syntax.Commented;
import dev.oriel.sql.syntax.Statement.CommentOn;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.Comments.Subject;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.NamedSchema;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.UserType;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Runs COMMENT ON.
final class CommentDefinition {
    private final SqlText source;
    private final TableTransaction transaction;
    private final Catalog catalog;

    CommentDefinition(SqlText source, TableTransaction transaction) {
        this.source = source;
        this.transaction = transaction;
        this.catalog = transaction.catalog();
    }

    void run(CommentOn comment) {
        Identifier name = comment.name();
        switch (comment.kind()) {
            case TABLE -> write(table(name), Subject.WHOLE, comment);
            case COLUMN -> column(comment);
            case INDEX -> {
                Table owner = new ConstraintBinder(source, catalog).owner(name);
                if (owner == null) {
                    List<String> names = new ArrayList<>();
                    catalog.tables().forEach(t -> t.indexes().forEach(i -> names.add(i.name())));
                    throw unknown("index", name, names);
                }
                write(owner.id(), Subject.index(name.name()), comment);
            }
            case CONSTRAINT -> constraint(comment);
            case SCHEMA -> {
                NamedSchema schema = catalog.named(name.name());
                if (schema == null) {
                    List<String> names = catalog.schemas().stream().map(NamedSchema::name).toList();
                    throw unknown("schema", name, names);
                }
                write(schema.id(), Subject.WHOLE, comment);
            }
            case VIEW -> {
                View view = catalog.view(name.path());
                if (view == null) {
                    throw unknown("view", name, catalog.views().stream().map(View::name).toList());
                }
                write(view.id(), Subject.WHOLE, comment);
            }
            case MATERIALIZED_VIEW -> {
                Table rows = catalog.table(name.path());
                if (rows == null || catalog.materialized(rows.id()) == null) {
                    throw unknown("materialized view", name, List.of());
                }
                write(rows.id(), Subject.WHOLE, comment);
            }
            case TYPE, DOMAIN -> {
                UserType type = catalog.userType(name.name());
                if (type == null
                        || (comment.kind() == Commented.DOMAIN && !(type instanceof DomainType))) {
                    throw unknown(
                            comment.kind().name().toLowerCase(Locale.ROOT),
                            name,
                            catalog.userTypes().stream().map(UserType::name).toList());
                }
                write(type.id(), Subject.WHOLE, comment);
            }
            case SEQUENCE -> {
                Sequence sequence = catalog.sequence(name.path());
                if (sequence == null) {
                    throw unknown(
                            "sequence",
                            name,
                            catalog.sequences().stream().map(Sequence::name).toList());
                }
                write(sequence.id(), Subject.WHOLE, comment);
            }
        }
    }

    /// Copies the comments of a replaced view to `after`, for the view and the columns that both have.
    static void keep(TableTransaction transaction, Comments before, View after) {
        Comments kept = Comments.none(after.id()).with(Subject.WHOLE, before.text(Subject.WHOLE));
        for (String name : after.columns()) {
            Subject column = Subject.column(name);
            kept = kept.with(column, before.text(column));
        }
        if (!kept.texts().isEmpty()) {
            transaction.create(kept);
        }
    }

    private long table(Identifier name) {
        ExternalTable external = catalog.external(name.path());
        Partition place = SelectBinder.partition(catalog, name);
        if (place != null) {
            return place.of();
        }
        return external != null ? external.id() : SelectBinder.table(source, catalog, name).id();
    }

    private void column(CommentOn comment) {
        Identifier name = comment.name();
        View view = catalog.view(name.path());
        ExternalTable external = catalog.external(name.path());
        List<String> columns;
        long of;
        if (view != null) {
            columns = view.columns();
            of = view.id();
        } else if (external != null) {
            columns = external.columns().stream().map(Column::name).toList();
            of = external.id();
        } else {
            Table table = SelectBinder.table(source, catalog, name);
            columns = table.columns().stream().map(Column::name).toList();
            of = table.id();
        }
        Identifier column = comment.part();
        if (column == null) {
            throw new IllegalStateException("COMMENT ON COLUMN names no column");
        }
        if (columns.stream().noneMatch(column.name()::equalsIgnoreCase)) {
            throw source.error(
                    Kind.UNKNOWN_COLUMN,
                    column.position(),
                    "\""
                            + name.name()
                            + "\" has no column \""
                            + column.name()
                            + "\""
                            + Nearest.hint(column.name(), columns));
        }
        write(of, Subject.column(column.name()), comment);
    }

    private void constraint(CommentOn comment) {
        Table table = SelectBinder.table(source, catalog, comment.name());
        Identifier constraint = comment.part();
        if (constraint == null) {
            throw new IllegalStateException("COMMENT ON CONSTRAINT names no constraint");
        }
        List<String> names = ConstraintBinder.names(table);
        if (names.stream().noneMatch(constraint.name()::equalsIgnoreCase)) {
            throw source.error(
                    Kind.UNKNOWN_OBJECT,
                    constraint.position(),
                    "Table \""
                            + table.name()
                            + "\" has no constraint \""
                            + constraint.name()
                            + "\""
                            + Nearest.hint(constraint.name(), names));
        }
        write(table.id(), Subject.constraint(constraint.name()), comment);
    }

    private SqlException unknown(String kind, Identifier name, List<String> names) {
        return source.error(
                Kind.UNKNOWN_OBJECT,
                name.position(),
                "There is no "
                        + kind
                        + " \""
                        + name.name()
                        + "\""
                        + Nearest.hint(name.name(), names));
    }

    private void write(long of, Subject subject, CommentOn comment) {
        write(transaction, of, subject, comment.text());
    }

    /// Stores the comment `text` on a part of the definition `of`; null removes it.
    static void write(
            TableTransaction transaction, long of, Subject subject, @Nullable String text) {
        Comments before = transaction.catalog().comments(of);
        Comments after = before.with(subject, text);
        if (after.texts().isEmpty()) {
            if (before.id() != 0) {
                transaction.drop(before);
            }
        } else if (!after.equals(before)) {
            transaction.create(after);
        }
    }
}
