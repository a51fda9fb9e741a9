import org.jspecify.annotations.NullMarked;

/// SQL over tables: lexer, parser, binder, planner, execution.
@NullMarked
module dev.oriel.sql {
    requires static transitive org.jspecify;
    requires transitive dev.oriel.table;
    requires dev.oriel.profiler;

    exports dev.oriel.sql;
    exports dev.oriel.sql.engine;
    exports dev.oriel.sql.dump;
}
