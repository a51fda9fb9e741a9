package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.GraphElement.GraphEnd;
import dev.oriel.sql.syntax.GraphElement.GraphProperties;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parses the rest of CREATE PROPERTY GRAPH, as defined by SQL:2023:
///
/// ```
/// name [VERTEX TABLES (element, ...)] [EDGE TABLES (element SOURCE end DESTINATION end ..., ...)]
/// element: table [AS name] [KEY (columns)] ... [LABEL name] [properties]
/// end:     [KEY (columns) REFERENCES] name of a vertex table [(columns)]
/// properties: NO PROPERTIES | PROPERTIES [ARE] ALL COLUMNS [EXCEPT (columns)] | PROPERTIES (column [AS name], ...)
/// ```
final class GraphParser {
    private final TokenReader tokens;
    private final QueryParser queries;

    GraphParser(TokenReader tokens, QueryParser queries) {
        this.tokens = tokens;
        this.queries = queries;
    }

    Statement.CreateGraph create(int position, boolean replace, boolean ifNotExists) {
        Identifier name = tokens.relation("a graph name");
        List<GraphElement> vertices = List.of();
        List<GraphElement> edges = List.of();
        if (tokens.acceptWord("VERTEX") || tokens.acceptWord("NODE")) {
            vertices = elements(false);
        }
        if (tokens.acceptWord("EDGE") || tokens.acceptWord("RELATIONSHIP")) {
            edges = elements(true);
        } else if (vertices.isEmpty()) {
            tokens.expected("VERTEX TABLES");
            tokens.expected("EDGE TABLES");
        }
        return new Statement.CreateGraph(position, replace, ifNotExists, name, vertices, edges);
    }

    private List<GraphElement> elements(boolean edges) {
        tokens.expectWord("TABLES");
        tokens.expect("(");
        List<GraphElement> elements = new ArrayList<>();
        do {
            elements.add(element(edges));
        } while (tokens.accept(","));
        tokens.expect(")");
        return elements;
    }

    private GraphElement element(boolean edge) {
        Identifier table = tokens.relation("a table name");
        Identifier alias = tokens.accept(Keyword.AS) ? tokens.name("a name for the table") : table;
        List<Identifier> key = tokens.accept(Keyword.KEY) ? columns() : List.of();
        GraphEnd source = null;
        GraphEnd target = null;
        if (edge) {
            tokens.expectWord("SOURCE");
            source = end();
            tokens.expectWord("DESTINATION");
            target = end();
        }
        Identifier label = alias;
        if (tokens.acceptWord("LABEL")) {
            label = tokens.name("a label");
        } else if (!tokens.acceptWords("DEFAULT", "LABEL")) {
            tokens.expected("LABEL");
        }
        return new GraphElement(table, alias, key, source, target, label, properties());
    }

    private List<Identifier> columns() {
        List<Identifier> columns = queries.columns();
        if (columns.isEmpty()) {
            throw tokens.unexpected();
        }
        return columns;
    }

    private GraphEnd end() {
        int position = tokens.position();
        List<Identifier> own = List.of();
        if (tokens.accept(Keyword.KEY)) {
            own = columns();
            tokens.expectWord("REFERENCES");
        }
        Identifier vertex = tokens.name("a vertex table");
        List<Identifier> referred = own.isEmpty() ? List.of() : queries.columns();
        return new GraphEnd(position, own, vertex, referred);
    }

    private @Nullable GraphProperties properties() {
        if (tokens.acceptWords("NO", "PROPERTIES")) {
            return new GraphProperties.Listed(List.of(), List.of());
        }
        if (!tokens.acceptWord("PROPERTIES")) {
            tokens.expected("PROPERTIES");
            return null;
        }
        boolean are = tokens.acceptWord("ARE");
        if (tokens.accept(Keyword.ALL)) {
            tokens.expectWord("COLUMNS");
            boolean except = tokens.accept(Keyword.EXCEPT);
            return new GraphProperties.All(except ? columns() : List.of());
        }
        if (are) {
            throw tokens.unexpected();
        }
        tokens.expect("(");
        List<Identifier> columns = new ArrayList<>();
        List<Identifier> names = new ArrayList<>();
        do {
            Identifier column = tokens.name("a column name");
            columns.add(column);
            names.add(tokens.accept(Keyword.AS) ? tokens.name("a property name") : column);
        } while (tokens.accept(","));
        tokens.expect(")");
        return new GraphProperties.Listed(columns, names);
    }
}
