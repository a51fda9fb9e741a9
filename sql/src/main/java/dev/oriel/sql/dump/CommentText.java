package dev.oriel.sql.dump;

import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.TriggerText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.Comments.Subject;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.NamedSchema;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.UserType;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// COMMENT ON statements for all comments.
final class CommentText {
    private final Catalog catalog;
    private final List<String> all = new ArrayList<>();

    CommentText(Catalog catalog) {
        this.catalog = catalog;
    }

    List<String> all() {
        for (NamedSchema schema : catalog.schemas()) {
            whole("SCHEMA " + NameText.of(schema.name()), schema.id());
        }
        for (UserType type : catalog.userTypes()) {
            String kind = type instanceof DomainType ? "DOMAIN " : "TYPE ";
            whole(kind + NameText.of(type.name()), type.id());
        }
        for (Sequence sequence : catalog.sequences()) {
            whole("SEQUENCE " + NameText.of(sequence.schema(), sequence.name()), sequence.id());
        }
        catalog.tables().forEach(this::table);
        for (View view : catalog.views()) {
            String name = NameText.of(view.schema(), view.name());
            boolean partition = catalog.partition(view.id()) != null;
            whole((partition ? "TABLE " : "VIEW ") + name, view.id());
            columns(name, view.id(), view.columns());
        }
        for (ExternalTable table : catalog.externals()) {
            String name = NameText.of("", table.name());
            whole("TABLE " + name, table.id());
            columns(name, table.id(), table.columns().stream().map(Column::name).toList());
        }
        catalog.functions().forEach(this::function);
        for (Procedure procedure : catalog.procedures()) {
            whole("PROCEDURE " + ProcedureText.signature(procedure), procedure.id());
        }
        catalog.tables().stream()
                .filter(table -> !table.temporary())
                .forEach(table -> triggers(table.id()));
        catalog.views().forEach(view -> triggers(view.id()));
        return List.copyOf(all);
    }

    private void table(Table table) {
        String name = NameText.of(table.schema(), table.name());
        boolean materialized = catalog.materialized(table.id()) != null;
        whole((materialized ? "MATERIALIZED VIEW " : "TABLE ") + name, table.id());
        columns(name, table.id(), table.columns().stream().map(Column::name).toList());
        Comments comments = catalog.comments(table.id());
        for (String constraint : ConstraintBinder.names(table)) {
            add(
                    "CONSTRAINT " + NameText.of(constraint) + " ON " + name,
                    comments.text(Subject.constraint(constraint)));
        }
        List<String> indexes = new ArrayList<>();
        if (!table.primaryKey().isEmpty()) {
            indexes.add(ConstraintBinder.primaryKeyName(table));
        }
        table.indexes().stream().map(Index::name).forEach(indexes::add);
        for (String index : indexes) {
            add("INDEX " + NameText.of(table.schema(), index), comments.text(Subject.index(index)));
        }
    }

    private void triggers(long of) {
        for (Trigger trigger : catalog.triggers(of)) {
            String on = TriggerText.relation(catalog, trigger);
            whole("TRIGGER " + NameText.of(trigger.name()) + " ON " + on, trigger.id());
        }
    }

    private void function(SqlFunction function) {
        List<String> types =
                function.parameters().stream().map(each -> TypeText.of(each.type())).toList();
        whole(
                "FUNCTION "
                        + NameText.of(function.schema(), function.name())
                        + " ("
                        + String.join(", ", types)
                        + ")",
                function.id());
    }

    private void whole(String subject, long of) {
        add(subject, catalog.comments(of).text(Subject.WHOLE));
    }

    private void columns(String relation, long of, List<String> columns) {
        Comments comments = catalog.comments(of);
        for (String column : columns) {
            add(
                    "COLUMN " + relation + "." + NameText.of(column),
                    comments.text(Subject.column(column)));
        }
    }

    private void add(String subject, @Nullable String text) {
        if (text != null) {
            all.add("COMMENT ON " + subject + " IS " + NameText.literal(text));
        }
    }
}
