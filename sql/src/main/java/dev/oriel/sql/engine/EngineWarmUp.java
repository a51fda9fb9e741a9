package dev.oriel.sql.engine;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.List;
import java.util.Map;

/// Compiles a query of a table that no database has. In a fresh JVM most of the time up to the first row goes into
/// finding and linking classes. The compiler's classes can be loaded before the database is open.
final class EngineWarmUp {
    /// Query of the kind that is usually first.
    private static final String QUERY =
            "SELECT b, c FROM t WHERE a = ? AND b > ? ORDER BY b DESC LIMIT 10";

    private EngineWarmUp() {}

    static Compiler.Compiled run() {
        Type text = Type.varchar(0);
        Table table =
                new Table(
                        1,
                        "t",
                        List.of(
                                new Column("a", Type.of(Type.Name.INTEGER), false),
                                new Column("b", text, true),
                                new Column("c", text, true)),
                        List.of(0),
                        List.of(new Index("i", Index.Kind.BTREE, false, List.of(1))));
        return Compiler.compile(QUERY, new Catalog(1, Map.of("T", table)));
    }
}
