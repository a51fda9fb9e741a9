package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import java.util.ArrayList;
import java.util.List;

/// Parses CREATE, ALTER and DROP SCHEMA, and SET SCHEMA. AUTHORIZATION and OWNER TO are ignored: there are no
/// roles.
final class SchemaParser {
    private static final String SCHEMA = "SCHEMA";
    private static final String AUTHORIZATION = "AUTHORIZATION";

    private final TokenReader tokens;
    private final DefinitionParser definitions;

    SchemaParser(TokenReader tokens, DefinitionParser definitions) {
        this.tokens = tokens;
        this.definitions = definitions;
    }

    /// Parses the rest of CREATE SCHEMA.
    Statement.Definition create(int position) {
        boolean ifNotExists = tokens.accept(Keyword.IF, Keyword.NOT);
        if (ifNotExists) {
            tokens.expect(Keyword.EXISTS);
        }
        Identifier name;
        if (tokens.acceptWord(AUTHORIZATION)) {
            name = tokens.name("the name of a role"); // also the schema's name
        } else {
            name = tokens.name("a schema name");
            if (tokens.acceptWord(AUTHORIZATION)) {
                tokens.name("the name of a role");
            }
        }
        List<Statement.Definition> elements = new ArrayList<>();
        int element = tokens.position();
        while (tokens.accept(Keyword.CREATE)) {
            if (ifNotExists) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED,
                        element,
                        "CREATE SCHEMA IF NOT EXISTS creates nothing in the schema: leave out IF NOT"
                                + " EXISTS, or say it in other statements");
            }
            elements.add(definitions.create(element));
            element = tokens.position();
        }
        SchemaStatement create =
                new SchemaStatement.Create(ifNotExists, name, List.copyOf(elements));
        return new Statement.OfSchema(position, create);
    }

    /// Parses the rest of DROP SCHEMA.
    Statement.Definition drop(int position) {
        boolean ifExists = tokens.accept(Keyword.IF, Keyword.EXISTS);
        List<Identifier> names = new ArrayList<>();
        do {
            names.add(tokens.name("a schema name"));
        } while (tokens.accept(","));
        ifExists = ifExists || tokens.accept(Keyword.IF, Keyword.EXISTS);
        boolean cascade = tokens.acceptWord("CASCADE");
        if (!cascade) {
            tokens.acceptWord("RESTRICT");
        }
        return new Statement.OfSchema(
                position, new SchemaStatement.Drop(ifExists, List.copyOf(names), cascade));
    }

    /// Parses the rest of ALTER SCHEMA.
    Statement.Definition alter(int position) {
        Identifier name = tokens.name("a schema name");
        Identifier to = null;
        if (tokens.acceptWord("RENAME")) {
            tokens.expect(Keyword.TO);
            to = tokens.name("a schema name");
        } else {
            if (!Roles.passOwner(tokens)) {
                tokens.expected("OWNER");
                throw tokens.unexpected();
            }
        }
        return new Statement.OfSchema(position, new SchemaStatement.Alter(name, to));
    }

    /// Parses SET SCHEMA for `name`.
    Statement.Definition move(
            int position, SchemaStatement.Kind kind, boolean ifExists, Identifier name) {
        tokens.expect(Keyword.SET);
        tokens.expectWord(SCHEMA);
        Identifier to = tokens.name("a schema name");
        return new Statement.OfSchema(position, new SchemaStatement.Move(kind, ifExists, name, to));
    }
}
