package dev.oriel.bench.sql;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Jars;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Oriel accessed by JDBC.
///
/// @param index `BTREE` or `ARRAY`
public record OrielSqlSubject(String name, String index, Set<Durability> durabilities)
        implements SqlSubject {
    private static final Tuning TUNING =
            new Tuning(
                    List.of(),
                    List.of("BEGIN BULK"),
                    Tuning.Indexes.BEFORE_ROWS,
                    List.of("COMMIT", "ANALYZE"),
                    new Tuning.Copy("COPY {table} FROM '{file}' (DELIMITER '|')", false),
                    Map.of());

    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        return "Oriel "
                + Jars.version("oriel")
                + (inMemory() ? " in memory, " : " on disk, ")
                + index
                + " index; defaults, but for the durability a case names (WRITTEN for queries). Long"
                + " questions: a bulk load (BEGIN BULK) by COPY, and ANALYZE.";
    }

    @Override
    public String url(Path folder, Durability durability) {
        return inMemory()
                ? "jdbc:oriel:mem:" + folder.getFileName()
                : "jdbc:oriel:"
                        + folder
                        + "?durability="
                        + durability.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public List<String> classes() {
        return List.of(
                "dev.oriel.OrielDriver",
                "dev.oriel.sql.engine.Sql",
                "dev.oriel.kv.Buckets",
                "dev.oriel.table.engine.Tables",
                "dev.oriel.store.engine.Store",
                "dev.oriel.io.StorageFile",
                "dev.oriel.profiler.Probe");
    }

    @Override
    public Tuning tuning() {
        return TUNING;
    }

    @Override
    public boolean general() {
        return !inMemory() && index.equals("BTREE");
    }

    @Override
    public String createIndex(String name, String table, String column) {
        return "CREATE " + index + " INDEX " + name + " ON " + table + " (" + column + ")";
    }
}
