package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TableConstraint.CheckDefinition;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Parses CREATE, ALTER and DROP of types and domains.
final class TypeStatementParser {
    private static final String ATTRIBUTE = "an attribute name";

    private final TokenReader tokens;
    private final ConstraintParser constraints;

    TypeStatementParser(TokenReader tokens, ConstraintParser constraints) {
        this.tokens = tokens;
        this.constraints = constraints;
    }

    TypeStatement create(int position) {
        if (tokens.acceptWord("DOMAIN")) {
            if (!tokens.acceptWords("IF", "NOT")) {
                return domain(position);
            }
            tokens.expect(Keyword.EXISTS);
            TypeStatement.CreateDomain created = domain(position);
            return new TypeStatement.Conditional(position, created.name(), false, created);
        }
        tokens.expectWord("TYPE");
        Identifier name = tokens.relation("a type name");
        boolean as = tokens.accept(Keyword.AS);
        if (as && tokens.peek().isSymbol("(")) {
            return composite(position, name);
        }
        if (!as || !tokens.acceptWord("ENUM")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    tokens.position(),
                    "Types are enumerations (AS ENUM), composite types (AS (...)) and domains, not"
                            + " ranges or types with functions of their own");
        }
        tokens.expect("(");
        List<Identifier> labels = new ArrayList<>();
        if (!tokens.accept(")")) {
            do {
                labels.add(label());
            } while (tokens.accept(","));
            tokens.expect(")");
        }
        return new TypeStatement.CreateEnum(position, name, List.copyOf(labels));
    }

    private TypeStatement composite(int position, Identifier name) {
        List<TypeStatement.NewAttribute> attributes = new ArrayList<>();
        tokens.expect("(");
        if (!tokens.accept(")")) {
            do {
                attributes.add(attribute());
            } while (tokens.accept(","));
            tokens.expect(")");
        }
        return new TypeStatement.CreateComposite(position, name, List.copyOf(attributes));
    }

    private TypeStatement.NewAttribute attribute() {
        Identifier name = tokens.name(ATTRIBUTE);
        return new TypeStatement.NewAttribute(name, constraints.type(name));
    }

    private TypeStatement.AttributeChange attributeChange() {
        if (tokens.acceptWords("ADD", "ATTRIBUTE")) {
            return new TypeStatement.AttributeChange.Add(attribute());
        }
        if (tokens.accept(Keyword.DROP)) {
            tokens.expectWord("ATTRIBUTE");
            boolean ifExists = tokens.acceptWords("IF", "EXISTS");
            return new TypeStatement.AttributeChange.Drop(tokens.name(ATTRIBUTE), ifExists);
        }
        tokens.expected("ADD");
        tokens.expectWord("ALTER");
        tokens.expectWord("ATTRIBUTE");
        Identifier name = tokens.name(ATTRIBUTE);
        if (tokens.accept(Keyword.SET)) {
            tokens.expectWord("DATA");
        }
        tokens.expectWord("TYPE");
        return new TypeStatement.AttributeChange.Retype(
                new TypeStatement.NewAttribute(name, constraints.type(name)));
    }

    private TypeStatement attributeChanges(int position, Identifier name) {
        List<TypeStatement.AttributeChange> changes = new ArrayList<>();
        do {
            changes.add(attributeChange());
            boolean _ = cascade(); // no tables are made of types
        } while (tokens.accept(","));
        return new TypeStatement.AlterAttributes(position, name, List.copyOf(changes));
    }

    private Identifier label() {
        Token token = tokens.peek();
        if (token.kind() != Token.Kind.STRING) {
            tokens.expected("a label in quotes");
            throw tokens.unexpected();
        }
        tokens.take();
        return new Identifier(token.position(), token.text());
    }

    private TypeStatement.CreateDomain domain(int position) {
        Identifier name = tokens.relation("a domain name");
        tokens.accept(Keyword.AS);
        Type base = constraints.type();
        boolean required = false;
        boolean decided = false;
        FillingClause.Default filling = null;
        List<CheckDefinition> checks = new ArrayList<>();
        while (true) {
            int start = tokens.position();
            Identifier constraint = constraints.name();
            if (tokens.atWord(0, "CHECK")) {
                checks.add(constraints.check(start, constraint));
            } else if (tokens.acceptWords("NOT", "NULL") || tokens.accept(Keyword.NULL)) {
                boolean now =
                        tokens.textFrom(start).strip().toUpperCase(Locale.ROOT).contains("NOT");
                if (decided && now != required) {
                    throw tokens.error(Kind.SYNTAX, start, "A domain is either NULL or NOT NULL");
                }
                required = now;
                decided = true;
            } else if (constraint == null && tokens.atWord(0, "DEFAULT")) {
                if (filling != null) {
                    throw tokens.error(Kind.SYNTAX, start, "The domain has two defaults");
                }
                filling = (FillingClause.Default) constraints.filling();
            } else if (constraint != null) {
                tokens.expected("CHECK");
                throw tokens.unexpected();
            } else {
                return new TypeStatement.CreateDomain(
                        position, name, base, required, filling, List.copyOf(checks));
            }
        }
    }

    TypeStatement alter(int position) {
        if (tokens.acceptWord("DOMAIN")) {
            return alterDomain(position);
        }
        tokens.expectWord("TYPE");
        Identifier name = tokens.relation("a type name");
        if (tokens.acceptWord("RENAME")) {
            if (tokens.acceptWord("VALUE")) {
                Identifier from = label();
                tokens.expect(Keyword.TO);
                return new TypeStatement.RenameLabel(position, name, from, label());
            }
            if (tokens.acceptWord("ATTRIBUTE")) {
                Identifier from = tokens.name(ATTRIBUTE);
                tokens.expect(Keyword.TO);
                Identifier to = tokens.name(ATTRIBUTE);
                boolean _ = cascade();
                return new TypeStatement.AlterAttributes(
                        position,
                        name,
                        List.of(new TypeStatement.AttributeChange.Rename(from, to)));
            }
            return renamed(position, false, name);
        }
        boolean attribute = tokens.atWord(1, "ATTRIBUTE");
        if (attribute) {
            return attributeChanges(position, name);
        }
        tokens.expected("RENAME");
        tokens.expectWord("ADD");
        tokens.expectWord("VALUE");
        boolean ifNotExists = tokens.acceptWords("IF", "NOT");
        if (ifNotExists) {
            tokens.expectWord("EXISTS");
        }
        Identifier label = label();
        boolean before = tokens.acceptWord("BEFORE");
        Identifier neighbour = before || tokens.acceptWord("AFTER") ? label() : null;
        return new TypeStatement.AddLabel(position, name, ifNotExists, label, neighbour, before);
    }

    private TypeStatement renamed(int position, boolean domain, Identifier name) {
        tokens.expect(Keyword.TO);
        return new TypeStatement.RenameType(position, domain, name, tokens.name("a type name"));
    }

    private TypeStatement alterDomain(int position) {
        boolean ifExists = tokens.acceptWords("IF", "EXISTS");
        Identifier name = tokens.relation("a domain name");
        TypeStatement altered = alterDomain(position, name);
        return ifExists ? new TypeStatement.Conditional(position, name, true, altered) : altered;
    }

    private TypeStatement alterDomain(int position, Identifier name) {
        if (tokens.acceptWord("RENAME")) {
            if (!tokens.accept(Keyword.CONSTRAINT)) {
                return renamed(position, true, name);
            }
            Identifier from = tokens.name("a constraint name");
            tokens.expect(Keyword.TO);
            return new TypeStatement.RenameDomainCheck(
                    position, name, from, tokens.name("a constraint name"));
        }
        if (tokens.acceptWord("ADD")) {
            int start = tokens.position();
            return new TypeStatement.AddDomainCheck(
                    position, name, constraints.check(start, constraints.name()));
        }
        if (tokens.accept(Keyword.SET)) {
            if (tokens.atWord(0, "DEFAULT")) {
                return new TypeStatement.SetDomainDefault(
                        position, name, (FillingClause.Default) constraints.filling());
            }
            return required(position, name, true);
        }
        tokens.expected("RENAME");
        tokens.expected("ADD");
        tokens.expected("SET");
        tokens.expect(Keyword.DROP);
        if (tokens.acceptWord("DEFAULT")) {
            return new TypeStatement.SetDomainDefault(position, name, null);
        }
        if (!tokens.accept(Keyword.CONSTRAINT)) {
            return required(position, name, false);
        }
        boolean ifExists = tokens.acceptWords("IF", "EXISTS");
        Identifier check = tokens.name("a constraint name");
        boolean _ = cascade(); // nothing depends on a check
        return new TypeStatement.DropDomainCheck(position, name, ifExists, check);
    }

    private TypeStatement required(int position, Identifier name, boolean required) {
        tokens.expect(Keyword.NOT);
        tokens.expect(Keyword.NULL);
        return new TypeStatement.SetDomainRequired(position, name, required);
    }

    TypeStatement drop(int position) {
        boolean domain = tokens.take().text().equalsIgnoreCase("DOMAIN");
        boolean ifExists = tokens.acceptWords("IF", "EXISTS");
        List<Identifier> names = new ArrayList<>();
        do {
            names.add(tokens.relation("a type name"));
        } while (tokens.accept(","));
        ifExists = ifExists || tokens.acceptWords("IF", "EXISTS");
        return new TypeStatement.DropTypes(
                position, domain, ifExists, List.copyOf(names), cascade());
    }

    private boolean cascade() {
        if (tokens.acceptWord("CASCADE")) {
            return true;
        }
        tokens.acceptWord("RESTRICT");
        return false;
    }
}
