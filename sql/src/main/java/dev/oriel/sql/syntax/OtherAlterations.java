package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Forms of ALTER TABLE of MySQL and H2.
final class OtherAlterations {
    private final TokenReader tokens;

    OtherAlterations(TokenReader tokens) {
        this.tokens = tokens;
    }

    /// Whether DROP INDEX and a name follow. INDEX alone would be a column.
    boolean dropsIndex() {
        return tokens.peek().is(Keyword.DROP)
                && tokens.peek(1).is(Keyword.INDEX)
                && (tokens.peek(2).isName() || tokens.peek(2).is(Keyword.IF))
                && !tokens.atWord(2, "CASCADE")
                && !tokens.atWord(2, "RESTRICT");
    }

    /// Parses DROP INDEX of the table `table`, whose schema is that of the index.
    Statement.Definition indexOf(int position, Identifier table) {
        tokens.take();
        tokens.take();
        boolean ifExists = tokens.accept(Keyword.IF, Keyword.EXISTS);
        Identifier name = tokens.relation("an index name");
        if (name.schema().isEmpty()) {
            name = new Identifier(name.position(), name.name(), table.schema());
        }
        return new Statement.DropIndex(position, ifExists, List.of(name), false);
    }

    /// Parses SET ON UPDATE or DROP ON UPDATE of `column`.
    Alteration update(Identifier column, ConstraintParser constraints) {
        if (!tokens.accept(Keyword.DROP)) {
            tokens.expect(Keyword.SET);
            return new Alteration.SetUpdate(column, constraints.onUpdate());
        }
        tokens.expect(Keyword.ON);
        tokens.expect(Keyword.UPDATE);
        return new Alteration.SetUpdate(column, null);
    }

    /// Parses DROP of a property of `column`.
    Alteration dropped(Identifier column, ConstraintParser constraints) {
        if (tokens.accept(Keyword.NOT, Keyword.NULL)) {
            return new Alteration.SetNullable(column, true);
        } else if (tokens.acceptWord("IDENTITY")) {
            return new Alteration.DropIdentity(column, tokens.accept(Keyword.IF, Keyword.EXISTS));
        } else if (tokens.acceptWord("EXPRESSION")) {
            return new Alteration.DropExpression(column, tokens.accept(Keyword.IF, Keyword.EXISTS));
        } else if (constraints.fillsNull()) {
            return new Alteration.FillNull(column, false);
        }
        tokens.expected("IDENTITY");
        tokens.expected("EXPRESSION");
        tokens.expectWord("DEFAULT");
        return new Alteration.SetFilling(column, null);
    }

    /// Adds the properties that follow a new type, as in SQL Server and H2: NULL, NOT NULL, DEFAULT and the like.
    void more(List<Alteration> changes, ConstraintParser constraints) {
        Alteration last = changes.getLast();
        boolean ifExists = last instanceof Alteration.IfColumnExists;
        if (last instanceof Alteration.IfColumnExists conditional) {
            last = conditional.change();
        }
        Identifier column =
                switch (last) {
                    case Alteration.ChangeType type -> type.column();
                    case Alteration.SetNullable set ->
                            tokens.atWord(0, "IDENTITY") ? set.column() : null;
                    default -> null;
                };
        if (column == null) {
            return;
        }
        Alteration change = property(column, constraints);
        while (change != null) {
            boolean identity =
                    change instanceof Alteration.SetFilling set
                            && set.filling() instanceof Statement.FillingClause.Identity;
            List<Alteration> all =
                    identity
                            ? List.of(new Alteration.SetNullable(column, false), change)
                            : List.of(change);
            for (Alteration each : all) {
                changes.add(ifExists ? new Alteration.IfColumnExists(column, each) : each);
            }
            change = property(column, constraints);
        }
    }

    private @Nullable Alteration property(Identifier column, ConstraintParser constraints) {
        if (tokens.accept(Keyword.NOT, Keyword.NULL)) {
            return new Alteration.SetNullable(column, false);
        } else if (tokens.accept(Keyword.NULL)) {
            return new Alteration.SetNullable(column, true);
        } else if (constraints.fillsNull()) {
            return new Alteration.FillNull(column, true);
        }
        boolean filling =
                tokens.atWord(0, "DEFAULT")
                        || tokens.atWord(0, "AUTO_INCREMENT")
                        || tokens.atWord(0, "IDENTITY")
                        || tokens.atWord(0, "GENERATED");
        return filling ? new Alteration.SetFilling(column, constraints.filling()) : null;
    }

    /// The rest of RENAME.
    Alteration renamed() {
        if (tokens.accept(Keyword.TO)) {
            return new Alteration.RenameTo(tokens.name("a table name"));
        }
        if (tokens.accept(Keyword.CONSTRAINT)) {
            Identifier name = tokens.name("a constraint name");
            tokens.expect(Keyword.TO);
            return new Alteration.RenameConstraint(name, tokens.name("a constraint name"));
        }
        tokens.acceptWord("COLUMN");
        Identifier column = tokens.name("a column name");
        tokens.expect(Keyword.TO);
        return new Alteration.RenameColumn(column, tokens.name("a column name"));
    }

    /// Accepts FIRST, BEFORE or AFTER and a column; null for the last place.
    Alteration.@Nullable ColumnPlace place() {
        if (tokens.accept(Keyword.FIRST)) {
            return new Alteration.ColumnPlace(null, false);
        }
        boolean after = tokens.acceptWord("AFTER");
        return after || tokens.acceptWord("BEFORE")
                ? new Alteration.ColumnPlace(tokens.name("a column name"), after)
                : null;
    }

    /// Gives the place that may follow to the columns added last, in their order.
    void place(List<Alteration> changes) {
        Alteration.ColumnPlace place = place();
        for (int i = 0; i < changes.size() && place != null; i++) {
            if (changes.get(i) instanceof Alteration.AddColumn add && add.place() == null) {
                changes.set(
                        i,
                        new Alteration.AddColumn(
                                add.ifNotExists(), add.column(), add.constraints(), place));
                boolean before = place.beside() != null && !place.after();
                place = before ? place : new Alteration.ColumnPlace(add.column().name(), true);
            }
        }
    }

    /// Whether the comma after DROP COLUMN, just read, is followed by the name of another column to drop.
    boolean dropsAnother(List<Alteration> changes) {
        Token behind = tokens.peek(1);
        return !changes.isEmpty()
                && changes.getLast() instanceof Alteration.DropColumn
                && tokens.peek().isName()
                && (behind.isSymbol(",")
                        || behind.isSymbol(";")
                        || behind.kind() == Token.Kind.END);
    }
}
