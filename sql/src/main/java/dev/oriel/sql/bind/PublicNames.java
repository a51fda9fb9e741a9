package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.Catalog;
import java.util.List;

/// Names that a statement qualifies with PUBLIC. The parser forgets the schema, so a temporary table of the same name
/// would be read in the place of the permanent one: such a statement is refused.
final class PublicNames {
    private static final String SCHEMA = "PUBLIC";

    private PublicNames() {}

    /// @throws SqlException if a temporary table, view or sequence of the session hides one of the names
    static void check(SqlText source, List<Token> tokens, Catalog catalog) {
        String temporary = catalog.temporary();
        for (int i = 0; !temporary.isEmpty() && i + 2 < tokens.size(); i++) {
            Token name = tokens.get(i + 2);
            if (tokens.get(i).isName()
                    && tokens.get(i).text().equalsIgnoreCase(SCHEMA)
                    && tokens.get(i + 1).isSymbol(".")
                    && name.isName()
                    && catalog.holds(temporary, name.text())) {
                throw source.error(
                        Kind.NOT_SUPPORTED,
                        name.position(),
                        "A temporary table of the session hides \""
                                + name.text()
                                + "\" of PUBLIC; drop or rename the temporary one");
            }
        }
    }
}
