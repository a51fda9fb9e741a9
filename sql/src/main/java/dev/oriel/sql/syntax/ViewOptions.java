package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.View.CheckOption;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The check option of a view: after its query, or in PostgreSQL's options before it, as in
/// `CREATE VIEW v WITH (check_option = local) AS`. Options about privileges have no effect, as there are none.
final class ViewOptions {
    private static final Set<String> OTHER = Set.of("security_barrier", "security_invoker");

    private final TokenReader tokens;
    private @Nullable CheckOption before;

    /// Reads the options before the query, if there are any.
    ViewOptions(TokenReader tokens) {
        this.tokens = tokens;
        if (!tokens.accept(Keyword.WITH)) {
            return;
        }
        tokens.expect("(");
        do {
            option();
        } while (tokens.accept(","));
        tokens.expect(")");
    }

    /// Reads SET or RESET of options without effect, after ALTER VIEW; false if they do not follow.
    static boolean pass(TokenReader tokens) {
        boolean set = tokens.peek().is(Keyword.SET) && tokens.peek(1).isSymbol("(");
        if (!set && !(tokens.atWord(0, "RESET") && tokens.peek(1).isSymbol("("))) {
            return false;
        }
        tokens.take();
        tokens.take();
        do {
            Token option = tokens.take();
            if (!OTHER.contains(option.text().toLowerCase(Locale.ROOT))) {
                throw tokens.error(
                        Kind.NOT_SUPPORTED,
                        option.position(),
                        "Option \""
                                + option.text()
                                + "\" of a view cannot be altered: say CREATE OR REPLACE VIEW");
            }
            if (tokens.accept("=")) {
                tokens.take();
            }
        } while (tokens.accept(","));
        tokens.expect(")");
        return true;
    }

    private void option() {
        Token option = tokens.take();
        String name = option.text().toLowerCase(Locale.ROOT);
        Token value = tokens.accept("=") ? tokens.take() : null;
        String text = value == null ? "true" : value.text().toLowerCase(Locale.ROOT);
        switch (name) {
            case "check_option" -> before = checked(option, text);
            default -> {
                if (!OTHER.contains(name)) {
                    throw tokens.error(
                            Kind.INVALID_PARAMETER,
                            option.position(),
                            "A view has no option \"" + name + "\"; the only one is check_option");
                }
            }
        }
    }

    private CheckOption checked(Token option, String value) {
        return switch (value) {
            case "local" -> CheckOption.LOCAL;
            case "cascaded" -> CheckOption.CASCADED;
            default ->
                    throw tokens.error(
                            Kind.INVALID_PARAMETER,
                            option.position(),
                            "check_option is local or cascaded, not " + value);
        };
    }

    /// Reads the check option after the query, if there is one; returns the view's.
    CheckOption checkOption() {
        Token with = tokens.peek();
        if (!tokens.accept(Keyword.WITH)) {
            return before == null ? CheckOption.NONE : before;
        }
        if (before != null) {
            throw tokens.error(
                    Kind.SYNTAX, with.position(), "The check option is given twice; leave one out");
        }
        boolean local = tokens.acceptWord("LOCAL");
        if (!local) {
            tokens.acceptWord("CASCADED");
        }
        tokens.expectWord("CHECK");
        tokens.expectWord("OPTION");
        return local ? CheckOption.LOCAL : CheckOption.CASCADED;
    }
}
