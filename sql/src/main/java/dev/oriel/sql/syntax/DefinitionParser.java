package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses CREATE, ALTER, DROP and TRUNCATE.
final class DefinitionParser {
    /// Classes of operators that order as indexes do here.
    private static final Set<String> ORDERS =
            Set.of(
                    "text_pattern_ops",
                    "varchar_pattern_ops",
                    "bpchar_pattern_ops",
                    "text_ops",
                    "varchar_ops",
                    "int2_ops",
                    "int4_ops",
                    "int8_ops",
                    "numeric_ops",
                    "date_ops",
                    "timestamp_ops",
                    "timestamptz_ops",
                    "uuid_ops");

    private final TokenReader tokens;
    private final QueryParser queries;
    private final ExpressionParser expressions;
    private final ConstraintParser constraints;
    private final TableParser tableParser;

    DefinitionParser(TokenReader tokens, ExpressionParser expressions, QueryParser queries) {
        this.tokens = tokens;
        this.queries = queries;
        this.expressions = expressions;
        this.constraints = new ConstraintParser(tokens, expressions);
        this.tableParser = new TableParser(tokens, queries, constraints, expressions);
    }

    /// Parses the rest of CREATE.
    Statement.Definition create(int position) {
        boolean temporary = tableParser.temporary();
        if (tokens.accept(Keyword.TABLE)) {
            return tableParser.table(position, temporary);
        }
        if (tokens.acceptWord("SEQUENCE")) {
            boolean ifNotExists = ifNotExists();
            Identifier name = tokens.relation("a sequence name");
            return new Statement.CreateSequence(
                    position, ifNotExists, name, constraints.options(), temporary);
        }
        if (tokens.accept(Keyword.RECURSIVE)) {
            tokens.expectWord("VIEW");
            return view(position, false, temporary, true);
        }
        if (temporary) {
            tokens.expectWord("VIEW");
            return view(position, false, true, false);
        }
        if (tokens.acceptWord("SCHEMA")) {
            return schemas().create(position);
        }
        if (tokens.accept(Keyword.MATERIALIZED)) {
            return materialized().create(position);
        }
        if (tokens.acceptWord("EXTERNAL")) {
            tokens.expect(Keyword.TABLE);
            return external(position);
        }
        if (tokens.atWord(1, "VIEW")) {
            tokens.acceptWord("FORCE"); // as of H2 and Oracle; a view that is not valid is refused
        }
        boolean replace = tokens.accept(Keyword.OR);
        if (replace) {
            tokens.expectWord("REPLACE");
        }
        boolean temporaryView = replace && tableParser.temporary();
        boolean recursive = replace && tokens.accept(Keyword.RECURSIVE);
        if (tokens.acceptWord("VIEW")) {
            return view(position, replace, temporaryView, recursive);
        }
        if (replace && !recursive && tokens.accept(Keyword.TABLE)) {
            return tableParser.replaced(position, temporaryView);
        }
        if (!temporaryView && tokens.acceptWords("PROPERTY", "GRAPH")) {
            boolean ifNotExists = !replace && ifNotExists();
            return new GraphParser(tokens, queries).create(position, replace, ifNotExists);
        }
        if (!temporaryView && tokens.acceptWord("FUNCTION")) {
            return new Statement.OfFunction(position, functions().create(replace));
        }
        if (!replace && beginsType()) {
            return new Statement.OfType(position, types().create(position));
        }
        tokens.expected("VIEW");
        if (replace) {
            throw tokens.unexpected();
        }
        tokens.expected("SEQUENCE");
        return index(position);
    }

    private StorageClauses storage() {
        return new StorageClauses(tokens, tableParser);
    }

    private MaterializedParser materialized() {
        return new MaterializedParser(tokens, queries, tableParser);
    }

    private FunctionParser functions() {
        return new FunctionParser(tokens, expressions);
    }

    private SchemaParser schemas() {
        return new SchemaParser(tokens, this);
    }

    /// Whether SET SCHEMA follows.
    private boolean movesToSchema() {
        return tokens.peek().is(Keyword.SET) && tokens.atWord(1, "SCHEMA");
    }

    /// Whether TYPE or DOMAIN follows.
    private boolean beginsType() {
        if (tokens.atWord(0, "TYPE") || tokens.atWord(0, "DOMAIN")) {
            return true;
        }
        tokens.expected("TYPE");
        tokens.expected("DOMAIN");
        return false;
    }

    private TypeStatementParser types() {
        return new TypeStatementParser(tokens, constraints);
    }

    /// `CREATE EXTERNAL TABLE t (columns) ORGANIZATION (NAME='value' ...)`, with or without commas between options.
    private Statement.Definition external(int position) {
        boolean ifNotExists = ifNotExists();
        Identifier name = tokens.relation("a table name");
        List<Statement.ColumnDefinition> columns = new ArrayList<>();
        List<TableConstraint> constraint = new ArrayList<>();
        tokens.expect("(");
        do {
            columns.add(constraints.uncommented(constraints.column(constraint)));
        } while (tokens.accept(","));
        tokens.expect(")");
        if (!constraint.isEmpty()) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    constraint.getFirst().position(),
                    "External tables have no constraints but NOT NULL");
        }
        tokens.expectWord("ORGANIZATION");
        tokens.expect("(");
        List<ExternalOption> options = new ArrayList<>();
        while (!tokens.accept(")")) {
            Identifier option = tokens.name("the name of an option");
            tokens.expect("=");
            Token value = tokens.peek();
            if (value.kind() != Token.Kind.STRING) {
                tokens.expected("a string");
                throw tokens.unexpected();
            }
            tokens.take();
            options.add(
                    new ExternalOption(
                            option.position(),
                            option.name().toUpperCase(Locale.ROOT),
                            value.text()));
            tokens.accept(",");
        }
        return new Statement.CreateExternal(
                position, ifNotExists, name, List.copyOf(columns), List.copyOf(options));
    }

    private Statement.Definition index(int position) {
        boolean unique = tokens.accept(Keyword.UNIQUE);
        Index.Nulls nulls = constraints.nulls(); // here in H2
        Index.Kind kind = Index.Kind.BTREE;
        if (tokens.accept(Keyword.ARRAY)) {
            kind = Index.Kind.ARRAY;
        } else if (tokens.acceptWord("SEARCH")) {
            kind = Index.Kind.SEARCH;
        } else if (!tokens.acceptWord("HASH")) {
            tokens.accept(Keyword.BTREE);
        }
        tokens.expect(Keyword.INDEX);
        concurrently();
        boolean ifNotExists = ifNotExists();
        Identifier name =
                ifNotExists || !tokens.peek().is(Keyword.ON)
                        ? tokens.relation("an index name")
                        : null;
        tokens.expect(Keyword.ON);
        Identifier table = tokens.onlyTable();
        using();
        List<Statement.IndexTerm> terms = indexed();
        List<Identifier> included = tokens.acceptWord("INCLUDE") ? constraints.names() : List.of();
        nulls = nulls == Index.Nulls.DISTINCT ? constraints.nulls() : nulls;
        if (tokens.accept(Keyword.WITH)) {
            tableParser.parameters();
        }
        Statement.IndexTerm where = tokens.accept(Keyword.WHERE) ? indexTerm(null) : null;
        return new Statement.CreateIndex(
                position,
                ifNotExists,
                unique,
                unique ? nulls : Index.Nulls.DISTINCT,
                kind,
                name,
                table,
                terms,
                included,
                where);
    }

    /// Accepts the method of an index. A hash index becomes a tree, which answers the same queries.
    private void using() {
        if (tokens.peek().is(Keyword.USING)) {
            tokens.take();
            if (!tokens.acceptWord("HASH")) {
                tokens.expected("HASH");
                tokens.expect(Keyword.BTREE);
            }
        }
    }

    /// Skips CONCURRENTLY: building an index never blocks writers of other tables.
    private void concurrently() {
        if (!tokens.peek(1).is(Keyword.ON)) {
            tokens.acceptWord("CONCURRENTLY");
        }
    }

    private Statement.Definition view(
            int position, boolean replace, boolean temporary, boolean recursive) {
        boolean ifNotExists = !replace && ifNotExists();
        Identifier name = tokens.relation("a view name");
        List<Identifier> columns = queries.columns();
        if (recursive && columns.isEmpty()) {
            tokens.expect("(");
        }
        ViewOptions options = new ViewOptions(tokens);
        tokens.expect(Keyword.AS);
        int start = tokens.position();
        Statement.Query query =
                recursive ? RecursiveView.query(queries, name, columns) : queries.fixed();
        String text = tokens.textFrom(start);
        text = recursive ? RecursiveView.text(name, columns, text) : text;
        return new Statement.CreateView(
                position,
                replace,
                ifNotExists,
                name,
                columns,
                query,
                text,
                temporary,
                options.checkOption());
    }

    /// Parses the rest of DROP. IF EXISTS may precede the names, or follow them as in H2.
    Statement.Definition drop(int position) {
        if (tokens.accept(Keyword.TABLE)) {
            boolean ifExists = ifExists();
            List<Identifier> tables = names("a table name");
            ifExists = ifExists || ifExists();
            boolean cascade = cascade();
            if (cascade) {
                tokens.acceptWord("CONSTRAINTS"); // as in Oracle and H2, with the same meaning
            }
            return new Statement.DropTable(position, ifExists, tables, cascade);
        }
        if (tokens.acceptWord("SEQUENCE")) {
            boolean ifExists = ifExists();
            List<Identifier> sequences = names("a sequence name");
            ifExists = ifExists || ifExists();
            return new Statement.DropSequence(position, ifExists, sequences, cascade());
        }
        if (tokens.acceptWord("VIEW")) {
            boolean ifExists = ifExists();
            List<Identifier> views = names("a view name");
            ifExists = ifExists || ifExists();
            return new Statement.DropView(position, ifExists, views, cascade());
        }
        if (tokens.acceptWord("SCHEMA")) {
            return schemas().drop(position);
        }
        if (tokens.accept(Keyword.MATERIALIZED)) {
            return materialized().drop(position);
        }
        if (tokens.acceptWords("PROPERTY", "GRAPH")) {
            boolean ifExists = ifExists();
            Identifier name = tokens.name("a graph name");
            boolean _ = cascade(); // nothing depends on a graph
            return new Statement.DropGraph(position, ifExists, name);
        }
        if (tokens.acceptWords("ALL", "OBJECTS")) { // as of H2
            return new Statement.OfSchema(position, new SchemaStatement.DropAll(position));
        }
        if (beginsType()) {
            return new Statement.OfType(position, types().drop(position));
        }
        if (tokens.acceptWord("FUNCTION")) {
            return new Statement.OfFunction(position, functions().drop(ifExists()));
        }
        tokens.expected("SEQUENCE");
        tokens.expected("VIEW");
        tokens.expect(Keyword.INDEX);
        if (tokens.peek(1).kind() != Token.Kind.END) {
            tokens.acceptWord("CONCURRENTLY");
        }
        boolean ifExists = ifExists();
        List<Identifier> indexes = names("an index name");
        ifExists = ifExists || ifExists();
        return new Statement.DropIndex(position, ifExists, indexes, cascade());
    }

    private List<Identifier> names(String what) {
        List<Identifier> names = new ArrayList<>();
        do {
            names.add(tokens.relation(what));
        } while (tokens.accept(","));
        return List.copyOf(names);
    }

    private boolean cascade() {
        if (tokens.acceptWord("CASCADE")) {
            return true;
        }
        tokens.acceptWord("RESTRICT");
        return false;
    }

    /// Parses the rest of COMMENT.
    Statement.Definition comment(int position) {
        tokens.expect(Keyword.ON);
        if (tokens.acceptWord("FUNCTION")) {
            FunctionStatement.Signature function = functions().signature();
            return new Statement.OfFunction(
                    position, new FunctionStatement.Comment(function, commentText()));
        }
        tokens.expected("FUNCTION");
        Commented kind = commented();
        boolean column = kind == Commented.COLUMN;
        Identifier part = null;
        if (kind == Commented.CONSTRAINT) {
            part = tokens.name("a constraint name");
            tokens.expect(Keyword.ON);
        }
        Identifier name = qualified(column);
        if (column) {
            tokens.expect(".");
            part = tokens.name("a column name");
        }
        return new Statement.CommentOn(position, kind, name, part, commentText());
    }

    private Commented commented() {
        for (Commented candidate : Commented.values()) {
            boolean found =
                    candidate == Commented.MATERIALIZED_VIEW
                            ? tokens.peek().is(Keyword.MATERIALIZED)
                            : tokens.acceptWord(candidate.words());
            if (found && candidate == Commented.MATERIALIZED_VIEW) {
                tokens.take();
                tokens.expectWord("VIEW");
            }
            if (found) {
                return candidate;
            }
            tokens.expected(candidate.words());
        }
        throw tokens.unexpected();
    }

    /// The text after IS; null to remove it.
    private @Nullable String commentText() {
        tokens.expect(Keyword.IS);
        Token text = tokens.peek();
        boolean none = tokens.accept(Keyword.NULL);
        if (!none && text.kind() != Token.Kind.STRING) {
            tokens.expected("a string");
            throw tokens.unexpected();
        } else if (!none) {
            tokens.take();
        }
        return none ? null : text.text();
    }

    /// The name of the object; for a column, the part before its last dot.
    private Identifier qualified(boolean column) {
        boolean whole = !column || tokens.peek(3).isSymbol(".");
        return whole ? tokens.relation("a name") : tokens.name("a table name");
    }

    /// Parses the rest of REFRESH.
    Statement.Definition refresh(int position) {
        tokens.expect(Keyword.MATERIALIZED);
        return materialized().refresh(position);
    }

    /// Parses the rest of TRUNCATE.
    Statement.Definition truncate(int position) {
        tokens.accept(Keyword.TABLE);
        List<Identifier> tables = new ArrayList<>();
        do {
            tables.add(tokens.onlyTable());
        } while (tokens.accept(","));
        boolean restart = tokens.acceptWords("RESTART", "IDENTITY");
        if (!restart) {
            tokens.acceptWords("CONTINUE", "IDENTITY");
        }
        return new Statement.Truncate(position, tables, restart, cascade());
    }

    private boolean ifExists() {
        return tokens.accept(Keyword.IF, Keyword.EXISTS);
    }

    private boolean ifNotExists() {
        if (!tokens.accept(Keyword.IF, Keyword.NOT)) {
            return false;
        }
        tokens.expect(Keyword.EXISTS);
        return true;
    }

    /// Parses the rest of ALTER.
    Statement alter(int position) {
        if (tokens.accept(Keyword.TABLE)) {
            boolean ifExists = ifExists();
            Identifier table = tokens.onlyTable();
            constraints.of(table);
            if (movesToSchema()) {
                return schemas().move(position, SchemaStatement.Kind.TABLE, ifExists, table);
            }
            OtherAlterations others = new OtherAlterations(tokens);
            if (others.dropsIndex()) {
                return others.indexOf(position, table);
            }
            List<Alteration> changes = new ArrayList<>();
            do {
                if (tokens.atWord(0, "ADD") && tokens.peek(1).isSymbol("(")) {
                    addSeveral(changes, others);
                } else if (others.dropsAnother(changes)) {
                    changes.add(dropColumn());
                } else if (!Roles.passOwner(tokens) && !storage().ofTable()) {
                    changes.add(alteration());
                    others.more(changes, constraints);
                }
            } while (tokens.accept(","));
            return new Statement.AlterTable(position, ifExists, table, changes);
        }
        if (tokens.acceptWord("SEQUENCE")) {
            return alterSequence(position);
        }
        if (tokens.acceptWord("SCHEMA")) {
            return schemas().alter(position);
        }
        if (tokens.accept(Keyword.MATERIALIZED)) {
            return materialized().alter(position);
        }
        if (tokens.acceptWord("VIEW")) {
            return alterView(position);
        }
        if (beginsType()) {
            return new Statement.OfType(position, types().alter(position));
        }
        tokens.expected("SEQUENCE");
        tokens.expected("VIEW");
        tokens.expect(Keyword.INDEX);
        boolean ifExists = ifExists();
        Identifier name = tokens.relation("an index name");
        if (tokens.acceptWords("ATTACH", "PARTITION")) {
            Identifier part = tokens.relation("an index name");
            return new Statement.OfPartition(
                    position, new PartitionStatement.AttachIndex(name, part));
        }
        tokens.expected("ATTACH PARTITION");
        Statement storage = storage().ofIndex(position, ifExists, name);
        if (storage != null) {
            return storage;
        }
        tokens.expectWord("RENAME");
        tokens.expect(Keyword.TO);
        return new Statement.RenameIndex(position, ifExists, name, tokens.name("an index name"));
    }

    private Statement alterSequence(int position) {
        boolean ifExists = ifExists();
        Identifier name = tokens.relation("a sequence name");
        if (movesToSchema()) {
            return schemas().move(position, SchemaStatement.Kind.SEQUENCE, ifExists, name);
        }
        if (tokens.acceptWord("RENAME")) {
            tokens.expect(Keyword.TO);
            return new Statement.AlterSequence(
                    position, ifExists, name, SequenceOptions.NONE, tokens.name("a sequence name"));
        }
        SequenceOptions options =
                Roles.passOwner(tokens) ? SequenceOptions.NONE : constraints.options();
        return new Statement.AlterSequence(position, ifExists, name, options, null);
    }

    private Statement.Definition alterView(int position) {
        boolean ifExists = ifExists();
        Identifier name = tokens.relation("a view name");
        if (movesToSchema()) {
            return schemas().move(position, SchemaStatement.Kind.VIEW, ifExists, name);
        }
        boolean recompiled = tokens.acceptWord("RECOMPILE"); // as of H2: views are always current
        if (recompiled || Roles.passOwner(tokens) || ViewOptions.pass(tokens)) {
            return new Statement.AlterTable(position, ifExists, name, List.of());
        }
        tokens.expected("OWNER");
        tokens.expectWord("RENAME");
        Identifier renamed = null;
        if (!tokens.peek().is(Keyword.TO)) {
            tokens.acceptWord("COLUMN");
            renamed = tokens.name("a column name");
        }
        tokens.expect(Keyword.TO);
        return new Statement.RenameView(position, ifExists, name, renamed, tokens.name("a name"));
    }

    private Alteration alteration() {
        if (tokens.acceptWord("ADD")) {
            return add();
        } else if (tokens.accept(Keyword.DROP)) {
            return dropPart();
        } else if (tokens.acceptWord("RENAME")) {
            return new OtherAlterations(tokens).renamed();
        } else if (tokens.acceptWord("VALIDATE")) {
            tokens.expect(Keyword.CONSTRAINT);
            return new Alteration.ValidateConstraint(tokens.name("a constraint name"));
        }
        if (tokens.acceptWords("ATTACH", "PARTITION")) {
            Identifier partition = tokens.relation("a table name");
            return new Alteration.AttachPartition(
                    partition, new PartitionParser(tokens, expressions).bound());
        } else if (tokens.acceptWords("DETACH", "PARTITION")) {
            Identifier partition = tokens.relation("a table name");
            if (!tokens.acceptWord("CONCURRENTLY")) {
                tokens.acceptWord("FINALIZE");
            }
            return new Alteration.DetachPartition(partition);
        }
        tokens.expected("ADD");
        tokens.expected("DROP");
        tokens.expected("RENAME");
        tokens.expected("VALIDATE");
        tokens.expected("ATTACH PARTITION");
        tokens.expected("DETACH PARTITION");
        tokens.expectWord("ALTER");
        if (tokens.accept(Keyword.CONSTRAINT)) {
            Identifier name = tokens.name("a constraint name");
            return new Alteration.ChangeDeferral(name, constraints.deferral());
        }
        tokens.acceptWord("COLUMN");
        boolean ifExists = ifExists();
        Identifier column = tokens.name("a column name");
        Alteration change = column(column);
        return ifExists ? new Alteration.IfColumnExists(column, change) : change;
    }

    /// `ADD (column type, column type)`.
    private void addSeveral(List<Alteration> changes, OtherAlterations others) {
        int before = changes.size();
        tokens.take();
        tokens.expect("(");
        do {
            TableConstraint constraint = constraints.constraint();
            if (constraint != null) {
                changes.add(new Alteration.AddConstraint(constraint));
                continue;
            }
            List<TableConstraint> own = new ArrayList<>();
            Statement.ColumnDefinition column = constraints.column(own);
            changes.add(
                    new Alteration.AddColumn(false, constraints.uncommented(column), own, null));
        } while (tokens.accept(","));
        tokens.expect(")");
        others.place(changes.subList(before, changes.size()));
    }

    private Alteration add() {
        boolean column = tokens.acceptWord("COLUMN");
        if (!column) {
            TableConstraint constraint = constraints.constraint();
            if (constraint != null) {
                tokens.acceptWords("NOT", "VALID");
                return new Alteration.AddConstraint(constraint);
            }
        }
        boolean ifNotExists = ifNotExists();
        List<TableConstraint> own = new ArrayList<>();
        Statement.ColumnDefinition definition = constraints.column(own);
        return new Alteration.AddColumn(
                ifNotExists,
                constraints.uncommented(definition),
                own,
                new OtherAlterations(tokens).place());
    }

    private Alteration dropPart() {
        boolean foreign = tokens.atWord(0, "FOREIGN") && tokens.peek(1).is(Keyword.KEY);
        if (foreign) {
            tokens.take();
            tokens.take();
        }
        if (foreign || tokens.accept(Keyword.CONSTRAINT)) {
            boolean ifExists = ifExists();
            Identifier name = tokens.name("a constraint name");
            return new Alteration.DropConstraint(ifExists, name, cascade(), foreign);
        }
        int position = tokens.position();
        if (tokens.peek().is(Keyword.PRIMARY) && tokens.accept(Keyword.PRIMARY, Keyword.KEY)) {
            Identifier key = new Identifier(position, "");
            return new Alteration.DropConstraint(false, key, cascade(), false);
        }
        tokens.acceptWord("COLUMN");
        return dropColumn();
    }

    private Alteration dropColumn() {
        boolean ifExists = ifExists();
        Identifier name = tokens.name("a column name");
        return new Alteration.DropColumn(ifExists, name, cascade());
    }

    private Alteration column(Identifier column) {
        if (storage().ofColumn()) {
            return new Alteration.TuneColumn(column);
        }
        if (tokens.acceptWords("RENAME", "TO")) {
            return new Alteration.RenameColumn(column, tokens.name("a column name"));
        }
        if (tokens.peek().kind() == Token.Kind.WORD
                && !tokens.atWord(0, "ADD")
                && !tokens.atWord(0, "RESTART")
                && !tokens.atWord(0, "TYPE")
                && (TypeParser.isName(tokens.peek().text()) || atLabels())) {
            return type(column); // as of H2
        }
        if (tokens.acceptWord("TYPE")) {
            return type(column);
        } else if (tokens.atWord(0, "IDENTITY")) {
            return new Alteration.SetNullable(column, false); // and what follows
        }
        if (tokens.peek(1).is(Keyword.ON) && tokens.peek(2).is(Keyword.UPDATE)) {
            return new OtherAlterations(tokens).update(column, constraints);
        }
        if (tokens.accept(Keyword.DROP)) {
            return new OtherAlterations(tokens).dropped(column, constraints);
        } else if (tokens.atWord(0, "RESTART")) {
            return new Alteration.ChangeIdentity(column, null, constraints.alteredOptions());
        } else if (tokens.acceptWord("ADD")) {
            return addIdentity(column);
        }
        tokens.expected("TYPE");
        tokens.expected("ADD");
        tokens.expected("RESTART");
        tokens.expect(Keyword.SET);
        if (tokens.acceptWord("GENERATED")) {
            boolean always = tokens.acceptWord("ALWAYS");
            if (!always) {
                tokens.expect(Keyword.BY);
                tokens.expectWord("DEFAULT");
            }
            return new Alteration.ChangeIdentity(column, always, constraints.alteredOptions());
        }
        if (tokens.accept(Keyword.NOT, Keyword.NULL)) {
            return new Alteration.SetNullable(column, false);
        } else if (tokens.accept(Keyword.NULL)) {
            return new Alteration.SetNullable(column, true);
        }
        if (tokens.acceptWord("DATA")) {
            tokens.expectWord("TYPE");
            return type(column);
        }
        if (constraints.fillsNull()) {
            return new Alteration.FillNull(column, true);
        }
        if (tokens.atWord(0, "DEFAULT")) {
            return new Alteration.SetFilling(column, constraints.filling());
        }
        SequenceOptions options = constraints.alteredOptions();
        if (options.equals(SequenceOptions.NONE)) {
            tokens.expected("DEFAULT");
            tokens.expected("GENERATED");
            throw tokens.unexpected();
        }
        return new Alteration.ChangeIdentity(column, null, options);
    }

    private Alteration addIdentity(Identifier column) {
        if (!tokens.atWord(0, "GENERATED")) {
            tokens.expected("GENERATED");
            throw tokens.unexpected();
        }
        Statement.FillingClause filling = constraints.filling();
        if (filling instanceof Statement.FillingClause.Identity) {
            return new Alteration.SetFilling(column, filling);
        }
        throw tokens.error(
                Kind.NOT_SUPPORTED,
                filling.position(),
                "A column cannot become a generated one: drop it, and add one that is");
    }

    /// The columns or expressions of an index. Each may be followed by its order.
    private List<Statement.IndexTerm> indexed() {
        List<Statement.IndexTerm> terms = new ArrayList<>();
        tokens.expect("(");
        do {
            Token token = tokens.peek();
            boolean named = token.isName() && !isOperand(tokens.peek(1));
            Statement.IndexTerm term =
                    indexTerm(named ? new Identifier(token.position(), token.text()) : null);
            terms.add(term.in(keyOrder()));
        } while (tokens.accept(","));
        tokens.expect(")");
        return terms;
    }

    /// Parses the order of a key: a class of PostgreSQL's operators, which is ignored, a direction, and the place
    /// of NULL.
    private KeyOrder keyOrder() {
        if (ORDERS.contains(tokens.peek().text().toLowerCase(Locale.ROOT))) {
            tokens.take();
        }
        boolean descending = tokens.accept(Keyword.DESC);
        if (!descending) {
            tokens.accept(Keyword.ASC);
        }
        boolean nullsFirst = descending;
        if (tokens.accept(Keyword.NULLS)) {
            nullsFirst = tokens.accept(Keyword.FIRST);
            if (!nullsFirst) {
                tokens.expect(Keyword.LAST);
            }
        }
        return KeyOrder.of(descending, nullsFirst);
    }

    /// Whether a name before `next` begins an expression.
    private static boolean isOperand(Token next) {
        return next.kind() == Token.Kind.SYMBOL && !next.isSymbol(",") && !next.isSymbol(")");
    }

    private Statement.IndexTerm indexTerm(@Nullable Identifier column) {
        int position = tokens.position();
        if (column != null) {
            tokens.name("a column name");
            Expression name = new Expression.Name(position, null, column.name());
            String text = tokens.textFrom(position);
            if (tokens.atWord(0, "COLLATE")) {
                new TypeParser(tokens).collated();
            }
            return new Statement.IndexTerm(column, name, text);
        }
        Expression expression = expressions.expression();
        return new Statement.IndexTerm(null, expression, tokens.textFrom(position));
    }

    /// Whether an enumeration follows that lists its labels.
    private boolean atLabels() {
        return tokens.atWord(0, "ENUM") && tokens.peek(1).isSymbol("(");
    }

    private Alteration type(Identifier column) {
        boolean labels = atLabels();
        Type type = constraints.type(column);
        @Nullable Expression using = tokens.accept(Keyword.USING) ? expressions.expression() : null;
        if (labels && using == null) { // by the texts of the labels
            int at = column.position();
            Expression text =
                    new Expression.Cast(
                            at, new Expression.Name(at, null, column.name()), Typing.TEXT);
            using = new Expression.Cast(at, text, type);
        }
        return new Alteration.ChangeType(column, type, using);
    }
}
