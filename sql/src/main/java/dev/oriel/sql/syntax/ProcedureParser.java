package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.FunctionStatement.Signature;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parses the statements about procedures, and DO.
final class ProcedureParser {
    private final TokenReader tokens;
    private final FunctionParser functions;

    ProcedureParser(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.functions = new FunctionParser(tokens, expressions);
    }

    /// Parses a statement about procedures, or DO, if one begins here.
    @Nullable Statement statement() {
        int position = tokens.position();
        if (tokens.atWord(0, "DO")) {
            tokens.take();
            return block(position);
        }
        FunctionStatement.Kind altered = tokens.atWord(0, "ALTER") ? kind() : null;
        if (altered != null) {
            skip(2);
            return new Statement.OfFunction(position, functions.alter(altered));
        }
        ProcedureStatement statement = null;
        if (tokens.peek().is(Keyword.CREATE)) {
            boolean replaces = tokens.peek(1).is(Keyword.OR) && tokens.atWord(2, "REPLACE");
            int word = replaces ? 3 : 1;
            if (tokens.atWord(word, "PROCEDURE")) {
                skip(word + 1);
                statement = functions.createProcedure(replaces);
            }
        } else if (tokens.peek().is(Keyword.DROP)) {
            boolean routine = tokens.atWord(1, "ROUTINE");
            if (routine || tokens.atWord(1, "PROCEDURE")) {
                skip(2);
                statement = drop(routine);
            }
        } else if (tokens.atWord(0, "COMMENT")
                && tokens.peek(1).is(Keyword.ON)
                && tokens.atWord(2, "PROCEDURE")) {
            skip(3);
            statement = comment();
        }
        return statement == null ? null : new Statement.OfProcedure(position, statement);
    }

    /// The kind of routine that the second word names; null if it is something else.
    private FunctionStatement.@Nullable Kind kind() {
        for (FunctionStatement.Kind kind : FunctionStatement.Kind.values()) {
            if (tokens.atWord(1, kind.name())) {
                return kind;
            }
        }
        tokens.expected("FUNCTION");
        tokens.expected("PROCEDURE");
        return null;
    }

    private void skip(int count) {
        for (int i = 0; i < count; i++) {
            tokens.take();
        }
    }

    private Statement block(int position) {
        language();
        Token text = tokens.peek();
        if (text.kind() != Token.Kind.STRING) {
            tokens.expected("a string");
            throw tokens.unexpected();
        }
        tokens.take();
        language();
        return new Statement.Block(position, text.text());
    }

    private void language() {
        if (!tokens.acceptWord("LANGUAGE")) {
            return;
        }
        Token name = tokens.take();
        if (!name.text().equalsIgnoreCase("SQL")) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "DO runs statements of SQL; write them with LANGUAGE SQL");
        }
    }

    private ProcedureStatement drop(boolean routine) {
        boolean ifExists = tokens.accept(Keyword.IF);
        if (ifExists) {
            tokens.expect(Keyword.EXISTS);
        }
        List<Signature> dropped = new ArrayList<>();
        do {
            dropped.add(functions.signature());
        } while (tokens.accept(","));
        boolean cascade = tokens.acceptWord("CASCADE");
        if (!cascade) {
            tokens.acceptWord("RESTRICT");
        }
        return new ProcedureStatement.Drop(ifExists, List.copyOf(dropped), cascade, routine);
    }

    private ProcedureStatement comment() {
        Signature procedure = functions.signature();
        tokens.expect(Keyword.IS);
        Token text = tokens.peek();
        boolean none = tokens.accept(Keyword.NULL);
        if (!none && text.kind() != Token.Kind.STRING) {
            tokens.expected("a string");
            throw tokens.unexpected();
        } else if (!none) {
            tokens.take();
        }
        return new ProcedureStatement.Comment(procedure, none ? null : text.text());
    }
}
