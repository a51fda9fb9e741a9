package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Parses the body of a table definition: column definitions, constraints and sequence options.
final class ConstraintParser {
    private final TokenReader tokens;
    private final TypeParser types;
    private final ExpressionParser expressions;

    /// The table that is defined, to which REFERENCES without a name refers as in H2; null if there is none.
    private @Nullable Identifier table;

    ConstraintParser(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.types = new TypeParser(tokens);
        this.expressions = expressions;
    }

    /// Sets the table that is defined.
    void of(Identifier name) {
        table = name;
    }

    Type type() {
        return types.type();
    }

    /// Parses the type of the column `name`.
    Type type(Identifier name) {
        Type type = types.type();
        if (tokens.atWord(0, "UNSIGNED") || tokens.atWord(0, "ZEROFILL")) {
            throw tokens.error(
                    SqlException.Kind.NOT_SUPPORTED,
                    tokens.position(),
                    "Numbers have a sign: take a wider type, and CHECK (" + name.name() + " >= 0)");
        }
        return type;
    }

    /// A table constraint, written after the columns; null if the next token begins none.
    @Nullable TableConstraint constraint() {
        int position = tokens.position();
        @Nullable Identifier name = name();
        TableConstraint found = null;
        if (tokens.accept(Keyword.PRIMARY)) {
            tokens.expect(Keyword.KEY);
            found = key(position, name, true, Index.Nulls.DISTINCT, names());
        } else if (tokens.accept(Keyword.UNIQUE)) {
            Index.Nulls nulls = nulls();
            found = key(position, name, false, nulls, names());
        } else if (tokens.atWord(0, "CHECK") && (name != null || tokens.peek(1).isSymbol("("))) {
            found = check(position, name);
        } else if (tokens.atWord(0, "FOREIGN") && tokens.peek(1).is(Keyword.KEY)) {
            tokens.take();
            tokens.take();
            List<Identifier> columns = names();
            tokens.expectWord("REFERENCES");
            found = references(position, name, columns);
        } else if (name != null) {
            tokens.expected("CHECK");
            tokens.expected("FOREIGN KEY");
            throw tokens.unexpected();
        }
        return found;
    }

    /// A key, with the time of its test if that follows.
    private TableConstraint.KeyDefinition key(
            int position,
            @Nullable Identifier name,
            boolean primary,
            Index.Nulls nulls,
            List<Identifier> columns) {
        Timing timing = new Timing();
        int start = tokens.position();
        while (timing.accept()) {
            tokens.expected("the end of the constraint");
        }
        boolean deferred = timing.deferral() == ForeignKey.Deferral.INITIALLY_DEFERRED;
        if (deferred && (primary || nulls != Index.Nulls.DISTINCT)) {
            throw tokens.error(
                    SqlException.Kind.NOT_SUPPORTED,
                    start,
                    (primary ? "Primary keys" : "Keys with equal NULLs")
                            + " are tested at the end of each statement, not at the commit: leave"
                            + " out INITIALLY DEFERRED");
        }
        return new TableConstraint.KeyDefinition(position, name, primary, nulls, columns, deferred);
    }

    /// NULLS [NOT, ALL] DISTINCT, if it follows.
    Index.Nulls nulls() {
        Index.Nulls nulls = Index.Nulls.DISTINCT;
        if (!tokens.accept(Keyword.NULLS)) {
            return nulls;
        }
        if (tokens.accept(Keyword.ALL)) {
            nulls = Index.Nulls.ALL_DISTINCT;
        } else if (tokens.accept(Keyword.NOT)) {
            nulls = Index.Nulls.NOT_DISTINCT;
        }
        tokens.expect(Keyword.DISTINCT);
        return nulls;
    }

    @Nullable Identifier name() {
        return tokens.accept(Keyword.CONSTRAINT) ? tokens.name("a constraint name") : null;
    }

    TableConstraint.CheckDefinition check(int position, @Nullable Identifier name) {
        tokens.expectWord("CHECK");
        boolean enclosed = tokens.accept("("); // H2 needs no parentheses
        int start = tokens.position();
        Expression condition = constant();
        String text = tokens.textFrom(start);
        if (enclosed) {
            tokens.expect(")");
        }
        tokens.acceptWords("NO", "INHERIT"); // no table inherits
        return new TableConstraint.CheckDefinition(position, name, condition, text);
    }

    /// An expression stored in a definition, which cannot have parameters.
    private Expression constant() {
        int position = tokens.position();
        int before = expressions.parameters();
        Expression expression = expressions.expression();
        if (expressions.parameters() > before) {
            throw tokens.error(
                    SqlException.Kind.SYNTAX, position, "A definition cannot have parameters");
        }
        return expression;
    }

    private TableConstraint.ForeignKeyDefinition references(
            int position, @Nullable Identifier name, List<Identifier> columns) {
        Identifier own = table;
        Identifier parent =
                own != null && tokens.peek().isSymbol("(") ? own : tokens.relation("a table name");
        List<Identifier> parentColumns = tokens.peek().isSymbol("(") ? names() : List.of();
        ForeignKey.Action onDelete = ForeignKey.Action.NO_ACTION;
        ForeignKey.Action onUpdate = ForeignKey.Action.NO_ACTION;
        Timing timing = new Timing();
        boolean full = false;
        List<Identifier> deleted = List.of();
        while (true) {
            if (tokens.acceptWord("MATCH")) {
                full = tokens.accept(Keyword.FULL);
                if (!full) {
                    tokens.expectWord("SIMPLE");
                }
            } else if (tokens.accept(Keyword.ON)) {
                if (tokens.accept(Keyword.DELETE)) {
                    onDelete = action();
                    boolean sets =
                            onDelete == ForeignKey.Action.SET_NULL
                                    || onDelete == ForeignKey.Action.SET_DEFAULT;
                    deleted = sets && tokens.peek().isSymbol("(") ? names() : List.of();
                } else {
                    tokens.expect(Keyword.UPDATE);
                    onUpdate = action();
                }
            } else if (!timing.accept()) {
                return new TableConstraint.ForeignKeyDefinition(
                        position,
                        name,
                        columns,
                        parent,
                        parentColumns,
                        onDelete,
                        onUpdate,
                        timing.deferral(),
                        full,
                        deleted);
            }
        }
    }

    /// The time of a foreign key's test.
    ForeignKey.Deferral deferral() {
        Timing timing = new Timing();
        while (timing.accept()) {
            tokens.expected("the end of the statement");
        }
        return timing.deferral();
    }

    /// DEFERRABLE and INITIALLY of a key, each at most once, in any order.
    private final class Timing {
        private @Nullable Boolean deferrable;
        private @Nullable Boolean deferred;

        boolean accept() {
            int position = tokens.position();
            boolean never = tokens.acceptWords("NOT", "DEFERRABLE");
            if (never || tokens.acceptWord("DEFERRABLE")) {
                check(deferrable == null, position, "DEFERRABLE may be given once");
                deferrable = !never;
                tokens.expected("INITIALLY");
            } else if (tokens.acceptWord("INITIALLY")) {
                check(deferred == null, position, "INITIALLY may be given once");
                deferred = tokens.acceptWord("DEFERRED");
                if (!deferred) {
                    tokens.expectWord("IMMEDIATE");
                }
            } else {
                return false;
            }
            check(
                    !(Boolean.FALSE.equals(deferrable) && Boolean.TRUE.equals(deferred)),
                    position,
                    "A constraint that is INITIALLY DEFERRED is DEFERRABLE; leave NOT DEFERRABLE"
                            + " out");
            return true;
        }

        private void check(boolean right, int position, String message) {
            if (!right) {
                throw tokens.error(SqlException.Kind.SYNTAX, position, message);
            }
        }

        ForeignKey.Deferral deferral() {
            if (Boolean.TRUE.equals(deferred)) {
                return ForeignKey.Deferral.INITIALLY_DEFERRED;
            }
            return Boolean.TRUE.equals(deferrable)
                    ? ForeignKey.Deferral.INITIALLY_IMMEDIATE
                    : ForeignKey.Deferral.NOT_DEFERRABLE;
        }
    }

    private ForeignKey.Action action() {
        if (tokens.acceptWord("NO")) {
            tokens.expectWord("ACTION");
            return ForeignKey.Action.NO_ACTION;
        } else if (tokens.acceptWord("RESTRICT")) {
            return ForeignKey.Action.RESTRICT;
        } else if (tokens.acceptWord("CASCADE")) {
            return ForeignKey.Action.CASCADE;
        }
        tokens.expected("NO ACTION");
        tokens.expected("RESTRICT");
        tokens.expected("CASCADE");
        tokens.expect(Keyword.SET);
        if (tokens.accept(Keyword.NULL)) {
            return ForeignKey.Action.SET_NULL;
        }
        tokens.expectWord("DEFAULT");
        return ForeignKey.Action.SET_DEFAULT;
    }

    /// A column definition; its constraints are added to `constraints`.
    Statement.ColumnDefinition column(List<TableConstraint> constraints) {
        Identifier name = tokens.name("a column name");
        int start = tokens.position();
        boolean identity = tokens.atWord(0, "IDENTITY");
        Type.@Nullable Name serial = serial();
        Type type = serial == null ? type(name) : Type.of(serial);
        FillingClause filling =
                serial == null
                        ? null
                        : new FillingClause.Identity(
                                start, false, identity ? parenthesised() : SequenceOptions.NONE);
        return options(name, type, filling, constraints);
    }

    /// The options of a column of a partition, whose type is that of its table.
    Statement.ColumnDefinition options(Identifier name, List<TableConstraint> constraints) {
        return options(name, Type.of(Type.Name.CLOB), null, constraints);
    }

    /// @param serial the filling of a SERIAL column, else null
    private Statement.ColumnDefinition options(
            Identifier name,
            Type type,
            @Nullable FillingClause serial,
            List<TableConstraint> constraints) {
        FillingClause filling = serial;
        boolean nullable = serial == null;
        boolean decided = serial != null;
        String comment = null;
        FillingClause.Default update = null;
        boolean fillsNull = false;
        Identifier sequence = null;
        Column.Role role = Column.Role.PLAIN;
        while (true) {
            int position = tokens.position();
            if (tokens.atWord(0, "COMMENT")) {
                comment = comment();
                continue;
            } else if (tokens.peek().is(Keyword.ON) && tokens.peek(1).is(Keyword.UPDATE)) {
                update = onUpdate();
                continue;
            } else if (fillsNull()) {
                fillsNull = true;
                sequence =
                        tokens.acceptWord("SEQUENCE") ? tokens.relation("a sequence name") : null;
                continue;
            } else if (tokens.peek().is(Keyword.ROW)) {
                role = role();
                continue;
            }
            @Nullable Identifier constraint = name();
            if (tokens.accept(Keyword.NOT, Keyword.NULL)) {
                checkUndecided(decided && nullable, position, name);
                nullable = false;
                decided = true;
            } else if (tokens.accept(Keyword.NULL)) {
                checkUndecided(decided && !nullable, position, name);
                decided = true;
            } else if (constraint == null && atFilling()) {
                checkUnfilled(filling, position, name);
                filling = type.name() == Type.Name.BOOLEAN ? truth(filling()) : filling();
                if (filling instanceof FillingClause.Identity) {
                    checkUndecided(decided && nullable, position, name);
                    nullable = false;
                    decided = true;
                }
            } else if (!constrained(position, constraint, name, constraints)) {
                if (update != null && filling instanceof FillingClause.Generated) {
                    throw tokens.error(
                            SqlException.Kind.NOT_SUPPORTED,
                            update.position(),
                            "A generated column is computed at each change; leave ON UPDATE out");
                }
                return new Statement.ColumnDefinition(
                        name, type, nullable, filling, comment, update, fillsNull, sequence, role);
            }
        }
    }

    /// Parses ROW EXPIRY or ROW VERSION.
    private Column.Role role() {
        tokens.expect(Keyword.ROW);
        if (tokens.acceptWord("EXPIRY")) {
            return Column.Role.EXPIRY;
        }
        tokens.expected("EXPIRY");
        tokens.expectWord("VERSION");
        return Column.Role.VERSION;
    }

    /// Accepts DEFAULT ON NULL, or its older form in H2.
    boolean fillsNull() {
        if (tokens.acceptWord("NULL_TO_DEFAULT")) {
            return true;
        }
        boolean follows =
                tokens.atWord(0, "DEFAULT")
                        && tokens.peek(1).is(Keyword.ON)
                        && tokens.peek(2).is(Keyword.NULL);
        if (follows) {
            tokens.take();
            tokens.take();
            tokens.take();
        }
        return follows;
    }

    /// Parses `ON UPDATE expression`, as in MySQL and H2.
    FillingClause.Default onUpdate() {
        int position = tokens.position();
        tokens.expect(Keyword.ON);
        tokens.expect(Keyword.UPDATE);
        int start = tokens.position();
        Expression expression = constant();
        return new FillingClause.Default(position, expression, tokens.textFrom(start));
    }

    /// The text after COMMENT; null for NULL and an empty text.
    private @Nullable String comment() {
        tokens.take();
        if (tokens.accept(Keyword.NULL)) {
            return null;
        }
        Token text = tokens.peek();
        if (text.kind() != Token.Kind.STRING) {
            tokens.expected("a string");
            throw tokens.unexpected();
        }
        tokens.take();
        return text.text().isEmpty() ? null : text.text();
    }

    /// `column`, which can have neither a comment nor a role where it stands.
    Statement.ColumnDefinition uncommented(Statement.ColumnDefinition column) {
        if (column.comment() != null) { // ON UPDATE may stand there
            throw tokens.error(
                    SqlException.Kind.NOT_SUPPORTED,
                    column.name().position(),
                    "Here a column has no COMMENT; write COMMENT ON COLUMN after the statement");
        } else if (column.role() != Column.Role.PLAIN) {
            throw tokens.error(
                    SqlException.Kind.NOT_SUPPORTED,
                    column.name().position(),
                    "ROW EXPIRY and ROW VERSION are for columns of CREATE TABLE; create another"
                            + " table and copy the rows");
        }
        return column;
    }

    /// `filling` of a BOOLEAN column: DEFAULT 0 and DEFAULT 1, as scripts for BIT have them, are FALSE and TRUE.
    private static FillingClause truth(FillingClause filling) {
        if (filling instanceof FillingClause.Default(int position, Expression.Literal literal, _)
                && literal.kind() == Expression.Literal.Kind.INTEGER
                && (literal.text().equals("0") || literal.text().equals("1"))) {
            String text = literal.text().equals("1") ? "TRUE" : "FALSE";
            return new FillingClause.Default(
                    position,
                    new Expression.Literal(
                            literal.position(), Expression.Literal.Kind.BOOLEAN, text),
                    text);
        }
        return filling;
    }

    private boolean constrained(
            int position,
            @Nullable Identifier constraint,
            Identifier column,
            List<TableConstraint> constraints) {
        List<Identifier> own = List.of(column);
        if (tokens.accept(Keyword.PRIMARY)) {
            tokens.expect(Keyword.KEY);
            constraints.add(key(position, constraint, true, Index.Nulls.DISTINCT, own));
        } else if (tokens.accept(Keyword.UNIQUE)) {
            constraints.add(key(position, constraint, false, nulls(), own));
        } else if (tokens.atWord(0, "CHECK")) {
            constraints.add(check(position, constraint));
        } else if (tokens.acceptWord("REFERENCES")) {
            constraints.add(references(position, constraint, own));
        } else if (constraint != null) {
            tokens.expected("CHECK");
            tokens.expected("REFERENCES");
            throw tokens.unexpected();
        } else {
            return false;
        }
        return true;
    }

    /// The type that SERIAL and its variants stand for; null if the next token is another type.
    private Type.@Nullable Name serial() {
        Token token = tokens.peek();
        Type.Name name =
                token.kind() != Token.Kind.WORD
                        ? null
                        : switch (token.text().toUpperCase(Locale.ROOT)) {
                            case "SERIAL", "SERIAL4" -> Type.Name.INTEGER;
                            case "BIGSERIAL", "SERIAL8", "IDENTITY" -> Type.Name.BIGINT;
                            case "SMALLSERIAL", "SERIAL2" -> Type.Name.SMALLINT;
                            default -> null;
                        };
        if (name != null) {
            tokens.take();
        }
        return name;
    }

    private void checkUndecided(boolean contradiction, int position, Identifier column) {
        if (contradiction) {
            throw tokens.error(
                    SqlException.Kind.SYNTAX,
                    position,
                    "Column \"" + column.name() + "\" is declared both NULL and NOT NULL");
        }
    }

    private void checkUnfilled(@Nullable FillingClause before, int position, Identifier column) {
        if (before != null) {
            throw tokens.error(
                    SqlException.Kind.SYNTAX,
                    position,
                    "Column \"" + column.name() + "\" has more than one DEFAULT or GENERATED");
        }
    }

    private boolean atFilling() {
        return tokens.atWord(0, "DEFAULT")
                || tokens.atWord(0, "GENERATED")
                || tokens.atWord(0, "AUTO_INCREMENT")
                || tokens.atWord(0, "IDENTITY")
                || (tokens.peek().is(Keyword.AS) && !tokens.peek(1).is(Keyword.SELECT));
    }

    /// DEFAULT, GENERATED and the like.
    FillingClause filling() {
        int position = tokens.position();
        if (tokens.acceptWord("DEFAULT")) {
            int start = tokens.position();
            Expression expression = constant();
            return new FillingClause.Default(position, expression, tokens.textFrom(start));
        }
        if (tokens.acceptWord("AUTO_INCREMENT")) {
            return new FillingClause.Identity(position, false, SequenceOptions.NONE);
        }
        if (tokens.acceptWord("IDENTITY")) {
            return new FillingClause.Identity(position, false, parenthesised());
        }
        boolean always = true;
        if (tokens.acceptWord("GENERATED")) {
            always = tokens.acceptWord("ALWAYS");
            if (!always) {
                tokens.expect(Keyword.BY);
                tokens.expectWord("DEFAULT");
            }
        }
        tokens.expect(Keyword.AS);
        if (tokens.acceptWord("IDENTITY")) {
            return new FillingClause.Identity(position, always, parenthesised());
        }
        if (!always) {
            tokens.expected("IDENTITY");
            throw tokens.unexpected();
        }
        boolean enclosed = tokens.accept("("); // H2 and SQL Server need no parentheses
        int start = tokens.position();
        Expression expression = constant();
        String text = tokens.textFrom(start);
        if (enclosed) {
            tokens.expect(")");
        }
        if (tokens.acceptWord("VIRTUAL")) {
            throw tokens.error(
                    SqlException.Kind.NOT_SUPPORTED,
                    position,
                    "Generated columns are STORED; VIRTUAL ones are not supported");
        }
        tokens.acceptWord("STORED");
        return new FillingClause.Generated(position, expression, text);
    }

    private SequenceOptions parenthesised() {
        if (!tokens.accept("(")) {
            return SequenceOptions.NONE;
        }
        boolean numbers = tokens.peek().kind() == Token.Kind.INTEGER || tokens.peek().isSymbol("-");
        SequenceOptions options =
                numbers ? seeded() : new SequenceParser(tokens, types, true).options();
        tokens.expect(")");
        return options;
    }

    /// The first number of IDENTITY, and perhaps the distance of the next ones, as in SQL Server and H2.
    private SequenceOptions seeded() {
        long start = tokens.integer("a number");
        Long increment = tokens.accept(",") ? (Long) tokens.integer("a number") : null;
        return new SequenceOptions(null, start, increment, null, null, null, null, null, null);
    }

    /// The options after the name of a sequence.
    SequenceOptions options() {
        return new SequenceParser(tokens, types, false).options();
    }

    /// The options of an identity column that ALTER TABLE changes, each behind SET or RESTART. The first SET is read.
    SequenceOptions alteredOptions() {
        return new SequenceParser(tokens, types, false).altered();
    }

    /// Names of columns in parentheses.
    List<Identifier> names() {
        List<Identifier> names = new ArrayList<>();
        tokens.expect("(");
        do {
            names.add(tokens.name("a column name"));
        } while (tokens.accept(","));
        tokens.expect(")");
        return names;
    }
}
