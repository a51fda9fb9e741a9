package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.UpdatableViews;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.Comments.Subject;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs CREATE, ALTER and DROP of views.
final class ViewDefinitions {
    private final SqlText source;
    private final TableTransaction transaction;
    private final Catalog catalog;
    private final Definitions definitions;

    ViewDefinitions(SqlText source, TableTransaction transaction, Definitions definitions) {
        this.source = source;
        this.transaction = transaction;
        this.catalog = transaction.catalog();
        this.definitions = definitions;
    }

    void create(Statement.CreateView create) {
        boolean temporary = create.temporary() || Views.readsTemporary(source, catalog, create);
        String schema = definitions.schema(create.name(), temporary);
        View before = catalog.view(SearchPath.named(schema, create.name().name()));
        if (before == null || !create.orReplace()) {
            if (!definitions.exists(create.name(), create.ifNotExists(), schema)) {
                View view =
                        transaction.create(Views.of(source, catalog, create, 0).withSchema(schema));
                UpdatableViews.check(source, transaction.catalog(), view, create.name());
            }
            return;
        }
        checkNoPartition(before, create.name());
        List<Column> columns = Views.columns(catalog, before);
        Comments comments = catalog.comments(before.id());
        transaction.drop(before); // so that it cannot read itself
        View after =
                transaction.create(
                        Views.of(source, transaction.catalog(), create, before.id())
                                .withSchema(schema));
        checkKept(create.name(), columns, Views.columns(transaction.catalog(), after));
        CommentDefinition.keep(transaction, comments, after);
        TriggerDefinitions.keep(transaction, catalog, after.id());
        UpdatableViews.check(source, transaction.catalog(), after, create.name());
        Views.check(source, create.name().position(), transaction, catalog, false);
    }

    /// Checks that a view that is replaced keeps its columns. Further ones may follow.
    private void checkKept(Identifier name, List<Column> before, List<Column> after) {
        for (int i = 0; i < before.size(); i++) {
            Column was = before.get(i);
            if (i == after.size()) {
                throw kept(name, "Column \"" + was.name() + "\" of the view is missing; keep it");
            }
            Column is = after.get(i);
            if (!is.name().equalsIgnoreCase(was.name())) {
                throw kept(
                        name,
                        "Column "
                                + (i + 1)
                                + " of the view is \""
                                + was.name()
                                + "\", not \""
                                + is.name()
                                + "\"; rename it by ALTER VIEW, keep it");
            } else if (!isSame(was.type(), is.type())) {
                throw kept(
                        name,
                        "Column \""
                                + was.name()
                                + "\" of the view is of type "
                                + was.type()
                                + ", not "
                                + is.type()
                                + "; cast to the old type");
            }
        }
    }

    private SqlException kept(Identifier name, String state) {
        return source.error(
                Kind.INVALID_DEFINITION, name.position(), state + ", or drop the view first");
    }

    private static boolean isSame(Type a, Type b) {
        boolean texts =
                Typing.isText(a)
                        && Typing.isText(b)
                        && (a.name() == Type.Name.CHAR) == (b.name() == Type.Name.CHAR)
                        && a.domain() == null
                        && b.domain() == null;
        return texts ? a.length() == b.length() : a.equals(b);
    }

    void drop(Statement.DropView drop) {
        Set<View> views = new LinkedHashSet<>();
        for (Identifier name : drop.names()) {
            View view = view(name, drop.ifExists());
            checkNoPartition(view, name);
            if (view != null) {
                views.add(view);
            }
        }
        views.forEach(transaction::drop);
        Views.check(
                source, drop.names().getFirst().position(), transaction, catalog, drop.cascade());
    }

    /// Runs the changes of ALTER TABLE that a view may have too; false if the first is none of them.
    boolean alter(Statement.AlterTable alter) {
        Statement.RenameView rename =
                switch (alter.changes().getFirst()) {
                    case Alteration.RenameTo to ->
                            new Statement.RenameView(
                                    alter.position(),
                                    alter.ifExists(),
                                    alter.table(),
                                    null,
                                    to.to());
                    case Alteration.RenameColumn column ->
                            new Statement.RenameView(
                                    alter.position(),
                                    alter.ifExists(),
                                    alter.table(),
                                    column.column(),
                                    column.to());
                    default -> null;
                };
        if (rename != null) {
            rename(rename);
        }
        return rename != null;
    }

    void rename(Statement.RenameView rename) {
        View view = view(rename.name(), rename.ifExists());
        if (view == null) {
            return;
        }
        Identifier column = rename.column();
        if (column != null) {
            renameColumn(view, column, rename.to());
            return;
        }
        String to = rename.to().name();
        if (!to.equalsIgnoreCase(view.name())) {
            definitions.exists(rename.to(), false, view.schema());
        }
        String written = SchemaDefinitions.written(view.schema(), to);
        List<View> readers = Views.renamed(catalog, view.schema(), view.name(), written);
        transaction.create(view.withName(to));
        readers.forEach(reader -> Views.store(transaction, reader));
        Views.check(source, rename.name().position(), transaction, catalog, false);
    }

    private void renameColumn(View view, Identifier from, Identifier to) {
        List<String> columns = new ArrayList<>(view.columns());
        int place = place(columns, from.name());
        if (place < 0) {
            throw source.error(
                    Kind.UNKNOWN_COLUMN,
                    from.position(),
                    "View \""
                            + view.name()
                            + "\" has no column \""
                            + from.name()
                            + "\""
                            + Nearest.hint(from.name(), columns));
        }
        int other = place(columns, to.name());
        if (other >= 0 && other != place) {
            throw source.error(
                    Kind.DUPLICATE_COLUMN,
                    to.position(),
                    "View \""
                            + view.name()
                            + "\" has a column \""
                            + to.name()
                            + "\" already: choose another name");
        }
        columns.set(place, to.name());
        Comments before = catalog.comments(view.id());
        String comment = before.text(Subject.column(from.name()));
        transaction.create(view.withColumns(columns));
        if (comment != null) {
            transaction.create(
                    before.with(Subject.column(from.name()), null)
                            .with(Subject.column(to.name()), comment));
        }
        Views.check(source, from.position(), transaction, catalog, false);
    }

    private static int place(List<String> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    private void checkNoPartition(@Nullable View view, Identifier name) {
        if (view != null && catalog.partition(view.id()) != null) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    name.position(),
                    "\"" + name.name() + "\" is a partition; write TABLE instead of VIEW");
        }
    }

    private @Nullable View view(Identifier name, boolean ifExists) {
        View view = catalog.view(name.path());
        if (view == null && !ifExists) {
            List<String> names = catalog.views().stream().map(View::name).toList();
            throw source.error(
                    catalog.table(name.path()) != null ? Kind.WRONG_OBJECT : Kind.UNKNOWN_TABLE,
                    name.position(),
                    "There is no view \"" + name.text() + "\"" + Nearest.hint(name.name(), names));
        }
        return view;
    }
}
