package dev.oriel.sql;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.Statement.Identifier;
import dev.oriel.table.Index;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parses CREATE and DROP.
final class DefinitionParser {
    private final TokenReader tokens;
    private final TypeParser types;

    DefinitionParser(TokenReader tokens) {
        this.tokens = tokens;
        this.types = new TypeParser(tokens);
    }

    /// Parses what follows CREATE.
    Statement create(int position) {
        if (tokens.accept(Keyword.TABLE)) {
            return table(position);
        }
        boolean unique = tokens.accept(Keyword.UNIQUE);
        Index.Kind kind = Index.Kind.BTREE;
        if (tokens.accept(Keyword.ARRAY)) {
            kind = Index.Kind.ARRAY;
        } else {
            tokens.accept(Keyword.BTREE);
        }
        tokens.expect(Keyword.INDEX);
        boolean ifNotExists = ifNotExists();
        Identifier name = tokens.name("an index name");
        tokens.expect(Keyword.ON);
        Identifier table = tokens.name("a table name");
        List<Identifier> columns = indexed();
        return new Statement.CreateIndex(position, ifNotExists, unique, kind, name, table, columns);
    }

    /// Parses what follows DROP.
    Statement drop(int position) {
        if (tokens.accept(Keyword.TABLE)) {
            boolean ifExists = ifExists();
            return new Statement.DropTable(position, ifExists, tokens.name("a table name"));
        }
        tokens.expect(Keyword.INDEX);
        boolean ifExists = ifExists();
        return new Statement.DropIndex(position, ifExists, tokens.name("an index name"));
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

    private Statement table(int position) {
        boolean ifNotExists = ifNotExists();
        Identifier name = tokens.name("a table name");
        List<Statement.ColumnDefinition> columns = new ArrayList<>();
        List<Statement.KeyDefinition> keys = new ArrayList<>();
        tokens.expect("(");
        do {
            Statement.KeyDefinition key = tableKey();
            if (key != null) {
                keys.add(key);
            } else {
                columns.add(column(keys));
            }
        } while (tokens.accept(","));
        tokens.expect(")");
        if (columns.isEmpty()) {
            throw tokens.error(Kind.SYNTAX, name.position(), "A table needs a column");
        }
        return new Statement.CreateTable(position, ifNotExists, name, columns, keys);
    }

    /// A key that is written after the columns, or null where something else follows.
    private Statement.@Nullable KeyDefinition tableKey() {
        int position = tokens.position();
        @Nullable Identifier name = null;
        if (tokens.peek().is(Keyword.CONSTRAINT)) {
            tokens.take();
            name = tokens.name("a constraint name");
        }
        if (tokens.accept(Keyword.PRIMARY)) {
            tokens.expect(Keyword.KEY);
            return new Statement.KeyDefinition(position, name, true, names());
        }
        if (tokens.accept(Keyword.UNIQUE)) {
            return new Statement.KeyDefinition(position, name, false, names());
        }
        if (name != null) {
            throw tokens.unexpected();
        }
        return null;
    }

    private Statement.ColumnDefinition column(List<Statement.KeyDefinition> keys) {
        Identifier name = tokens.name("a column name");
        Type type = types.type();
        boolean nullable = true;
        boolean decided = false;
        while (true) {
            int position = tokens.position();
            @Nullable Identifier constraint = null;
            if (tokens.accept(Keyword.CONSTRAINT)) {
                constraint = tokens.name("a constraint name");
            }
            if (tokens.accept(Keyword.NOT, Keyword.NULL)) {
                checkUndecided(decided && nullable, position, name);
                nullable = false;
                decided = true;
            } else if (tokens.accept(Keyword.NULL)) {
                checkUndecided(decided && !nullable, position, name);
                decided = true;
            } else if (tokens.accept(Keyword.PRIMARY)) {
                tokens.expect(Keyword.KEY);
                keys.add(new Statement.KeyDefinition(position, constraint, true, List.of(name)));
            } else if (tokens.accept(Keyword.UNIQUE)) {
                keys.add(new Statement.KeyDefinition(position, constraint, false, List.of(name)));
            } else if (constraint != null) {
                throw tokens.unexpected();
            } else {
                return new Statement.ColumnDefinition(name, type, nullable);
            }
        }
    }

    private void checkUndecided(boolean contradiction, int position, Identifier column) {
        if (contradiction) {
            throw tokens.error(
                    Kind.SYNTAX,
                    position,
                    "Column \"" + column.name() + "\" is declared both NULL and NOT NULL");
        }
    }

    /// The columns of an index. ASC and DESC may follow each: an index is kept ascending and read in
    /// both directions, so they change nothing that a query can tell.
    private List<Identifier> indexed() {
        List<Identifier> columns = new ArrayList<>();
        tokens.expect("(");
        do {
            columns.add(tokens.name("a column name"));
            if (!tokens.accept(Keyword.DESC)) {
                tokens.accept(Keyword.ASC);
            }
        } while (tokens.accept(","));
        tokens.expect(")");
        return columns;
    }

    private List<Identifier> names() {
        List<Identifier> names = new ArrayList<>();
        tokens.expect("(");
        do {
            names.add(tokens.name("a column name"));
        } while (tokens.accept(","));
        tokens.expect(")");
        return names;
    }
}
