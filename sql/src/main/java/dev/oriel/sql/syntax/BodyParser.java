package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Parses the body of a trigger or a routine: one statement, or several with semicolons between them, with or without
/// BEGIN [ATOMIC] and END around them.
public final class BodyParser {
    private static final String USUAL_STATE = "45000";

    private final SqlText source;
    private final UserTypes types;
    private final Predicate<String> aggregates;

    /// Whether CALL is of this procedure, by its name as [Identifier#path].
    private final Predicate<String> procedures;

    /// @param types that users have defined
    /// @param aggregates tells the names of aggregates in Java
    /// @param procedures tells the names of procedures of SQL
    public BodyParser(
            SqlText source,
            UserTypes types,
            Predicate<String> aggregates,
            Predicate<String> procedures) {
        this.source = source;
        this.types = types;
        this.aggregates = aggregates;
        this.procedures = procedures;
    }

    /// The statements in order.
    public List<BodyStatement> statements() {
        List<Token> all = Lexer.tokens(source);
        int from = 0;
        int to = all.size() - 1;
        if (all.getFirst().is(Keyword.BEGIN)) {
            boolean atomic = all.get(1).text().equalsIgnoreCase("ATOMIC");
            from = atomic ? 2 : 1;
            to = lastEnd(all);
        }
        List<BodyStatement> statements = new ArrayList<>();
        List<Token> piece = new ArrayList<>();
        for (int i = from; i < to; i++) {
            Token token = all.get(i);
            if (!token.isSymbol(";")) {
                piece.add(numbered(token));
                continue;
            }
            add(piece, token.position(), statements);
            piece.clear();
        }
        add(piece, all.get(to).position(), statements);
        return List.copyOf(statements);
    }

    /// The place of the END that closes the body.
    private int lastEnd(List<Token> all) {
        int last = all.size() - 2;
        while (last > 0 && all.get(last).isSymbol(";")) {
            last--;
        }
        if (!all.get(last).is(Keyword.END)) {
            throw source.error(
                    Kind.SYNTAX, all.get(last).position(), "BEGIN has no END; write it at the end");
        }
        return last;
    }

    /// A parameter `$1` is a name.
    private static Token numbered(Token token) {
        return token.kind() == Token.Kind.PARAMETER && token.text().startsWith("$")
                ? new Token(Token.Kind.QUOTED, token.text(), token.position(), null)
                : token;
    }

    private void add(List<Token> piece, int end, List<BodyStatement> into) {
        if (!piece.isEmpty()) {
            List<Token> own = new ArrayList<>(piece);
            own.add(new Token(Token.Kind.END, "", end, null));
            into.add(statement(own));
        }
    }

    private BodyStatement statement(List<Token> tokens) {
        TokenReader reader = new TokenReader(source, tokens, types);
        if (reader.accept(Keyword.SET)) {
            return assign(reader);
        } else if (reader.acceptWord("SIGNAL")) {
            return signal(reader, tokens.getFirst().position());
        } else if (reader.acceptWord("EXECUTE")) {
            boolean function = reader.acceptWord("FUNCTION");
            if (!function) {
                reader.expected("FUNCTION");
                reader.expectWord("PROCEDURE");
            }
            return called(reader, tokens, 2, !function);
        } else if (reader.acceptWord("CALL")) {
            return called(reader, tokens, 1, true);
        }
        return run(tokens);
    }

    private BodyStatement run(List<Token> tokens) {
        Parser.Parsed parsed = Parser.parse(new TokenReader(source, tokens, types), aggregates);
        Statement statement = parsed.statement();
        if (parsed.parameters() > 0) {
            throw source.error(
                    Kind.SYNTAX,
                    statement.position(),
                    "A body has no parameters but its own; write their names");
        }
        boolean runs =
                statement instanceof Statement.Query
                        || (statement instanceof Statement.RowChange
                                && !(statement instanceof Statement.CopyFrom));
        if (!runs) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    statement.position(),
                    "A body runs queries, changes of rows, SET, CALL and SIGNAL; send other"
                            + " statements by themselves");
        }
        return new BodyStatement.Run(statement);
    }

    private BodyStatement assign(TokenReader reader) {
        ExpressionParser expressions = Parser.expressions(reader, aggregates);
        List<BodyStatement.Target> targets = new ArrayList<>();
        do {
            Identifier first = reader.name("a name");
            Identifier name = reader.accept(".") ? reader.name("a column name") : null;
            reader.expect("=");
            targets.add(
                    new BodyStatement.Target(
                            name == null ? null : first,
                            name == null ? first : name,
                            expressions.expression()));
        } while (reader.accept(","));
        end(reader);
        return new BodyStatement.Assign(List.copyOf(targets));
    }

    private BodyStatement signal(TokenReader reader, int position) {
        String state = USUAL_STATE;
        if (reader.acceptWord("SQLSTATE")) {
            reader.acceptWord("VALUE");
            Token text = reader.peek();
            if (text.kind() != Token.Kind.STRING) {
                reader.expected("a string");
                throw reader.unexpected();
            }
            state = reader.take().text();
            if (!state.matches("[0-9A-Z]{5}") || state.startsWith("00")) {
                throw source.error(
                        Kind.SYNTAX,
                        text.position(),
                        "An SQLSTATE has five digits or capital letters, and does not begin with"
                                + " 00; write '45000'");
            }
        }
        Expression message = null;
        if (reader.accept(Keyword.SET)) {
            reader.expectWord("MESSAGE_TEXT");
            reader.expect("=");
            message = Parser.expressions(reader, aggregates).expression();
        }
        end(reader);
        return new BodyStatement.Signal(position, state, message);
    }

    /// A call; its first `words` tokens precede the name.
    private BodyStatement called(
            TokenReader reader, List<Token> tokens, int words, boolean procedure) {
        Identifier name = procedure ? reader.relation("a procedure name") : null;
        if (name != null && procedures.test(name.path())) {
            List<Expression> arguments = new ArrayList<>();
            reader.expect("(");
            if (!reader.peek().isSymbol(")")) {
                arguments.addAll(
                        Parser.expressions(reader, aggregates).primaries().argumentsOf(name));
            }
            reader.expect(")");
            end(reader);
            return new BodyStatement.Call(name, List.copyOf(arguments));
        }
        if (words == 1) {
            return run(tokens);
        }
        List<Token> query = new ArrayList<>(tokens.subList(words, tokens.size()));
        query.addFirst(
                new Token(Token.Kind.WORD, "SELECT", tokens.getFirst().position(), Keyword.SELECT));
        return run(query);
    }

    private static void end(TokenReader reader) {
        if (reader.peek().kind() != Token.Kind.END) {
            reader.expected("the end of the statement");
            throw reader.unexpected();
        }
    }
}
