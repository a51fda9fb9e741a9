package dev.oriel.flyway;

import java.io.IOException;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.parser.Parser;
import org.flywaydb.core.internal.parser.ParserContext;
import org.flywaydb.core.internal.parser.ParsingContext;
import org.flywaydb.core.internal.parser.PeekingReader;
import org.flywaydb.core.internal.parser.Token;
import org.flywaydb.core.internal.parser.TokenType;

/// Splits scripts into statements. In addition to the standard's strings there are dollar-quoted ones, as in
/// `$tag$it's$tag$`.
final class OrielParser extends Parser {
    private static final int PEEK_DEPTH = 3;

    OrielParser(Configuration configuration, ParsingContext context) {
        super(configuration, context, PEEK_DEPTH);
    }

    @Override
    protected char getAlternativeStringLiteralQuote() {
        return '$';
    }

    @Override
    protected Token handleAlternativeStringLiteral(
            PeekingReader reader, ParserContext context, int at, int line, int column)
            throws IOException {
        String tag = (char) reader.read() + reader.readUntilIncluding('$');
        reader.swallowUntilExcluding(tag);
        reader.swallow(tag.length());
        return new Token(TokenType.STRING, at, line, column, null, null, context.getParensDepth());
    }
}
