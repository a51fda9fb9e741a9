package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;

/// Parses statements about materialized views, after MATERIALIZED.
final class MaterializedParser {
    private static final String NAME = "a view name";

    private final TokenReader tokens;
    private final QueryParser queries;
    private final TableParser tables;

    MaterializedParser(TokenReader tokens, QueryParser queries, TableParser tables) {
        this.tokens = tokens;
        this.queries = queries;
        this.tables = tables;
        tokens.expectWord("VIEW");
    }

    /// Parses the rest of CREATE MATERIALIZED VIEW.
    Statement.Definition create(int position) {
        boolean ifNotExists = tokens.accept(Keyword.IF, Keyword.NOT);
        if (ifNotExists) {
            tokens.expect(Keyword.EXISTS);
        }
        Identifier name = tokens.relation(NAME);
        List<Identifier> columns = queries.columns();
        tables.storage();
        tokens.expect(Keyword.AS);
        int start = tokens.position();
        Statement.Query query = queries.fixed();
        String text = tokens.textFrom(start);
        Statement.CreateView view =
                new Statement.CreateView(
                        position,
                        false,
                        ifNotExists,
                        name,
                        columns,
                        query,
                        text,
                        false,
                        View.CheckOption.NONE);
        return of(position, new MaterializedStatement.Create(view, tables.withNoData()));
    }

    /// Parses the rest of REFRESH MATERIALIZED VIEW.
    Statement.Definition refresh(int position) {
        boolean concurrently = tokens.acceptWord("CONCURRENTLY");
        Identifier name = tokens.relation(NAME);
        int options = tokens.position();
        boolean empty = tables.withNoData();
        if (concurrently && empty) {
            throw tokens.error(
                    Kind.SYNTAX,
                    options,
                    "CONCURRENTLY and WITH NO DATA exclude each other; leave one out");
        }
        return of(position, new MaterializedStatement.Refresh(name, concurrently, empty));
    }

    /// Parses the rest of DROP MATERIALIZED VIEW.
    Statement.Definition drop(int position) {
        boolean ifExists = tokens.accept(Keyword.IF, Keyword.EXISTS);
        List<Identifier> names = new ArrayList<>();
        do {
            names.add(tokens.relation(NAME));
        } while (tokens.accept(","));
        boolean cascade = tokens.acceptWord("CASCADE");
        if (!cascade) {
            tokens.acceptWord("RESTRICT");
        }
        return of(position, new MaterializedStatement.Drop(ifExists, names, cascade));
    }

    /// Parses the rest of ALTER MATERIALIZED VIEW.
    Statement.Definition alter(int position) {
        boolean ifExists = tokens.accept(Keyword.IF, Keyword.EXISTS);
        Identifier name = tokens.relation(NAME);
        Statement.Definition change;
        if (tokens.peek().is(Keyword.SET)) {
            tokens.take();
            tokens.expectWord("SCHEMA");
            Identifier to = tokens.name("a schema name");
            change =
                    new Statement.OfSchema(
                            position,
                            new SchemaStatement.Move(
                                    SchemaStatement.Kind.TABLE, ifExists, name, to));
        } else if (Roles.passOwner(tokens)) {
            change = new Statement.AlterTable(position, ifExists, name, List.of());
        } else {
            tokens.expected("SET SCHEMA");
            tokens.expected("OWNER");
            tokens.expectWord("RENAME");
            change = new Statement.AlterTable(position, ifExists, name, List.of(renaming()));
        }
        return of(position, new MaterializedStatement.Alter(ifExists, name, change));
    }

    private Alteration renaming() {
        if (tokens.accept(Keyword.TO)) {
            return new Alteration.RenameTo(tokens.name(NAME));
        }
        tokens.acceptWord("COLUMN");
        Identifier column = tokens.name("a column name");
        tokens.expect(Keyword.TO);
        return new Alteration.RenameColumn(column, tokens.name("a column name"));
    }

    private static Statement.Definition of(int position, MaterializedStatement statement) {
        return new Statement.OfMaterialized(position, statement);
    }
}
