package dev.oriel.table.schema;

import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.row.RowLayout;
import java.util.HashSet;
import java.util.List;

/// Tests of a definition by itself, without the others.
public final class DefinitionForm {
    private DefinitionForm() {}

    public static void check(Table table) {
        CatalogCodec.checkName(table.name());
        int columns = table.columns().size();
        if (columns > RowLayout.COLUMNS_MAX) {
            throw new ConstraintException(
                    Kind.INVALID_DEFINITION,
                    "A table has at most " + RowLayout.COLUMNS_MAX + " columns",
                    "table=" + table.name() + " columns=" + columns);
        }
        for (Column column : table.columns()) {
            CatalogCodec.checkName(column.name());
            Type type = column.type();
            boolean decimal = type.name() == Type.Name.DECIMAL;
            if (type.isOfExpression()) {
                throw new ConstraintException(
                        Kind.INVALID_DEFINITION,
                        "A column cannot be of the type of an expression's rows; CREATE TYPE, and"
                                + " cast to it",
                        "table=" + table.name() + " column=" + column.name() + " type=" + type);
            }
            if (type.length() < 0
                    || (decimal && (type.scale() < 0 || type.scale() > type.length()))) {
                throw new ConstraintException(
                        Kind.INVALID_DEFINITION,
                        "A type's length is 0 or more, and its scale at most its length",
                        "table="
                                + table.name()
                                + " column="
                                + column.name()
                                + " type="
                                + type
                                + " scale="
                                + type.scale());
            }
        }
        checkColumns(table, "the primary key", table.primaryKey());
        checkRoles(table);
        if (!table.constraints().primaryKey().isEmpty()) {
            CatalogCodec.checkName(table.constraints().primaryKey());
        }
        table.constraints().declared().forEach(check -> CatalogCodec.checkName(check.name()));
        for (ForeignKey key : table.constraints().foreignKeys()) {
            CatalogCodec.checkName(key.name());
            checkColumns(table, key.name(), key.columns());
            if (key.columns().isEmpty() || key.columns().size() != key.parentColumns().size()) {
                throw new ConstraintException(
                        Kind.INVALID_DEFINITION,
                        "A foreign key has as many columns as the key that it refers to",
                        "table=" + table.name() + " key=" + key.name());
            }
        }
    }

    private static void checkRoles(Table table) {
        int expiries = 0;
        int versions = 0;
        for (Column column : table.columns()) {
            boolean fits =
                    switch (column.role()) {
                        case PLAIN -> true;
                        case EXPIRY ->
                                ++expiries == 1 && column.type().name() == Type.Name.TIMESTAMP_TZ;
                        case VERSION -> ++versions == 1 && column.type().name() == Type.Name.BIGINT;
                    };
            if (!fits || (column.role() != Column.Role.PLAIN && isInKey(table, column))) {
                throw new ConstraintException(
                        Kind.INVALID_DEFINITION,
                        "A table has at most one expiry column (TIMESTAMP WITH TIME ZONE) and"
                                + " one version column (BIGINT); neither can be in the primary key",
                        "table=" + table.name() + " column=" + column.name());
            }
        }
    }

    private static boolean isInKey(Table table, Column column) {
        return table.primaryKey().contains(table.columns().indexOf(column));
    }

    public static void check(Table table, Index index) {
        CatalogCodec.checkName(index.name());
        Index.Terms terms = index.terms();
        int keys = terms == null ? index.columns().size() : terms.expressions().size();
        boolean ordered = !index.orders().isEmpty();
        if (ordered && (index.orders().size() != keys || index.kind() == Index.Kind.SEARCH)) {
            throw new ConstraintException(
                    Kind.INVALID_DEFINITION,
                    "An index has an order for each of its columns or for none; a SEARCH index has"
                            + " none",
                    "table=" + table.name() + " index=" + index.name());
        }
        if (terms != null) {
            boolean fits =
                    index.kind() == Index.Kind.BTREE
                            && index.columns().isEmpty()
                            && !terms.expressions().isEmpty()
                            && terms.expressions().size() == terms.types().size();
            if (!fits) {
                throw new ConstraintException(
                        Kind.INVALID_DEFINITION,
                        "An index of expressions, or of some rows, is a BTREE index and has one"
                                + " expression at least, each with its type",
                        "table=" + table.name() + " index=" + index.name());
            }
            return;
        }
        if (index.columns().isEmpty()) {
            throw new ConstraintException(
                    Kind.INVALID_DEFINITION,
                    "An index has at least one column",
                    "table=" + table.name() + " index=" + index.name());
        }
        checkColumns(table, index.name(), index.columns());
        if (index.kind() == Index.Kind.SEARCH) {
            boolean text =
                    index.columns().size() == 1
                            && table.columns()
                                    .get(index.columns().getFirst())
                                    .type()
                                    .shape()
                                    .isText();
            if (!text || index.unique()) {
                throw new ConstraintException(
                        Kind.INVALID_DEFINITION,
                        "A SEARCH index has exactly one column, of a text type, and cannot be"
                                + " UNIQUE",
                        "table=" + table.name() + " index=" + index.name());
            }
        }
    }

    private static void checkColumns(Table table, String of, List<Integer> columns) {
        for (int column : columns) {
            if (column < 0 || column >= table.columns().size()) {
                throw new ConstraintException(
                        Kind.INVALID_DEFINITION,
                        "A key names a column that the table does not have",
                        "table=" + table.name() + " key=" + of + " column number=" + column);
            }
        }
        if (new HashSet<>(columns).size() < columns.size()) {
            throw new ConstraintException(
                    Kind.INVALID_DEFINITION,
                    "A key names a column twice",
                    "table=" + table.name() + " key=" + of);
        }
    }
}
