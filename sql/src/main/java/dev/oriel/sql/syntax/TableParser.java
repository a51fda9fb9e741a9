package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.OnCommit;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.SearchPath;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses CREATE TABLE and the clauses before and after the column list.
final class TableParser {
    /// PostgreSQL's storage parameters, which are ignored. Autovacuum parameters begin with [#VACUUM].
    private static final Set<String> STORAGE =
            Set.of(
                    "FILLFACTOR",
                    "PARALLEL_WORKERS",
                    "TOAST_TUPLE_TARGET",
                    "USER_CATALOG_TABLE",
                    "VACUUM_TRUNCATE",
                    "VACUUM_INDEX_CLEANUP");

    private static final String VACUUM = "AUTOVACUUM_";

    private static final String[] ENGINE_OPTIONS = {
        "ENGINE", "TYPE", "AUTO_INCREMENT", "DEFAULT", "CHARSET", "COLLATE", "ROW_FORMAT", "COMMENT"
    };

    private final TokenReader tokens;
    private final QueryParser queries;
    private final ConstraintParser constraints;
    private final ExpressionParser expressions;

    TableParser(
            TokenReader tokens,
            QueryParser queries,
            ConstraintParser constraints,
            ExpressionParser expressions) {
        this.tokens = tokens;
        this.queries = queries;
        this.constraints = constraints;
        this.expressions = expressions;
    }

    private PartitionParser partitions() {
        return new PartitionParser(tokens, expressions);
    }

    /// Parses PARTITION BY if it follows; else null.
    private @Nullable PartitionBy partitionBy() {
        return tokens.atWord(0, "PARTITION") ? partitions().partitionBy() : null;
    }

    /// Accepts TEMPORARY, or UNLOGGED, MEMORY and CACHED, which are ignored: all tables share one log and one cache.
    boolean temporary() {
        boolean table = tokens.peek(1).is(Keyword.TABLE);
        boolean temporary =
                tokens.atWord(1, "LOCAL")
                        || tokens.atWord(1, "GLOBAL")
                        || tokens.atWord(1, "TEMP")
                        || tokens.atWord(1, "TEMPORARY");
        if ((table || temporary) && (tokens.acceptWord("MEMORY") || tokens.acceptWord("CACHED"))) {
            return !table && temporary();
        }
        if (tokens.atWord(1, "TEMP") || tokens.atWord(1, "TEMPORARY")) {
            if (!tokens.acceptWord("LOCAL")) {
                tokens.acceptWord("GLOBAL"); // means LOCAL, as in PostgreSQL
            }
        }
        if (tokens.acceptWord("UNLOGGED")) {
            return false;
        }
        return tokens.acceptWord("TEMPORARY") || tokens.acceptWord("TEMP");
    }

    /// Parses the rest after CREATE OR REPLACE TABLE, as of MariaDB and DuckDB: a table of this name is dropped first.
    Statement.Definition replaced(int position, boolean temporary) {
        int at = tokens.position();
        Statement.Definition create = table(position, temporary);
        Identifier name =
                switch (create) {
                    case Statement.CreateTable table when !table.ifNotExists() -> table.table();
                    case Statement.CreateTableAs table when !table.ifNotExists() -> table.table();
                    default -> null;
                };
        if (name == null) {
            throw tokens.error(
                    Kind.SYNTAX, at, "OR REPLACE is for whole tables, and without IF NOT EXISTS");
        }
        Identifier dropped =
                temporary
                        ? new Identifier(name.position(), name.name(), SearchPath.OWN_TEMPORARY)
                        : name;
        Statement.DropTable drop = new Statement.DropTable(position, true, List.of(dropped), false);
        return new Statement.ReplaceTable(position, drop, create);
    }

    /// Parses the rest after TABLE.
    Statement.Definition table(int position, boolean temporary) {
        boolean ifNotExists = tokens.accept(Keyword.IF, Keyword.NOT);
        if (ifNotExists) {
            tokens.expect(Keyword.EXISTS);
        }
        Identifier name = tokens.relation("a table name");
        constraints.of(name);
        if (tokens.acceptWords("PARTITION", "OF")) {
            return partition(position, ifNotExists, name, temporary);
        }
        if (tokens.peek().is(Keyword.LIKE)) { // as of MySQL
            return new Statement.CreateTable(
                    position,
                    ifNotExists,
                    name,
                    List.of(),
                    List.of(),
                    List.of(like(0)),
                    onCommit(temporary),
                    null);
        }
        boolean listed = tokens.peek().isSymbol("(") && isListOfNames();
        if (listed || !tokens.peek().isSymbol("(")) {
            return ofQuery(position, ifNotExists, name, temporary);
        }
        List<Statement.ColumnDefinition> columns = new ArrayList<>();
        List<TableConstraint> all = new ArrayList<>();
        List<Statement.LikeTable> likes = new ArrayList<>();
        tokens.expect("(");
        boolean none = tokens.peek().isSymbol(")");
        while (!none) {
            if (tokens.peek().is(Keyword.LIKE)) {
                likes.add(like(columns.size()));
            } else {
                TableConstraint constraint = constraints.constraint();
                if (constraint != null) {
                    all.add(constraint);
                } else {
                    columns.add(constraints.column(all));
                }
            }
            none = !tokens.accept(",") || tokens.peek().isSymbol(")"); // as of HSQLDB
        }
        tokens.expect(")");
        PartitionBy partitioned = partitionBy();
        storage();
        OnCommit onCommit = onCommit(temporary);
        Statement.CreateTable create =
                new Statement.CreateTable(
                        position,
                        ifNotExists,
                        name,
                        List.copyOf(columns),
                        List.copyOf(all),
                        List.copyOf(likes),
                        onCommit,
                        partitioned);
        return tokens.accept(Keyword.AS) ? filled(create) : create;
    }

    /// Parses the query whose rows fill a table with declared columns, as in H2.
    private Statement.CreateTableAs filled(Statement.CreateTable create) {
        Statement.Query query = queries.query();
        return new Statement.CreateTableAs(
                create.position(),
                create.ifNotExists(),
                create.table(),
                List.of(),
                query,
                withNoData(),
                create.temporary(),
                create);
    }

    /// Parses the rest after PARTITION OF.
    private Statement.Definition partition(
            int position, boolean ifNotExists, Identifier name, boolean temporary) {
        Identifier parent = tokens.relation("a table name");
        List<Statement.ColumnDefinition> columns = new ArrayList<>();
        List<TableConstraint> all = new ArrayList<>();
        if (tokens.accept("(")) {
            do {
                TableConstraint constraint = constraints.constraint();
                if (constraint != null) {
                    all.add(constraint);
                } else {
                    Identifier column = tokens.name("a column name");
                    if (tokens.accept(Keyword.WITH)) {
                        tokens.expectWord("OPTIONS");
                    }
                    columns.add(constraints.uncommented(constraints.options(column, all)));
                }
            } while (tokens.accept(","));
            tokens.expect(")");
        }
        PartitionBound bound = partitions().bound();
        PartitionBy partitioned = partitionBy();
        storage();
        OnCommit onCommit = onCommit(temporary);
        return new Statement.OfPartition(
                position,
                new PartitionStatement.Create(
                        ifNotExists,
                        name,
                        parent,
                        List.copyOf(columns),
                        List.copyOf(all),
                        bound,
                        onCommit,
                        partitioned));
    }

    /// Whether a list of names without types follows, as before AS.
    private boolean isListOfNames() {
        Token second = tokens.peek(2);
        return second.isSymbol(",") || second.isSymbol(")");
    }

    private Statement.Definition ofQuery(
            int position, boolean ifNotExists, Identifier name, boolean temporary) {
        List<Identifier> names = queries.columns();
        storage();
        OnCommit onCommit = onCommit(temporary);
        tokens.expect(Keyword.AS);
        Statement.Query query = queries.query();
        return new Statement.CreateTableAs(
                position, ifNotExists, name, names, query, withNoData(), onCommit, null);
    }

    /// Accepts WITH DATA or WITH NO DATA, which makes it true.
    boolean withNoData() {
        boolean empty = false;
        if (tokens.accept(Keyword.WITH)) {
            empty = tokens.acceptWord("NO");
            tokens.expectWord("DATA");
        }
        return empty;
    }

    /// Skips PostgreSQL's storage clauses: USING, WITH, TABLESPACE.
    void storage() {
        refuseEngine();
        if (tokens.accept(Keyword.USING)) {
            tokens.expectWord("HEAP");
        }
        if (tokens.peek().is(Keyword.WITH) && tokens.peek(1).isSymbol("(")) {
            tokens.take();
            parameters();
        } else if (tokens.accept(Keyword.WITHOUT)) {
            tokens.expectWord("OIDS");
        }
    }

    /// Refuses MySQL's options of a table.
    void refuseEngine() {
        for (String each : ENGINE_OPTIONS) {
            if (tokens.atWord(0, each)) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED,
                        tokens.position(),
                        each
                                + " is an option of MySQL's tables: leave it out with all that follows");
            }
        }
    }

    /// Skips storage parameters in parentheses.
    void parameters() {
        tokens.expect("(");
        do {
            int position = tokens.position();
            String name = tokens.heading().name();
            if (name.equalsIgnoreCase("toast") && tokens.accept(".")) {
                name = tokens.heading().name();
            }
            boolean oids = name.equalsIgnoreCase("oids");
            String upper = name.toUpperCase(Locale.ROOT);
            if (!oids && !STORAGE.contains(upper) && !upper.startsWith(VACUUM)) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED,
                        position,
                        "There is no storage parameter \"" + name + "\"; leave it out");
            }
            if (tokens.accept("=")) {
                tokens.accept("-");
                Token value = tokens.take();
                if (oids && !value.text().equalsIgnoreCase("false")) {
                    throw tokens.error(
                            Kind.NOT_SUPPORTED, position, "Rows have no oid: leave out OIDS");
                }
            }
        } while (tokens.accept(","));
        tokens.expect(")");
    }

    private @Nullable OnCommit onCommit(boolean temporary) {
        if (temporary && tokens.peek().is(Keyword.NOT) && tokens.atWord(1, "PERSISTENT")) {
            tokens.take(); // as of H2; rows of temporary tables are not kept anyway
            tokens.take();
        }
        int position = tokens.position();
        if (!tokens.accept(Keyword.ON)) {
            return temporary ? OnCommit.PRESERVE : null;
        }
        tokens.expect(Keyword.COMMIT);
        if (!temporary) {
            throw tokens.error(
                    Kind.INVALID_DEFINITION,
                    position,
                    "ON COMMIT is for temporary tables; leave it out, or say TEMPORARY");
        }
        if (tokens.accept(Keyword.DROP)) {
            return OnCommit.DROP;
        }
        OnCommit onCommit = OnCommit.DELETE;
        if (!tokens.accept(Keyword.DELETE)) {
            tokens.expected("DROP");
            tokens.expectWord("PRESERVE");
            onCommit = OnCommit.PRESERVE;
        }
        tokens.expect(Keyword.ROWS);
        return onCommit;
    }

    private Statement.LikeTable like(int at) {
        tokens.expect(Keyword.LIKE);
        Identifier table = tokens.relation("a table name");
        EnumSet<LikePart> parts = EnumSet.noneOf(LikePart.class);
        while (true) {
            boolean including = tokens.acceptWord("INCLUDING");
            if (!including && !tokens.acceptWord("EXCLUDING")) {
                return new Statement.LikeTable(table, at, parts);
            }
            EnumSet<LikePart> named = likeParts();
            if (including) {
                parts.addAll(named);
            } else {
                parts.removeAll(named);
            }
        }
    }

    private EnumSet<LikePart> likeParts() {
        if (tokens.accept(Keyword.ALL)) {
            return EnumSet.allOf(LikePart.class);
        }
        for (LikePart part : LikePart.values()) {
            if (tokens.acceptWord(part.name())) {
                return EnumSet.of(part);
            }
            tokens.expected(part.name());
        }
        throw tokens.unexpected();
    }
}
