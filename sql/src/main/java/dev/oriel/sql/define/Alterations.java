package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.BindContext;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.Partitions;
import dev.oriel.sql.bind.ScalarBinder;
import dev.oriel.sql.bind.Scope;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.Renaming;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TableConstraint;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.TableTransaction.Rewrite;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Runs the actions of ALTER TABLE. Changes of names, defaults, and new columns with the same value in all rows do
/// not read the rows. Other changes check the rows, or rewrite them.
final class Alterations {
    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;

    /// The definitions before the statement.
    private final Catalog former;

    private final Definitions definitions;
    private int position;

    Alterations(SqlText source, Execution execution, Definitions definitions) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.former = transaction.catalog();
        this.definitions = definitions;
    }

    /// Runs `change`, and returns the table as changed.
    ///
    /// @param place position of the table's name, for errors that have no other
    Table run(Table table, Alteration change, int place) {
        position = place;
        return switch (change) {
            case Alteration.AddColumn add -> addColumn(table, add);
            case Alteration.DropColumn drop -> dropColumn(table, drop);
            case Alteration.RenameColumn rename -> renameColumn(table, rename);
            case Alteration.RenameTo rename -> renameTo(table, rename.to());
            case Alteration.RenameConstraint rename -> renameConstraint(table, rename);
            case Alteration.ValidateConstraint validate -> validated(table, validate.constraint());
            case Alteration.TuneColumn tune -> {
                column(table, tune.column());
                yield table;
            }
            case Alteration.ChangeType type -> changeType(table, type);
            case Alteration.SetFilling set -> setFilling(table, set);
            case Alteration.SetNullable set -> setNullable(table, set);
            case Alteration.FillNull on -> new UpdateClause(source).change(transaction, table, on);
            case Alteration.DropExpression drop ->
                    new UpdateClause(source).dropExpression(transaction, table, drop);
            case Alteration.SetUpdate to -> new UpdateClause(source).change(transaction, table, to);
            case Alteration.IfColumnExists column ->
                    table.column(column.column().name()) < 0
                            ? table
                            : run(table, column.change(), place);
            case Alteration.ChangeIdentity identity ->
                    new IdentityColumns(source, transaction).change(table, identity);
            case Alteration.DropIdentity drop ->
                    new IdentityColumns(source, transaction).drop(table, drop);
            case Alteration.AttachPartition _, Alteration.DetachPartition _ ->
                    throw new IllegalStateException("no change of the table itself");
            case Alteration.ChangeDeferral time -> changeDeferral(table, time);
            case Alteration.AddConstraint add -> addConstraint(table, add.constraint());
            case Alteration.DropConstraint drop -> dropConstraint(table, drop);
        };
    }

    private int column(Table table, Identifier name) {
        return Compiler.column(source, table, name);
    }

    private Table redefined(Table changed) {
        return transaction.redefine(changed, null);
    }

    static Table with(Table table, int i, Column column) {
        List<Column> columns = new ArrayList<>(table.columns());
        columns.set(i, column);
        return table.withColumns(columns);
    }

    private Table addColumn(Table table, Alteration.AddColumn add) {
        Statement.ColumnDefinition wanted = add.column();
        if (table.column(wanted.name().name()) >= 0) {
            if (add.ifNotExists()) {
                return table;
            }
            throw source.error(
                    Kind.DUPLICATE_COLUMN,
                    wanted.name().position(),
                    "Table \""
                            + table.name()
                            + "\" has a column \""
                            + wanted.name().name()
                            + "\" already: choose another name, or say IF NOT EXISTS");
        }
        int i = table.columns().size();
        Catalog before = transaction.catalog();
        List<Column> columns = new ArrayList<>(table.columns());
        columns.add(definitions.column(wanted));
        Table draft = table.withColumns(columns);
        FillingClause clause = wanted.filling();
        DomainType domain = wanted.type().domain();
        Table changed;
        if (clause == null && (domain == null || domain.usual() == null)) {
            changed = redefined(draft);
        } else {
            List<Sequence> owned = new ArrayList<>();
            Table filled = draft; // by its domain
            if (clause != null) {
                filled = definitions.filled(draft, i, clause, owned);
                definitions.checkFilling(filled, i, clause);
            }
            owned.forEach(sequence -> transaction.create(sequence.withOwner(table.id())));
            Scalar value = TableExpressions.filling(transaction.catalog(), filled, i);
            boolean constant =
                    !filled.columns().get(i).generated() && TableExpressions.isConstant(value);
            changed = transaction.redefine(filled, new Rewrite(appending(table, value), constant));
        }
        Sequences.adopt(source, transaction, changed, List.of(wanted));
        for (TableConstraint constraint : add.constraints()) {
            changed = addConstraint(changed, constraint);
        }
        if (add.place() != null) {
            changed = new ColumnMoves(source, transaction).move(changed, i, add.place());
        }
        Partitions.refresh(transaction);
        Views.checkAdded(source, wanted.name(), table.path(), before, transaction.catalog());
        return now(changed);
    }

    /// The old row with `value` appended.
    private TableTransaction.RowChange appending(Table table, Scalar value) {
        int last = table.columns().size();
        Frame frame = new Frame(execution, new Tuple(0));
        return (old, out) -> {
            copy(table, old, out);
            value.store(out, last, frame);
        };
    }

    private static void copy(Table table, Row from, Tuple to) {
        for (int i = 0; i < table.columns().size(); i++) {
            to.copy(i, from, i, table.columns().get(i).type().shape());
        }
    }

    private Table dropColumn(Table table, Alteration.DropColumn drop) {
        if (drop.ifExists() && table.column(drop.column().name()) < 0) {
            return table;
        }
        int gone = column(table, drop.column());
        checkNoKey(table, gone, drop.column());
        Column made = ColumnMoves.madeOf(table, gone);
        if (made != null) {
            if (!drop.cascade()) {
                throw source.error(
                        Kind.DEPENDENT,
                        drop.column().position(),
                        "Column \""
                                + made.name()
                                + "\" is generated from it: drop that first, or use CASCADE");
            }
            Identifier other = new Identifier(drop.column().position(), made.name());
            Table less = dropColumn(table, new Alteration.DropColumn(false, other, true));
            return dropColumn(less, drop);
        }
        if (drop.cascade()) {
            dropReferences(
                    key -> key.parent() == table.id() && key.parentColumns().contains(gone), table);
        }
        Table left = withoutIndexes(table, gone);
        int[] places = new int[table.columns().size()];
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            places[i] = i == gone ? -1 : columns.size();
            if (i != gone) {
                columns.add(table.columns().get(i));
            }
        }
        Function<List<Integer>, List<Integer>> moved =
                positions -> positions.stream().map(i -> places[i]).toList();
        List<Index> indexes = new ArrayList<>();
        left.indexes()
                .forEach(index -> indexes.add(index.withColumns(moved.apply(index.columns()))));
        Table draft =
                new Table(
                        table.id(),
                        table.name(),
                        columns,
                        left.primaryKey().contains(gone)
                                ? List.of()
                                : moved.apply(left.primaryKey()),
                        indexes,
                        withoutColumn(left, gone, moved),
                        table.schema());
        Views.checkTable(source, drop.column().position(), draft);
        Table changed =
                transaction.redefine(
                        draft, new Rewrite(ColumnMoves.moving(table, places), false, places));
        for (Sequence sequence : transaction.catalog().sequences()) {
            if (Sequences.belongs(table, table.columns().get(gone), sequence)) {
                definitions.leave(sequence, drop.column(), Set.of(), drop.cascade());
                transaction.drop(sequence);
            }
        }
        Views.check(source, drop.column().position(), transaction, former, drop.cascade());
        Table now = transaction.catalog().table(table.id()); // without a DEFAULT that drew from it
        return now == null ? changed : now;
    }

    /// `table` without the indexes on the column.
    private Table withoutIndexes(Table table, int gone) {
        Table left = table;
        for (Index index : table.indexes()) {
            if (index.columns().contains(gone) || TableExpressions.reads(table, index, gone)) {
                left = transaction.dropIndex(left, index);
            }
        }
        return left;
    }

    private static Constraints withoutColumn(
            Table table, int gone, Function<List<Integer>, List<Integer>> moved) {
        Constraints before = table.constraints();
        List<Check> checks = new ArrayList<>();
        for (Check check : before.checks()) {
            BitSet used = new BitSet();
            PlanParts.columns(TableExpressions.check(table, check.expression()), used);
            if (!used.get(gone)) {
                checks.add(check);
            }
        }
        List<ForeignKey> keys = new ArrayList<>();
        for (ForeignKey key : before.foreignKeys()) {
            boolean self = key.parent() == table.id();
            if (!key.columns().contains(gone) && !(self && key.parentColumns().contains(gone))) {
                keys.add(
                        key.withColumns(
                                moved.apply(key.columns()),
                                self ? moved.apply(key.parentColumns()) : key.parentColumns()));
            }
        }
        String primaryKey = table.primaryKey().contains(gone) ? "" : before.primaryKey();
        return new Constraints(primaryKey, checks, keys);
    }

    private Table renameColumn(Table table, Alteration.RenameColumn rename) {
        int i = column(table, rename.column());
        String to = rename.to().name();
        if (table.column(to) >= 0 && table.column(to) != i) {
            throw source.error(
                    Kind.DUPLICATE_COLUMN,
                    rename.to().position(),
                    "Table \""
                            + table.name()
                            + "\" has a column \""
                            + to
                            + "\" already: choose another name");
        }
        String from = table.columns().get(i).name();
        Table draft =
                reworded(
                        with(table, i, table.columns().get(i).withName(to)),
                        text -> Renaming.column(text, from, to));
        Partitions partitions = Partitions.of(transaction.catalog(), table);
        Map<Long, String> conditions = partitions == null ? Map.of() : partitions.conditions();
        List<View> readers =
                Views.renamedColumn(
                        source, rename.to().position(), transaction.catalog(), table, from, to);
        Table changed = redefined(draft);
        Partitions.renameColumn(transaction, changed, from, to, conditions);
        readers.forEach(reader -> Views.store(transaction, reader));
        Views.check(source, rename.column().position(), transaction, former, false);
        return now(changed);
    }

    /// Checks that column `i` is in no key of partitions.
    private void checkNoKey(Table table, int i, Identifier name) {
        Partitions partitions = Partitions.of(transaction.catalog(), table);
        if (partitions != null && partitions.keyReads(i)) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    name.position(),
                    "Column \""
                            + name.name()
                            + "\" is in the key of the partitions; it stays as it is while the"
                            + " table is partitioned");
        }
    }

    /// The present definition of `table`.
    private Table now(Table table) {
        Table now = transaction.catalog().table(table.id());
        return now == null ? table : now;
    }

    private Table renameTo(Table table, Identifier to) {
        if (!to.name().equalsIgnoreCase(table.name())) {
            definitions.exists(to, false, table.schema());
        }
        Table named = table.withName(to.name());
        if (!table.primaryKey().isEmpty()) {
            // Constraints keep their names, even generated ones.
            named =
                    named.withConstraints(
                            named.constraints()
                                    .withPrimaryKey(ConstraintBinder.primaryKeyName(table)));
        }
        Table draft = reworded(named, text -> Renaming.table(text, table.name(), to.name()));
        String written = SchemaDefinitions.written(table.schema(), to.name());
        List<View> readers =
                Views.renamed(transaction.catalog(), table.schema(), table.name(), written);
        Table changed = redefined(draft);
        readers.forEach(reader -> Views.store(transaction, reader));
        Views.check(source, position, transaction, former, false);
        return now(changed);
    }

    /// `table` with `words` applied to the expressions of its checks, generated columns and indexes.
    static Table reworded(Table table, Function<String, String> words) {
        List<Check> checks = new ArrayList<>();
        table.constraints()
                .checks()
                .forEach(check ->
                        checks.add(new Check(check.name(), words.apply(check.expression()))));
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            columns.add(
                    column.filling() instanceof ColumnDefault.Generated value
                            ? column.withFilling(
                                    new ColumnDefault.Generated(words.apply(value.expression())))
                            : column);
        }
        List<Index> indexes = new ArrayList<>();
        for (Index index : table.indexes()) {
            Index.Terms terms = index.terms();
            indexes.add(terms == null ? index : index.withTerms(reworded(terms, words)));
        }
        return table.withColumns(columns)
                .withIndexes(indexes)
                .withConstraints(table.constraints().withChecks(checks));
    }

    static Index.Terms reworded(Index.Terms terms, Function<String, String> words) {
        String condition = terms.condition();
        return new Index.Terms(
                terms.expressions().stream().map(words).toList(),
                terms.types(),
                condition == null ? null : words.apply(condition));
    }

    private Table changeType(Table table, Alteration.ChangeType change) {
        int i = column(table, change.column());
        checkNoKey(table, i, change.column());
        Column before = table.columns().get(i);
        for (Index index : table.indexes()) {
            if (TableExpressions.reads(table, index, i)) {
                throw source.error(
                        Kind.DEPENDENT,
                        change.column().position(),
                        "Index \""
                                + index.name()
                                + "\" has an expression with this column: drop it first, and"
                                + " create it again afterwards");
            }
        }
        Scalar value = converted(table, i, change);
        Table draft = with(table, i, refilled(before, change));
        Views.checkTable(source, change.column().position(), draft);
        Table changed =
                isWider(before.type(), change.type()) && change.using() == null
                        ? redefined(draft)
                        : transaction.redefine(
                                draft, new Rewrite(replacing(table, i, value), false));
        Views.check(source, change.column().position(), transaction, former, false);
        return now(changed);
    }

    /// The column with the new type. An identity column stays one if the new type is an integer, and its limits
    /// follow the type. With another type, a DEFAULT draws from the same sequence.
    private Column refilled(Column before, Alteration.ChangeType change) {
        Type type = change.type();
        Column after = before.withType(type);
        Sequence sequence =
                before.filling() instanceof ColumnDefault.Identity identity
                        ? transaction.catalog().sequence(identity.sequence())
                        : null;
        if (sequence == null) {
            return after;
        }
        if (Typing.isInteger(type)) {
            Sequence retyped = Sequences.retyped(sequence, before.type(), type);
            Sequences.check(source, change.column().position(), retyped, retyped.start(), type);
            transaction.create(retyped);
            transaction.passOver(retyped);
            return after;
        }
        boolean always =
                before.filling() instanceof ColumnDefault.Identity identity && identity.always();
        if (always || !Typing.assignable(before.type(), type)) {
            throw source.error(
                    Kind.INVALID_PARAMETER,
                    change.column().position(),
                    "Column \""
                            + before.name()
                            + "\" is an identity column, and of an integer type: it cannot become "
                            + type);
        }
        return after.withFilling(new ColumnDefault.Default(Sequences.drawing(sequence)));
    }

    private Scalar converted(Table table, int i, Alteration.ChangeType change) {
        Column column = table.columns().get(i);
        String what = "Column \"" + column.name() + "\"";
        if (change.using() != null) {
            BindContext around =
                    BindContext.of(source, transaction.catalog(), new ParameterTypes(0));
            return new ScalarBinder(around, Scope.of(table, table.name()))
                    .assign(change.using(), change.type(), what);
        }
        Scalar read = new Scalar.ColumnRef(i, column.type(), column.nullable(), column.name());
        if (!Typing.assignable(column.type(), change.type())) {
            throw source.error(
                    Kind.TYPE_MISMATCH,
                    change.column().position(),
                    what
                            + " of type "
                            + column.type()
                            + " cannot be converted to "
                            + change.type()
                            + " automatically: add USING CAST("
                            + column.name()
                            + " AS "
                            + change.type()
                            + ")");
        }
        return ScalarBinder.assigned(
                read, change.type(), source.at(change.column().position()), what);
    }

    /// Whether every value of the one type is a value of the other, in the same form.
    private static boolean isWider(Type from, Type to) {
        boolean text =
                (from.name() == Type.Name.VARCHAR
                                || from.name() == Type.Name.VARCHAR_IGNORECASE
                                || from.name() == Type.Name.VARBINARY)
                        && from.name() == to.name();
        return from.equals(to)
                || (text
                        && (to.length() == 0
                                || (from.length() > 0 && to.length() >= from.length())));
    }

    /// The old row with `value` in column `i`.
    private TableTransaction.RowChange replacing(Table table, int i, Scalar value) {
        CurrentRow row = new CurrentRow();
        Frame frame = new Frame(execution, row);
        return (old, out) -> {
            for (int c = 0; c < table.columns().size(); c++) {
                if (c != i) {
                    out.copy(c, old, c, table.columns().get(c).type().shape());
                }
            }
            row.set(old);
            value.store(out, i, frame);
        };
    }

    private Table setFilling(Table table, Alteration.SetFilling set) {
        int i = column(table, set.column());
        Column column = table.columns().get(i);
        boolean plain =
                column.filling() == null || column.filling() instanceof ColumnDefault.Default;
        if (set.filling() == null && isSerial(column)) { // as SERIAL has in PostgreSQL
            return new IdentityColumns(source, transaction)
                    .drop(table, new Alteration.DropIdentity(set.column(), false));
        } else if (!plain) {
            throw source.error(
                    Kind.SYNTAX,
                    set.column().position(),
                    "Column \""
                            + column.name()
                            + "\" is an identity or generated column, and has"
                            + " no DEFAULT: drop it, and add one that has");
        }
        FillingClause clause = set.filling();
        if (clause == null) {
            return redefined(with(table, i, column.withFilling(null)));
        }
        List<Sequence> owned = new ArrayList<>();
        if (clause instanceof FillingClause.Identity) {
            new IdentityColumns(source, transaction).checkPlain(column, set.column());
        }
        Table draft = definitions.filled(table, i, clause, owned);
        definitions.checkFilling(draft, i, clause);
        owned.forEach(sequence -> transaction.create(sequence.withOwner(table.id())));
        return redefined(draft);
    }

    private static boolean isSerial(Column column) {
        return column.filling() instanceof ColumnDefault.Identity identity && !identity.always();
    }

    private Table setNullable(Table table, Alteration.SetNullable set) {
        int i = column(table, set.column());
        Column column = table.columns().get(i);
        boolean identity = column.filling() instanceof ColumnDefault.Identity;
        if (set.nullable() && (table.primaryKey().contains(i) || identity)) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    set.column().position(),
                    "Column \""
                            + column.name()
                            + (identity ? "\" is an identity column" : "\" is in the primary key")
                            + ", and never NULL: drop "
                            + (identity ? "it first" : "that key first"));
        }
        return redefined(with(table, i, column.withNullable(set.nullable())));
    }

    private Table addConstraint(Table table, TableConstraint constraint) {
        Table draft = new ConstraintBinder(source, transaction.catalog()).with(table, constraint);
        boolean partitioned = transaction.catalog().partition(table.id()) != null;
        if (partitioned && constraint instanceof TableConstraint.KeyDefinition key) {
            List<Integer> columns =
                    key.primary() ? draft.primaryKey() : draft.indexes().getLast().columns();
            Partitions.checkKey(source, key.position(), transaction.catalog(), table, columns);
        }
        if (draft.indexes().size() > table.indexes().size()) {
            return transaction.createIndex(table, draft.indexes().getLast());
        }
        boolean reordered = !draft.primaryKey().equals(table.primaryKey());
        Rewrite rewrite =
                reordered ? new Rewrite((old, out) -> copy(table, old, out), false) : null;
        return transaction.redefine(draft, rewrite);
    }

    private Table dropPrimaryKey(Table table, Alteration.DropConstraint drop) {
        int at = drop.constraint().position();
        if (table.primaryKey().isEmpty()) {
            throw source.error(
                    Kind.UNKNOWN_OBJECT,
                    at,
                    "Table \"" + table.name() + "\" has no primary key; there is nothing to drop");
        }
        Identifier key = new Identifier(at, ConstraintBinder.primaryKeyName(table));
        return dropConstraint(
                table, new Alteration.DropConstraint(false, key, drop.cascade(), false));
    }

    private Table dropConstraint(Table table, Alteration.DropConstraint drop) {
        String name = drop.constraint().name();
        if (name.isEmpty()) {
            return dropPrimaryKey(table, drop);
        }
        boolean isForeign =
                table.constraints().foreignKeys().stream()
                        .anyMatch(key -> key.name().equalsIgnoreCase(name));
        if (drop.foreign() && !isForeign && drop.ifExists()) {
            return table;
        } else if (drop.foreign() && !isForeign) {
            throw source.error(
                    Kind.UNKNOWN_OBJECT,
                    drop.constraint().position(),
                    "Table \"%s\" has no foreign key \"%s\"; DROP CONSTRAINT drops others"
                            .formatted(table.name(), name));
        }
        Table left = null;
        if (drop.cascade()) {
            dropReferences(table, keyOf(table, name));
        }
        Table current = transaction.catalog().table(table.id());
        Table now = current == null ? table : current;
        Index index = now.index(name);
        if (index != null && index.constraint()) {
            left = transaction.dropIndex(now, index);
        } else if (!now.primaryKey().isEmpty()
                && ConstraintBinder.primaryKeyName(now).equalsIgnoreCase(name)) {
            Table draft =
                    now.withPrimaryKey(List.of())
                            .withConstraints(now.constraints().withPrimaryKey(""));
            left =
                    transaction.redefine(
                            draft, new Rewrite((old, out) -> copy(now, old, out), false));
        } else {
            left = withoutConstraint(now, name);
        }
        if (left == null && !drop.ifExists()) {
            throw unknown(now, drop.constraint());
        }
        // A view may depend on a primary key that determines the other columns of a group.
        Views.check(source, drop.constraint().position(), transaction, former, drop.cascade());
        return left == null ? now : left;
    }

    /// The columns of the key that constraint `name` defines. Empty if it is no key, or if another key has the same
    /// columns, so that references to them may stay.
    private static List<Integer> keyOf(Table table, String name) {
        Index index = table.index(name);
        List<Integer> columns;
        if (index != null && index.constraint()) {
            columns =
                    index.deferred()
                            ? List.of()
                            : index.columns(); // nothing refers to a deferred one
        } else if (ConstraintBinder.primaryKeyName(table).equalsIgnoreCase(name)) {
            columns = table.primaryKey();
        } else {
            return List.of();
        }
        return alone(table, columns);
    }

    /// Drops the foreign keys that need `index`.
    void dropReferences(Table table, Index index) {
        if (index.unique()) {
            dropReferences(table, alone(table, index.columns()));
        }
    }

    /// The columns of a key; empty if another key has them too.
    private static List<Integer> alone(Table table, List<Integer> columns) {
        int keys = same(table.primaryKey(), columns) ? 1 : 0;
        for (Index other : table.indexes()) {
            keys += other.unique() && same(other.columns(), columns) ? 1 : 0;
        }
        return keys > 1 ? List.of() : columns;
    }

    private static boolean same(List<Integer> a, List<Integer> b) {
        return a.size() == b.size() && a.containsAll(b);
    }

    /// Drops the foreign keys that refer to `columns`, if there are any.
    private void dropReferences(Table table, List<Integer> columns) {
        if (!columns.isEmpty()) {
            dropReferences(
                    key -> key.parent() == table.id() && same(key.parentColumns(), columns), null);
        }
    }

    /// Drops the foreign keys that are `gone`.
    ///
    /// @param but a table that keeps its own; null for none
    private void dropReferences(Predicate<ForeignKey> gone, @Nullable Table but) {
        for (Table other : List.copyOf(transaction.catalog().tables())) {
            if (but != null && other.id() == but.id()) {
                continue;
            }
            List<ForeignKey> kept = new ArrayList<>(other.constraints().foreignKeys());
            kept.removeIf(gone);
            if (kept.size() < other.constraints().foreignKeys().size()) {
                redefined(other.withConstraints(other.constraints().withForeignKeys(kept)));
            }
        }
    }

    private @Nullable Table withoutConstraint(Table table, String name) {
        Constraints before = table.constraints();
        List<Check> checks = new ArrayList<>(before.checks());
        List<ForeignKey> keys = new ArrayList<>(before.foreignKeys());
        boolean found = checks.removeIf(check -> check.name().equalsIgnoreCase(name));
        found |= keys.removeIf(key -> key.name().equalsIgnoreCase(name));
        return found
                ? redefined(
                        table.withConstraints(new Constraints(before.primaryKey(), checks, keys)))
                : null;
    }

    private SqlException unknown(Table table, Identifier name) {
        return source.error(
                Kind.UNKNOWN_OBJECT,
                name.position(),
                "Table \""
                        + table.name()
                        + "\" has no constraint \""
                        + name.name()
                        + "\""
                        + Nearest.hint(name.name(), ConstraintBinder.names(table)));
    }

    private Table validated(Table table, Identifier name) {
        if (ConstraintBinder.names(table).stream().noneMatch(name.name()::equalsIgnoreCase)) {
            throw unknown(table, name);
        }
        return table;
    }

    private Table changeDeferral(Table table, Alteration.ChangeDeferral change) {
        List<ForeignKey> keys = new ArrayList<>();
        boolean found = false;
        for (ForeignKey key : table.constraints().foreignKeys()) {
            boolean it = key.name().equalsIgnoreCase(change.constraint().name());
            found |= it;
            keys.add(it ? key.withDeferral(change.deferral()) : key);
        }
        if (!found) {
            validated(table, change.constraint());
            throw source.error(
                    Kind.WRONG_OBJECT,
                    change.constraint().position(),
                    "Constraint \""
                            + change.constraint().name()
                            + "\" is no foreign key; name one, as only foreign keys are DEFERRABLE");
        }
        return redefined(table.withConstraints(table.constraints().withForeignKeys(keys)));
    }

    private Table renameConstraint(Table table, Alteration.RenameConstraint rename) {
        String from = rename.constraint().name();
        ConstraintBinder binder = new ConstraintBinder(source, transaction.catalog());
        String to = binder.free(table, rename.to());
        Index index = table.index(from);
        if (index != null && index.constraint()) {
            binder.checkFreeIndex(table, rename.to());
            return renameIndex(transaction, table, from, to);
        }
        Constraints before = table.constraints();
        if (!table.primaryKey().isEmpty()
                && ConstraintBinder.primaryKeyName(table).equalsIgnoreCase(from)) {
            if (!to.equalsIgnoreCase(from)) {
                binder.checkFreeIndex(table, rename.to());
            }
            return redefined(table.withConstraints(before.withPrimaryKey(to)));
        }
        List<Check> checks = new ArrayList<>();
        boolean found = false;
        for (Check check : before.checks()) {
            boolean it = check.name().equalsIgnoreCase(from);
            found |= it;
            checks.add(it ? new Check(to, check.expression()) : check);
        }
        List<ForeignKey> keys = new ArrayList<>();
        for (ForeignKey key : before.foreignKeys()) {
            boolean it = key.name().equalsIgnoreCase(from);
            found |= it;
            keys.add(it ? key.withName(to) : key);
        }
        if (!found) {
            throw unknown(table, rename.constraint());
        }
        return redefined(table.withConstraints(new Constraints(before.primaryKey(), checks, keys)));
    }

    /// `table` whose index `from` is called `to`.
    static Table renameIndex(TableTransaction transaction, Table table, String from, String to) {
        List<Index> indexes = new ArrayList<>();
        for (Index index : table.indexes()) {
            indexes.add(index.name().equalsIgnoreCase(from) ? index.withName(to) : index);
        }
        return transaction.redefine(table.withIndexes(indexes), null);
    }
}
