package dev.oriel.sql.bind;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.Comments.Subject;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.NamedSchema;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.UserType;
import dev.oriel.table.definition.View;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The comments in `pg_description`, and the functions that find one by the number of its object.
final class PgComments {
    /// Numbers of PostgreSQL's tables of definitions.
    static final long CLASSES = 1_259;

    private static final long CONSTRAINTS = 2_606;
    private static final long FUNCTIONS = 1_255;
    private static final long SCHEMAS = 2_615;
    private static final long TYPES = 1_247;
    private static final long TRIGGERS = 2_620;

    /// Receives comments.
    private interface Comment {
        void at(long kind, long oid, long part, String text);
    }

    private PgComments() {}

    /// Adds the rows of `pg_description`.
    static void fill(PgRows rows, Catalog catalog) {
        each(catalog, (kind, oid, part, text) -> rows.add(oid, kind, part, text));
    }

    /// Comment on the object `oid`, or on its column `part`; null for none.
    static @Nullable String comment(Catalog catalog, long oid, long part) {
        PgBuiltIns.BuiltIn builtIn = PgBuiltIns.of(oid);
        if (builtIn != null) {
            return part == 0 ? builtIn.function().sentence() : null;
        }
        long id = PgCatalog.definition(oid);
        Comments comments = catalog.comments(id);
        if (part == 0 && PgCatalog.oid(id) == oid) {
            return comments.text(Subject.WHOLE);
        }
        @Nullable String[] found = new @Nullable String[1];
        Comment into =
                (_, of, at, text) -> {
                    if (of == oid && at == part) {
                        found[0] = text;
                    }
                };
        Table table = catalog.table(id);
        if (table != null) {
            table(table, comments, into);
        }
        for (View view : table == null ? catalog.views() : List.<View>of()) {
            if (view.id() == id) {
                whole(comments, oid, view.columns(), into);
            }
        }
        return found[0];
    }

    private static void each(Catalog catalog, Comment into) {
        for (Table table : catalog.tables()) {
            table(table, catalog.comments(table.id()), into);
        }
        for (View view : catalog.views()) {
            whole(catalog.comments(view.id()), PgCatalog.oid(view.id()), view.columns(), into);
        }
        for (SqlFunction function : catalog.functions()) {
            add(
                    catalog.comments(function.id()),
                    Subject.WHOLE,
                    FUNCTIONS,
                    PgCatalog.oid(function.id()),
                    0,
                    into);
        }
        for (Procedure procedure : catalog.procedures()) {
            add(
                    catalog.comments(procedure.id()),
                    Subject.WHOLE,
                    FUNCTIONS,
                    PgCatalog.oid(procedure.id()),
                    0,
                    into);
        }
        for (Trigger trigger : catalog.triggers()) {
            add(
                    catalog.comments(trigger.id()),
                    Subject.WHOLE,
                    TRIGGERS,
                    PgCatalog.oid(trigger.id()),
                    0,
                    into);
        }
        for (UserType type : catalog.userTypes()) {
            add(
                    catalog.comments(type.id()),
                    Subject.WHOLE,
                    TYPES,
                    PgCatalog.oid(type.id()),
                    0,
                    into);
        }
        for (NamedSchema schema : catalog.schemas()) {
            add(
                    catalog.comments(schema.id()),
                    Subject.WHOLE,
                    SCHEMAS,
                    PgCatalog.oid(schema.id()),
                    0,
                    into);
        }
        for (Sequence sequence : catalog.sequences()) {
            whole(catalog.comments(sequence.id()), PgCatalog.oid(sequence.id()), List.of(), into);
        }
    }

    private static void table(Table table, Comments comments, Comment into) {
        if (!comments.texts().isEmpty()) {
            List<String> columns = table.columns().stream().map(Column::name).toList();
            whole(comments, PgCatalog.oid(table.id()), columns, into);
            parts(table, comments, into);
        }
    }

    private static void whole(Comments comments, long oid, List<String> columns, Comment into) {
        add(comments, Subject.WHOLE, CLASSES, oid, 0, into);
        for (int i = 0; i < columns.size(); i++) {
            add(comments, Subject.column(columns.get(i)), CLASSES, oid, i + 1, into);
        }
    }

    private static void parts(Table table, Comments comments, Comment into) {
        List<Index> indexes = table.indexes();
        for (int i = 0; i < indexes.size(); i++) {
            Subject index = Subject.index(indexes.get(i).name());
            add(comments, index, CLASSES, PgCatalog.index(table, i + 1), 0, into);
        }
        List<String> constraints = ConstraintBinder.names(table);
        for (int i = 0; i < constraints.size(); i++) {
            Subject constraint = Subject.constraint(constraints.get(i));
            add(comments, constraint, CONSTRAINTS, PgCatalog.constraint(table, i), 0, into);
        }
    }

    private static void add(
            Comments comments, Subject subject, long kind, long oid, long part, Comment into) {
        String text = comments.text(subject);
        if (text != null) {
            into.at(kind, oid, part, text);
        }
    }
}
