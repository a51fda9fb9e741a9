package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.List;

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
