import org.jspecify.annotations.NullMarked;

/// SQL over tables: lexer, parser, binder, planner, execution. For Oriel's own modules, which are compiled after
/// this one; the API is that of `dev.oriel` and JDBC.
@NullMarked
@SuppressWarnings("module")
module dev.oriel.sql {
    requires static transitive org.jspecify;
    requires transitive dev.oriel.table;
    requires dev.oriel.profiler;

    exports dev.oriel.sql to
            dev.oriel,
            dev.oriel.cli,
            dev.oriel.studio;
    exports dev.oriel.sql.engine to
            dev.oriel,
            dev.oriel.cli,
            dev.oriel.studio;
    exports dev.oriel.sql.dump to
            dev.oriel;
}
