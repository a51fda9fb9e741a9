package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SequenceFunctions;
import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.MaterializedStatement;
import dev.oriel.sql.syntax.PartitionStatement;
import dev.oriel.sql.syntax.Renaming;
import dev.oriel.sql.syntax.SchemaStatement;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TableConstraint;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Runs CREATE, ALTER, DROP and TRUNCATE in a transaction; ALTER TABLE by [Alterations]. Tables, views and
/// sequences share a namespace. Index names are unique in the database, as DROP INDEX names no table; a UNIQUE
/// constraint is a unique index.
public final class Definitions {
    private final SqlText source;
    private final TableTransaction transaction;
    private final Execution execution;
    private final Catalog catalog;
    private final DefinitionPlaces places;

    /// Types of the statement's parameters.
    private final List<Type> parameters;

    private Definitions(
            SqlText source,
            Statement.Definition statement,
            List<Type> parameters,
            Execution execution) {
        this.source = source;
        this.parameters = parameters;
        this.places = new DefinitionPlaces(source, statement);
        this.execution = execution;
        this.transaction = execution.transaction();
        this.catalog = transaction.catalog();
    }

    /// Runs `command` in the transaction of `execution`; returns the number of rows created.
    public static long run(SqlText source, Command.Definition command, Execution execution) {
        return run(source, command.statement(), command.parameters(), execution);
    }

    private static long run(
            SqlText source,
            Statement.Definition written,
            List<Type> parameters,
            Execution execution) {
        lock(written, execution.transaction());
        Statement.Definition statement =
                mayDeclareTypes(written) && InlineTypes.any(written)
                        ? InlineTypes.created(written, execution.transaction())
                        : written;
        Definitions definitions = new Definitions(source, statement, parameters, execution);
        try {
            return definitions.run(statement);
        } catch (ConstraintException failure) {
            throw definitions.places.placed(failure);
        } catch (SqlException failure) {
            throw FunctionDefinitions.inTable(
                    source, statement, execution.transaction().catalog(), failure);
        }
    }

    /// Whether a column of `statement` is of a type that may have to be created.
    private static boolean mayDeclareTypes(Statement.Definition statement) {
        Statement.Definition declared =
                statement instanceof Statement.CreateTableAs filled ? filled.declared() : statement;
        if (declared instanceof Statement.CreateTable create) {
            for (Statement.ColumnDefinition column : create.columns()) {
                if (column.type().user() != null || column.type().element() != null) {
                    return true;
                }
            }
            return false;
        }
        return statement instanceof Statement.AlterTable;
    }

    private static void lock(Statement.Definition statement, TableTransaction transaction) {
        if (isBesideWriters(statement)) {
            Identifier changed =
                    switch (statement) {
                        case Statement.CreateIndex create -> create.table();
                        case Statement.AlterTable alter -> alter.table();
                        case Statement.OfMaterialized view -> view.statement().name();
                        case Statement.OfTrigger trigger -> trigger.trigger().on();
                        default -> null;
                    };
            Table table =
                    changed == null
                            ? null
                            : SelectBinder.storing(transaction.catalog(), changed.path());
            transaction.define(table == null ? List.of() : List.of(table));
        }
    }

    long run(Statement.Definition statement) {
        switch (statement) {
            case Statement.CreateTable create -> createTable(create);
            case Statement.CreateTableAs create -> {
                return new QueryTables(source, execution, this).create(create, parameters);
            }
            case Statement.CreateExternal create -> {
                if (!exists(create.table(), create.ifNotExists(), inPublic(create.table()))) {
                    new ExternalDefinition(source, execution).create(create);
                }
            }
            case Statement.DropTable drop -> dropTables(drop);
            case Statement.ReplaceTable both -> {
                dropTables(both.drop());
                return run(source, both.create(), parameters, execution);
            }
            case Statement.AlterTable alter -> alterTable(alter);
            case Statement.CreateIndex create ->
                    new IndexDefinition(source, transaction).create(create);
            case Statement.DropIndex drop -> drop.names().forEach(name -> dropIndex(name, drop));
            case Statement.RenameIndex rename -> renameIndex(rename);
            case Statement.RenameView rename -> views().rename(rename);
            case Statement.Truncate truncate -> new Truncation(source, execution).run(truncate);
            case Statement.CreateSequence create -> createSequence(create);
            case Statement.AlterSequence alter -> alterSequence(alter);
            case Statement.DropSequence drop ->
                    drop.names()
                            .forEach(name -> dropSequence(name, drop.ifExists(), drop.cascade()));
            case Statement.CreateView create -> views().create(create);
            case Statement.DropView drop -> views().drop(drop);
            case Statement.CommentOn comment ->
                    new CommentDefinition(source, transaction).run(comment);
            case Statement.CreateGraph create -> createGraph(create);
            case Statement.DropGraph drop -> new PropertyGraphs(source, execution).drop(drop);
            case Statement.OfType type ->
                    new TypeDefinitions(source, execution, this).run(type.statement());
            case Statement.OfFunction function ->
                    new FunctionDefinitions(source, execution, this).run(function.function());
            case Statement.OfProcedure procedure ->
                    new ProcedureDefinitions(source, execution, this).run(procedure.procedure());
            case Statement.OfTrigger trigger ->
                    new TriggerDefinitions(source, execution).run(trigger.trigger());
            case Statement.OfPartition part -> partitions().run(part.partition());
            case Statement.OfMaterialized view -> {
                return new MaterializedViews(source, execution, this).run(view.statement());
            }
            case Statement.OfSchema change -> changeSchema(change.schema());
        }
        return 0;
    }

    /// Whether the objects that `statement` creates belong to the session, which gets a schema for them.
    public static boolean isTemporary(Statement.Definition statement) {
        return switch (statement) {
            case Statement.ReplaceTable both -> isTemporary(both.create());
            case Statement.CreateTable create ->
                    create.temporary() != null || isTemporary(create.table());
            case Statement.CreateTableAs create ->
                    create.temporary() != null || isTemporary(create.table());
            case Statement.CreateSequence create ->
                    create.temporary() || isTemporary(create.name());
            case Statement.CreateView create -> create.temporary() || isTemporary(create.name());
            case Statement.OfPartition part ->
                    part.partition() instanceof PartitionStatement.Create create
                            && (create.temporary() != null || isTemporary(create.name()));
            default -> false;
        };
    }

    private static boolean isTemporary(Identifier name) {
        return name.schema().equalsIgnoreCase(SearchPath.OWN_TEMPORARY);
    }

    /// Whether other transactions may write to all other tables during `statement`. Not if it drops or creates
    /// trees of rows: transactions with older snapshots could find them there.
    public static boolean isBesideWriters(Statement.Definition statement) {
        return switch (statement) {
            case Statement.CreateIndex _,
                    Statement.RenameIndex _,
                    Statement.RenameView _,
                    Statement.CreateView _,
                    Statement.DropView _,
                    Statement.OfFunction _,
                    Statement.OfTrigger _,
                    Statement.OfProcedure _,
                    Statement.CommentOn _,
                    Statement.CreateGraph _,
                    Statement.DropGraph _ ->
                    true;
            case Statement.OfSchema change ->
                    change.schema() instanceof SchemaStatement.Create create
                            && create.elements().stream().allMatch(Definitions::isBesideWriters);
            case Statement.AlterTable alter ->
                    alter.changes().stream().allMatch(Definitions::isBesideWriters);
            case Statement.CreateTable _,
                    Statement.CreateTableAs _,
                    Statement.OfType _,
                    Statement.OfPartition _,
                    Statement.CreateExternal _,
                    Statement.DropTable _,
                    Statement.ReplaceTable _,
                    Statement.DropIndex _,
                    Statement.Truncate _,
                    Statement.CreateSequence _,
                    Statement.AlterSequence _,
                    Statement.DropSequence _ ->
                    false;
            case Statement.OfMaterialized view ->
                    switch (view.statement()) {
                        case MaterializedStatement.Refresh refresh -> refresh.concurrently();
                        case MaterializedStatement.Alter alter -> isBesideWriters(alter.change());
                        case MaterializedStatement.Create _, MaterializedStatement.Drop _ -> false;
                    };
        };
    }

    private static boolean isBesideWriters(Alteration change) {
        return switch (change) {
            case Alteration.RenameColumn _,
                    Alteration.TuneColumn _,
                    Alteration.ValidateConstraint _,
                    Alteration.ChangeDeferral _,
                    Alteration.RenameTo _,
                    Alteration.RenameConstraint _,
                    Alteration.SetUpdate _,
                    Alteration.FillNull _,
                    Alteration.SetNullable _ ->
                    true;
            case Alteration.AddColumn add ->
                    add.column().filling() == null
                            && add.place() == null
                            && add.constraints().stream().allMatch(Definitions::keepsRows);
            case Alteration.IfColumnExists column -> isBesideWriters(column.change());
            case Alteration.SetFilling set -> !(set.filling() instanceof FillingClause.Identity);
            case Alteration.AddConstraint add -> keepsRows(add.constraint());
            case Alteration.DropColumn _,
                    Alteration.DropExpression _,
                    Alteration.AttachPartition _,
                    Alteration.DetachPartition _,
                    Alteration.ChangeType _,
                    Alteration.ChangeIdentity _,
                    Alteration.DropIdentity _,
                    Alteration.DropConstraint _ ->
                    false;
        };
    }

    private static boolean keepsRows(TableConstraint constraint) {
        return !(constraint instanceof TableConstraint.KeyDefinition key && key.primary());
    }

    /// Whether `schema` has an object called `name` already, and IF NOT EXISTS allows it.
    boolean exists(Identifier name, boolean ifNotExists, String schema) {
        String path = SearchPath.named(schema, name.name());
        Catalog seen = transaction.catalog();
        View view = seen.view(path);
        String kind =
                seen.table(path) != null || (view != null && seen.partition(view.id()) != null)
                        ? "table"
                        : view != null
                                ? "view"
                                : seen.sequence(path) != null
                                        ? "sequence"
                                        : seen.external(path) != null
                                                ? "external table"
                                                : seen.graph(path) != null
                                                        ? "property graph"
                                                        : ConstraintBinder.isIndex(
                                                                        seen, schema, name.name())
                                                                ? "index"
                                                                : "";
        if (kind.isEmpty() || ifNotExists) {
            return !kind.isEmpty();
        }
        throw source.error(
                Kind.DUPLICATE_NAME,
                name.position(),
                (kind.startsWith("e") || kind.startsWith("i") ? "There is an " : "There is a ")
                        + kind
                        + " \""
                        + name.name()
                        + "\" already: choose another name, or drop it first");
    }

    private ViewDefinitions views() {
        return new ViewDefinitions(source, transaction, this);
    }

    /// The schema of a new table, view or sequence.
    String schema(Identifier name, boolean temporary) {
        return SchemaDefinitions.of(source, catalog, name, temporary);
    }

    /// The schema PUBLIC; refuses another one, as only PUBLIC has such objects.
    private String inPublic(Identifier name) {
        String schema = name.schema().isEmpty() ? "" : schema(name, false);
        if (!schema.isEmpty()) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "External tables and property graphs are in public: leave out \""
                            + name.schema()
                            + "\"");
        }
        return schema;
    }

    private void changeSchema(SchemaStatement statement) {
        SchemaDefinitions schemas = new SchemaDefinitions(source, transaction);
        switch (statement) {
            case SchemaStatement.Create create -> {
                if (schemas.create(create)) {
                    createIn(create.name().name(), create.elements());
                }
            }
            case SchemaStatement.Drop drop -> schemas.drop(drop);
            case SchemaStatement.DropAll all -> dropAll(all.position());
            case SchemaStatement.Alter alter -> schemas.alter(alter);
            case SchemaStatement.Move move -> schemas.move(move);
        }
    }

    private void dropAll(int position) {
        for (Statement.Definition drop : new AllObjects(position, catalog).drops()) {
            run(source, drop, List.of(), execution);
        }
        List.copyOf(transaction.catalog().sequences()).forEach(transaction::drop);
        List.copyOf(transaction.catalog().functions()).forEach(transaction::drop);
        transaction.catalog().procedures().forEach(transaction::drop);
    }

    /// Runs `elements` with `schema` first in the search path.
    private void createIn(String schema, List<Statement.Definition> elements) {
        SearchPath before = catalog.path();
        List<String> schemas = new ArrayList<>(List.of(schema));
        schemas.addAll(before.schemas());
        transaction.path(new SearchPath(before.temporary(), schemas));
        try {
            elements.forEach(element -> run(source, element, List.of(), execution));
        } finally {
            transaction.path(before);
        }
    }

    void createTable(Statement.CreateTable written) {
        String schema = schema(written.table(), written.temporary() != null);
        if (exists(written.table(), written.ifNotExists(), schema)) {
            return;
        }
        LikeColumns likes = new LikeColumns(source, catalog);
        Statement.CreateTable create = likes.spelled(written);
        List<Column> columns = new ArrayList<>();
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (Statement.ColumnDefinition column : create.columns()) {
            String name = column.name().name();
            if (!names.add(name)) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        column.name().position(),
                        "Column \"" + name + "\" is declared twice: choose another name");
            }
            columns.add(column(column));
        }
        Table draft =
                new Table(0, create.table().name(), columns, List.of(), List.of())
                        .withSchema(schema);
        List<Sequence> owned = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            FillingClause clause = create.columns().get(i).filling();
            if (clause != null) {
                draft = filled(draft, i, clause, owned);
            }
        }
        for (int i = 0; i < columns.size(); i++) {
            FillingClause clause = create.columns().get(i).filling();
            if (clause != null) {
                checkFilling(draft, i, clause);
            }
        }
        ConstraintBinder constraints = new ConstraintBinder(source, catalog);
        for (TableConstraint constraint : create.constraints()) {
            draft = constraints.with(draft, constraint);
            if (constraint instanceof TableConstraint.ForeignKeyDefinition) {
                String name = draft.constraints().foreignKeys().getLast().name();
                places.note("constraint", name, DefinitionPlaces.position(constraint));
            }
        }
        for (Statement.ColumnDefinition column : create.columns()) {
            places.note("column", column.name().name(), column.name().position());
        }
        Table created = transaction.create(draft);
        owned.forEach(sequence -> transaction.create(sequence.withOwner(created.id())));
        Sequences.adopt(source, transaction, created, create.columns());
        likes.addIndexes(transaction, created);
        likes.addComments(transaction, created, create.columns());
        if (create.partitioned() != null) {
            partitions().divide(created, create.partitioned());
        }
    }

    /// The column that `wanted` defines, without its default.
    Column column(Statement.ColumnDefinition wanted) {
        Column plain =
                new Column(wanted.name().name(), wanted.type(), wanted.nullable(), wanted.role())
                        .withFillsNull(wanted.fillsNull());
        FillingClause.Default update = wanted.update();
        return update == null ? plain : new UpdateClause(source).with(plain, update);
    }

    private PartitionDefinitions partitions() {
        return new PartitionDefinitions(source, execution, this);
    }

    /// `draft` with the `clause` of column `i` applied; a new sequence is added to `owned`.
    Table filled(Table draft, int i, FillingClause clause, List<Sequence> owned) {
        List<Column> columns = new ArrayList<>(draft.columns());
        Column column = columns.get(i);
        ColumnDefault filling =
                switch (clause) {
                    case FillingClause.Default value ->
                            new ColumnDefault.Default(
                                    Renaming.sequences(
                                            value.text(),
                                            sequence -> spelled(sequence, value.position())));
                    case FillingClause.Generated value -> new ColumnDefault.Generated(value.text());
                    case FillingClause.Identity identity -> {
                        Sequence sequence = identity(draft, column, identity);
                        owned.add(sequence);
                        yield new ColumnDefault.Identity(identity.always(), sequence.id());
                    }
                };
        columns.set(i, column.withFilling(filling));
        return draft.withColumns(columns);
    }

    /// The name of the existing sequence `name`, as definitions spell it.
    private String spelled(String name, int position) {
        SequenceFunctions.named(transaction.catalog(), name, source.at(position));
        return SequenceFunctions.spelled(transaction.catalog(), name);
    }

    private Sequence identity(Table draft, Column column, FillingClause.Identity identity) {
        if (!Typing.isInteger(column.type())) {
            throw source.error(
                    Kind.TYPE_MISMATCH,
                    identity.position(),
                    "Column \""
                            + column.name()
                            + "\" is of type "
                            + column.type()
                            + ": an identity column is of an integer type");
        }
        Identifier given = identity.options().name();
        String name =
                given == null ? freeSequence(draft, column) : checkedSequence(draft, given).name();
        return transaction.create(
                Sequences.made(source, identity.position(), name, identity.options(), column.type())
                        .withSchema(draft.schema()));
    }

    private String freeSequence(Table draft, Column column) {
        String stem = draft.name() + "_" + column.name() + "_seq";
        String name = stem;
        Catalog now = transaction.catalog();
        for (int i = 1; now.holds(draft.schema(), name); i++) {
            name = stem + i;
        }
        return name;
    }

    /// `given`, the name for the sequence of an identity column of `draft`.
    private Identifier checkedSequence(Table draft, Identifier given) {
        boolean elsewhere =
                !given.schema().isEmpty() && !draft.schema().equals(catalog.schema(given.schema()));
        if (elsewhere) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    given.position(),
                    "The sequence of an identity column is in the schema of its table; leave out \""
                            + given.schema()
                            + "\"");
        }
        exists(given, false, draft.schema());
        return given;
    }

    /// Checks that the `clause` of column `i` can be evaluated.
    void checkFilling(Table draft, int i, FillingClause clause) {
        Column column = draft.columns().get(i);
        switch (clause) {
            case FillingClause.Default value -> {
                TableExpressions.value(draft, source, value.expression(), column);
                TableExpressions.reread(draft, source, value.position(), value.text());
            }
            case FillingClause.Generated value -> {
                Scalar bound = TableExpressions.value(draft, source, value.expression(), column);
                TableExpressions.refuseOutside(
                        draft, source, value.expression(), bound, "A generated column");
                TableExpressions.reread(draft, source, value.position(), value.text());
            }
            case FillingClause.Identity identity -> {}
        }
    }

    private void dropTables(Statement.DropTable drop) {
        Set<Long> gone = new HashSet<>();
        for (Identifier name : drop.tables()) {
            if (SelectBinder.partition(catalog, name) != null) {
                continue;
            }
            boolean ours = catalog.table(name.path()) != null;
            if (ours || (catalog.external(name.path()) == null && !drop.ifExists())) {
                gone.add(SelectBinder.ordinary(source, catalog, name).id());
            }
        }
        for (Identifier name : drop.tables()) {
            ExternalTable external = transaction.catalog().external(name.path());
            if (external != null) {
                new ExternalDefinition(source, execution).drop(external, name, drop.cascade());
                continue;
            }
            Partition place = SelectBinder.partition(transaction.catalog(), name);
            if (place != null) {
                partitions().drop(place, name, drop.cascade());
                Views.check(source, name.position(), transaction, catalog, drop.cascade());
                continue;
            }
            Table table = transaction.catalog().table(name.path());
            if (table != null) {
                if (transaction.catalog().partition(table.id()) != null) {
                    PartitionDefinitions.dropAll(transaction, table);
                }
                dropReferences(table, name, gone, drop.cascade());
                for (Sequence sequence : transaction.catalog().sequences()) {
                    if (sequence.owner() == table.id()) {
                        leave(sequence, name, gone, drop.cascade());
                    }
                }
                transaction.drop(table);
                Views.check(source, name.position(), transaction, catalog, drop.cascade());
            }
        }
    }

    /// Drops the foreign keys of other tables that refer to `table`.
    ///
    /// @param gone numbers of the tables that are dropped with it
    void dropReferences(Table table, Identifier name, Set<Long> gone, boolean cascade) {
        for (Table other : transaction.catalog().tables()) {
            List<ForeignKey> kept = new ArrayList<>();
            for (ForeignKey key : other.constraints().foreignKeys()) {
                if (key.parent() != table.id() || other.id() == table.id()) {
                    kept.add(key);
                } else if (!cascade && !gone.contains(other.id())) {
                    throw source.error(
                            Kind.DEPENDENT,
                            name.position(),
                            "Foreign key \""
                                    + key.name()
                                    + "\" of table \""
                                    + other.name()
                                    + "\" refers to \""
                                    + table.name()
                                    + "\"; CASCADE drops it too");
                }
            }
            if (kept.size() < other.constraints().foreignKeys().size()) {
                transaction.redefine(
                        other.withConstraints(other.constraints().withForeignKeys(kept)), null);
            }
        }
    }

    private void alterTable(Statement.AlterTable alter) {
        String path = alter.table().path();
        boolean unchanged = alter.changes().isEmpty(); // OWNER TO, also of a view or sequence
        if (unchanged && (catalog.view(path) != null || catalog.sequence(path) != null)) {
            return;
        }
        Partition place = SelectBinder.partition(catalog, alter.table());
        boolean ofView = !unchanged && catalog.view(path) != null && isOfView(place, alter);
        if (ofView && views().alter(alter)) {
            return;
        }
        if (place != null) {
            for (Alteration change : alter.changes()) {
                places.at(change);
                new PartitionMoves(source, execution, this).alter(place, change, alter.table());
            }
            return;
        }
        if (alter.ifExists() && catalog.table(path) == null) {
            return;
        }
        Table table = SelectBinder.table(source, catalog, alter.table());
        MaterializedViews.checkAlterable(source, catalog, table, alter);
        Alterations alterations = new Alterations(source, execution, this);
        for (Alteration change : alter.changes()) {
            places.at(change);
            boolean moves =
                    change instanceof Alteration.AttachPartition
                            || change instanceof Alteration.DetachPartition;
            table =
                    moves && new PartitionMoves(source, execution, this).move(alter.table(), change)
                            ? SelectBinder.table(source, transaction.catalog(), alter.table())
                            : alterations.run(table, change, alter.table().position());
        }
    }

    /// Whether `alter` treats the view as one: always, unless it is the partition `place`; of those only for a new
    /// name.
    private static boolean isOfView(@Nullable Partition place, Statement.AlterTable alter) {
        return place == null || alter.changes().getFirst() instanceof Alteration.RenameTo;
    }

    private void dropIndex(Identifier name, Statement.DropIndex drop) {
        Table table = owner(name, drop.ifExists());
        Index index = table == null ? null : table.index(name.name());
        if (table == null || index == null) {
            return;
        }
        if (index.constraint()) {
            throw source.error(
                    Kind.DEPENDENT,
                    name.position(),
                    "Index \""
                            + index.name()
                            + "\" belongs to a constraint; ALTER TABLE "
                            + table.name()
                            + " DROP CONSTRAINT "
                            + index.name()
                            + " drops it");
        }
        if (drop.cascade()) {
            new Alterations(source, execution, this).dropReferences(table, index);
        }
        Table now = transaction.catalog().table(table.id());
        transaction.dropIndex(now == null ? table : now, index);
    }

    private @Nullable Table owner(Identifier name, boolean ifExists) {
        Table table = new ConstraintBinder(source, transaction.catalog()).owner(name);
        if (table == null && !ifExists) {
            List<String> names = new ArrayList<>();
            catalog.tables().forEach(t -> t.indexes().forEach(i -> names.add(i.name())));
            throw source.error(
                    Kind.UNKNOWN_TABLE,
                    name.position(),
                    "There is no index \"" + name.text() + "\"" + Nearest.hint(name.name(), names));
        }
        return table;
    }

    private void renameIndex(Statement.RenameIndex rename) {
        Table table = owner(rename.name(), rename.ifExists());
        if (table != null) {
            new ConstraintBinder(source, catalog).checkFreeIndex(table, rename.to());
            Alterations.renameIndex(transaction, table, rename.name().name(), rename.to().name());
        }
    }

    private void createSequence(Statement.CreateSequence create) {
        String schema = schema(create.name(), create.temporary());
        if (!exists(create.name(), create.ifNotExists(), schema)) {
            String name = create.name().name();
            Sequence made =
                    Sequences.made(source, create.position(), name, create.options(), Typing.BIGINT)
                            .withSchema(schema);
            long owner =
                    Sequences.owner(
                            source.at(create.name().position()),
                            catalog,
                            made,
                            create.options().owned());
            transaction.create(made.withOwner(owner));
        }
    }

    private @Nullable Sequence sequence(Identifier name, boolean ifExists) {
        Catalog now = transaction.catalog();
        Sequence found = now.sequence(name.path());
        return ifExists || found != null
                ? found
                : SequenceFunctions.named(now, name.text(), source.at(name.position()));
    }

    private void alterSequence(Statement.AlterSequence alter) {
        Sequence before = sequence(alter.name(), alter.ifExists());
        if (before == null) {
            return;
        }
        if (alter.to() != null) {
            exists(alter.to(), false, before.schema());
            Sequence after = transaction.create(before.withName(alter.to().name()));
            String written = SequenceFunctions.written(after);
            for (Table table : catalog.tables()) {
                Table renamed = SchemaDefinitions.drawing(table, before, written);
                if (!renamed.equals(table)) {
                    transaction.redefine(renamed, null);
                }
            }
            return;
        }
        Sequences.alter(source, transaction, before, alter);
    }

    private void dropSequence(Identifier name, boolean ifExists, boolean cascade) {
        Sequence sequence = sequence(name, ifExists);
        if (sequence == null) {
            return;
        }
        leave(sequence, name, Set.of(), cascade);
        transaction.drop(sequence);
    }

    /// Ensures that no column draws from `sequence`, which is about to be dropped.
    ///
    /// @param gone numbers of the tables that are dropped with it
    /// @param cascade whether such columns lose their defaults; otherwise they cause an error
    void leave(Sequence sequence, Identifier place, Set<Long> gone, boolean cascade) {
        for (Table table : transaction.catalog().tables()) {
            if (gone.contains(table.id())) {
                continue;
            }
            List<Column> columns = new ArrayList<>();
            for (Column column : table.columns()) {
                boolean identity =
                        column.filling() instanceof ColumnDefault.Identity filling
                                && filling.sequence() == sequence.id();
                boolean drawn =
                        column.filling() instanceof ColumnDefault.Default filling
                                && Sequences.draws(table, column, filling, sequence);
                if (identity || (drawn && !cascade)) {
                    throw source.error(
                            Kind.DEPENDENT,
                            place.position(),
                            "Column \""
                                    + column.name()
                                    + "\" of table \""
                                    + table.name()
                                    + "\" takes its values from \""
                                    + sequence.name()
                                    + "\": drop the column, or its DEFAULT, first");
                }
                columns.add(drawn ? column.withFilling(null) : column);
            }
            if (!columns.equals(table.columns())) {
                transaction.redefine(table.withColumns(columns), null);
            }
        }
    }

    private void createGraph(Statement.CreateGraph create) {
        boolean replaces = create.orReplace() && catalog.graph(create.name().path()) != null;
        if (replaces || !exists(create.name(), create.ifNotExists(), inPublic(create.name()))) {
            new PropertyGraphs(source, execution).create(create);
        }
    }
}
