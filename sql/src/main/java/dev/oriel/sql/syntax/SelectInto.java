package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// SELECT ... INTO table FROM ...: PostgreSQL's older form of CREATE TABLE ... AS. It is parsed as the query
/// without INTO, whose rows fill the table.
final class SelectInto {
    private final TokenReader query;
    private final Statement.Identifier table;
    private final boolean temporary;

    private SelectInto(TokenReader query, Statement.Identifier table, boolean temporary) {
        this.query = query;
        this.table = table;
        this.temporary = temporary;
    }

    /// Parses the statement from its first token; null if it is not a SELECT ... INTO.
    static @Nullable SelectInto of(TokenReader tokens) {
        int into = find(tokens.all());
        if (into < 0) {
            return null;
        }
        List<Token> behind = tokens.all().subList(into + 1, tokens.all().size());
        TokenReader target = new TokenReader(tokens.source(), behind);
        boolean temporary = target.acceptWord("TEMPORARY") || target.acceptWord("TEMP");
        if (!temporary) {
            target.acceptWord("UNLOGGED");
        }
        target.accept(Keyword.TABLE);
        Statement.Identifier name = target.relation("a table name");
        List<Token> left = new ArrayList<>(tokens.all().subList(0, into));
        for (Token token : behind) {
            if (token.position() >= target.position()) {
                left.add(token);
            }
        }
        TokenReader query = tokens.of(List.copyOf(left));
        return new SelectInto(query, name, temporary);
    }

    /// Index of the outermost SELECT's INTO, before its FROM; -1 if there is none.
    private static int find(List<Token> tokens) {
        boolean select = false;
        int depth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            if (depth > 0 || token.kind() != Token.Kind.WORD) {
                continue;
            }
            if (token.is(Keyword.SELECT)) {
                select = true;
            } else if (token.is(Keyword.INTO)) {
                return select ? i : -1;
            } else if (!select) {
                if (!token.is(Keyword.WITH) && i == 0) {
                    return -1; // another statement
                }
            } else if (token.is(Keyword.FROM) && !tokens.get(i - 1).is(Keyword.DISTINCT)) {
                return -1;
            }
        }
        return -1;
    }

    /// The query without INTO.
    TokenReader query() {
        return query;
    }

    /// The definition of the table for `statement`, parsed from [#query].
    Statement table(Statement statement) {
        if (!(statement instanceof Statement.Query rows)) {
            throw query.error(
                    Kind.SYNTAX,
                    table.position(),
                    "INTO needs a query; write SELECT ... INTO a table");
        }
        return new Statement.CreateTableAs(
                rows.position(),
                false,
                table,
                List.of(),
                rows,
                false,
                temporary ? Statement.OnCommit.PRESERVE : null,
                null);
    }
}
