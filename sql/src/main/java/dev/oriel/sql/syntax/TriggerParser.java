package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Trigger.Timing;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses the statements about triggers. Texts of conditions and bodies are kept as they are written.
final class TriggerParser {
    private final TokenReader tokens;
    private final ExpressionParser expressions;

    private String oldRow = "";
    private String newRow = "";
    private String oldTable = "";
    private String newTable = "";

    TriggerParser(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /// Parses a statement about triggers, if one begins here.
    @Nullable TriggerStatement statement() {
        if (tokens.peek().is(Keyword.CREATE)) {
            return create();
        } else if (tokens.peek().is(Keyword.DROP)) {
            return tokens.atWord(1, "TRIGGER") ? drop() : null;
        } else if (tokens.atWord(0, "ALTER")) {
            return tokens.atWord(1, "TRIGGER") ? rename() : enable();
        }
        boolean comment =
                tokens.atWord(0, "COMMENT")
                        && tokens.peek(1).is(Keyword.ON)
                        && tokens.atWord(2, "TRIGGER");
        return comment ? comment() : null;
    }

    private @Nullable TriggerStatement create() {
        boolean replaces = tokens.peek(1).is(Keyword.OR) && tokens.atWord(2, "REPLACE");
        int word = replaces ? 3 : 1;
        if (tokens.peek(word).is(Keyword.CONSTRAINT) && tokens.atWord(word + 1, "TRIGGER")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    tokens.peek(word).position(),
                    "Triggers are not deferred; write CREATE TRIGGER ... AFTER, which fires at the"
                            + " end of the statement");
        } else if (!tokens.atWord(word, "TRIGGER")) {
            return null;
        }
        skip(word + 1);
        boolean ifNotExists = tokens.accept(Keyword.IF);
        if (ifNotExists) {
            tokens.expect(Keyword.NOT);
            tokens.expect(Keyword.EXISTS);
        }
        Identifier name = tokens.name("a trigger name");
        Timing timing = timing();
        Set<Event> events = EnumSet.noneOf(Event.class);
        List<Identifier> columns = new ArrayList<>();
        do {
            events.add(event(columns));
        } while (tokens.accept(Keyword.OR));
        tokens.expect(Keyword.ON);
        Identifier on = tokens.relation("a table name");
        if (tokens.acceptWord("REFERENCING")) {
            referencing();
        }
        boolean perRow = perRow();
        String when = tokens.accept(Keyword.WHEN) ? condition() : null;
        return new TriggerStatement.Create(
                replaces,
                ifNotExists,
                name,
                on,
                timing,
                events,
                List.copyOf(columns),
                perRow,
                new Trigger.Names(oldRow, newRow, oldTable, newTable),
                when,
                body(tokens));
    }

    private void skip(int count) {
        for (int i = 0; i < count; i++) {
            tokens.take();
        }
    }

    private Timing timing() {
        if (tokens.acceptWord("BEFORE")) {
            return Timing.BEFORE;
        } else if (tokens.acceptWord("AFTER")) {
            return Timing.AFTER;
        }
        tokens.expected("BEFORE");
        tokens.expected("AFTER");
        tokens.expectWord("INSTEAD");
        tokens.expectWord("OF");
        return Timing.INSTEAD;
    }

    private Event event(List<Identifier> columns) {
        if (tokens.accept(Keyword.INSERT)) {
            return Event.INSERT;
        } else if (tokens.accept(Keyword.DELETE)) {
            return Event.DELETE;
        } else if (tokens.accept(Keyword.TRUNCATE)) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    tokens.position(),
                    "TRUNCATE fires no triggers; leave it out, and use DELETE to fire them");
        }
        tokens.expected("INSERT");
        tokens.expected("DELETE");
        tokens.expect(Keyword.UPDATE);
        if (tokens.acceptWord("OF")) {
            do {
                columns.add(tokens.name("a column name"));
            } while (tokens.accept(","));
        }
        return Event.UPDATE;
    }

    private void referencing() {
        boolean more = true;
        while (more) {
            Token version = tokens.peek();
            boolean old = tokens.acceptWord("OLD") || tokens.acceptWord("OLD_TABLE");
            if (!old && !tokens.acceptWord("NEW_TABLE")) {
                tokens.expected("OLD");
                tokens.expectWord("NEW");
            }
            boolean table =
                    version.text().toUpperCase(Locale.ROOT).endsWith("_TABLE")
                            || tokens.accept(Keyword.TABLE);
            if (!table) {
                tokens.acceptWord("ROW");
            }
            tokens.accept(Keyword.AS);
            String name = tokens.name("a name").name();
            if (table && old) {
                oldTable = once(oldTable, name, version);
            } else if (table) {
                newTable = once(newTable, name, version);
            } else if (old) {
                oldRow = once(oldRow, name, version);
            } else {
                newRow = once(newRow, name, version);
            }
            tokens.accept(",");
            more =
                    tokens.atWord(0, "OLD")
                            || tokens.atWord(0, "NEW")
                            || tokens.atWord(0, "OLD_TABLE")
                            || tokens.atWord(0, "NEW_TABLE");
        }
    }

    private String once(String before, String name, Token version) {
        if (!before.isEmpty()) {
            throw tokens.error(
                    Kind.SYNTAX,
                    version.position(),
                    "REFERENCING gives a row or table two names; leave out one of them");
        }
        return name;
    }

    private boolean perRow() {
        if (!tokens.accept(Keyword.FOR)) {
            return false;
        }
        tokens.acceptWord("EACH");
        if (tokens.acceptWord("ROW")) {
            return true;
        }
        tokens.expected("ROW");
        tokens.expectWord("STATEMENT");
        return false;
    }

    private String condition() {
        tokens.expect("(");
        int from = tokens.position();
        int before = expressions.parameters();
        expressions.expression();
        if (expressions.parameters() > before) {
            throw tokens.error(Kind.SYNTAX, from, "A definition cannot have parameters");
        }
        String text = tokens.textFrom(from);
        tokens.expect(")");
        return text;
    }

    /// The text of a body: one statement, or those between BEGIN ATOMIC and END with these words.
    static String body(TokenReader tokens) {
        int from = tokens.position();
        boolean other =
                tokens.atWord(0, "CALL")
                        && !tokens.peek(2).isSymbol("(")
                        && !tokens.peek(2).isSymbol(".");
        if (other || tokens.peek().is(Keyword.AS)) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    from,
                    "A trigger runs SQL, no class; register a Java function, and write EXECUTE"
                            + " FUNCTION with its arguments");
        }
        boolean block = tokens.peek().is(Keyword.BEGIN);
        int open = block ? 1 : 0;
        if (block) {
            tokens.take();
            tokens.expectWord("ATOMIC");
        }
        while (open > 0 || (!tokens.peek().isSymbol(";") && !isEnd(tokens))) {
            if (isEnd(tokens)) {
                tokens.expected("END");
                throw tokens.unexpected();
            }
            Token token = tokens.take();
            open += token.is(Keyword.CASE) ? 1 : token.is(Keyword.END) ? -1 : 0;
            if (block && open == 0) {
                break;
            }
            open = block ? open : 0;
        }
        String text = tokens.textFrom(from);
        if (text.isEmpty()) {
            tokens.expected("a statement");
            throw tokens.unexpected();
        }
        return text;
    }

    private static boolean isEnd(TokenReader tokens) {
        return tokens.peek().kind() == Token.Kind.END;
    }

    private boolean ifExists() {
        boolean found = tokens.accept(Keyword.IF);
        if (found) {
            tokens.expect(Keyword.EXISTS);
        }
        return found;
    }

    private TriggerStatement drop() {
        skip(2);
        boolean ifExists = ifExists();
        Identifier name = tokens.name("a trigger name");
        Identifier on = on();
        if (!tokens.acceptWord("CASCADE")) {
            tokens.acceptWord("RESTRICT"); // nothing depends on a trigger
        }
        return new TriggerStatement.Drop(ifExists, name, on);
    }

    private @Nullable Identifier on() {
        return tokens.accept(Keyword.ON) ? tokens.relation("a table name") : null;
    }

    private TriggerStatement rename() {
        skip(2);
        boolean ifExists = ifExists();
        Identifier name = tokens.name("a trigger name");
        Identifier on = on();
        tokens.expectWord("RENAME");
        tokens.expect(Keyword.TO);
        return new TriggerStatement.Rename(ifExists, name, on, tokens.name("a trigger name"));
    }

    private @Nullable TriggerStatement enable() {
        int word = afterTable();
        boolean enabled = tokens.atWord(word, "ENABLE");
        int trigger =
                tokens.atWord(word + 1, "ALWAYS") || tokens.atWord(word + 1, "REPLICA")
                        ? word + 2
                        : word + 1;
        if ((!enabled && !tokens.atWord(word, "DISABLE")) || !tokens.atWord(trigger, "TRIGGER")) {
            return null;
        } else if (tokens.atWord(word + 1, "REPLICA")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    tokens.peek(word + 1).position(),
                    "There are no replicas; write ENABLE TRIGGER");
        }
        skip(2);
        boolean ifExists = ifExists();
        Identifier on = tokens.relation("a table name");
        skip(trigger - word + 1);
        boolean all = tokens.acceptWord("ALL") || tokens.acceptWord("USER");
        Identifier name = all ? null : tokens.name("a trigger name");
        return new TriggerStatement.Enable(ifExists, on, name, enabled);
    }

    /// The distance to the word behind the name in ALTER TABLE; 0 if there is none.
    private int afterTable() {
        if (!tokens.peek(1).is(Keyword.TABLE)) {
            return 0;
        }
        int name = tokens.peek(2).is(Keyword.IF) ? 4 : 2;
        return tokens.peek(name + 1).isSymbol(".") ? name + 3 : name + 1;
    }

    private TriggerStatement comment() {
        skip(3);
        Identifier name = tokens.name("a trigger name");
        Identifier on = on();
        tokens.expect(Keyword.IS);
        Token text = tokens.peek();
        boolean none = tokens.accept(Keyword.NULL);
        if (!none && text.kind() != Token.Kind.STRING) {
            tokens.expected("a string");
            throw tokens.unexpected();
        } else if (!none) {
            tokens.take();
        }
        return new TriggerStatement.Comment(name, on, none ? null : text.text());
    }
}
