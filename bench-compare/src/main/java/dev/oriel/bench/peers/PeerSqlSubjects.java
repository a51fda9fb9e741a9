package dev.oriel.bench.peers;

import static dev.oriel.bench.Durability.ASYNC;
import static dev.oriel.bench.Durability.MEMORY;
import static dev.oriel.bench.Durability.SYNC;
import static dev.oriel.bench.Durability.WRITTEN;

import dev.oriel.bench.Jars;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import dev.oriel.bench.peers.JdbcPeer.Brand;
import dev.oriel.bench.sql.Ending;
import dev.oriel.bench.sql.SqlDialect;
import dev.oriel.bench.sql.Tuning;
import java.util.List;
import java.util.Map;

/// The SQL databases for the JVM, in memory and on disk, set up as their own documents advise. If a documented
/// setting makes one faster at the open-ended query, it takes part a second time with it.
public final class PeerSqlSubjects implements Subjects {
    private static final String LIMIT = "LIMIT 10";
    private static final String INDEX = "INDEX";
    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    /// For the service loader.
    public PeerSqlSubjects() {}

    @Override
    public List<Subject> subjects() {
        return List.of(
                axionMemory("", "BTREE INDEX"),
                axionMemory("-array", "ARRAY INDEX"),
                axionDisk("", "BTREE INDEX"),
                axionDisk("-array", "ARRAY INDEX"),
                h2Memory(),
                lazy(h2Memory()),
                h2Disk(),
                lazy(h2Disk()),
                hsqldbMemory(),
                hsqldbDisk(),
                derbyMemory(),
                derbyDisk(),
                sqliteMemory(),
                sqliteDisk(),
                sqliteExclusive(),
                duckdbMemory(),
                streaming(duckdbMemory()),
                duckdbDisk(),
                streaming(duckdbDisk()));
    }

    private static Brand axion() {
        return new Brand(
                "axion",
                "Axion " + Jars.version("axion"),
                List.of(
                        "org.axiondb.jdbc.AxionDriver",
                        "org.apache.commons.codec.binary.Base64",
                        "org.apache.commons.collections.MapUtils",
                        "org.apache.commons.collections.primitives.IntList",
                        "org.apache.commons.logging.LogFactory",
                        "org.apache.regexp.RE"),
                List.of("-Djdbc.drivers=org.axiondb.jdbc.AxionDriver"),
                LIMIT,
                SqlDialect.STANDARD,
                null);
    }

    private static JdbcPeer axionMemory(String suffix, String index) {
        return new JdbcPeer(
                "axion-memory" + suffix,
                axion(),
                "in memory, " + index + ", else defaults.",
                index,
                Map.of(MEMORY, "jdbc:axiondb:{name}"),
                Ending.SHUTDOWN,
                false);
    }

    private static JdbcPeer axionDisk(String suffix, String index) {
        return new JdbcPeer(
                "axion-disk" + suffix,
                axion(),
                "on disk, "
                        + index
                        + ", else defaults. It has no log; a commit is in its files, the rows synced,"
                        + " their places and the index not: hence WRITTEN.",
                index,
                Map.of(WRITTEN, "jdbc:axiondb:{name}:{folder}"),
                Ending.SHUTDOWN,
                false);
    }

    private static Brand h2() {
        return new Brand(
                "h2",
                "H2 " + Jars.version("h2"),
                List.of("org.h2.Driver"),
                List.of(),
                LIMIT,
                SqlDialect.STANDARD,
                new Tuning(
                        List.of("SET CACHE_SIZE 524288"), // kilobytes
                        List.of(),
                        Tuning.Indexes.BEHIND_ROWS,
                        List.of("ANALYZE"),
                        Tuning.Copy.NONE,
                        Map.of("LOCK_TIMEOUT", "60000")));
    }

    private static JdbcPeer h2Memory() {
        return new JdbcPeer(
                "h2-memory",
                h2(),
                "in memory, defaults (MVStore).",
                INDEX,
                Map.of(MEMORY, "jdbc:h2:mem:{name}"),
                Ending.CLOSE,
                false);
    }

    private static JdbcPeer h2Disk() {
        String url = "jdbc:h2:{folder}/db;MAX_COMPACT_TIME=0";
        return new JdbcPeer(
                "h2-disk",
                h2(),
                "on disk (MVStore), default cache (64 MB per GB, more than the data); not compacted"
                        + " when closed (MAX_COMPACT_TIME=0), which saves it time; for long"
                        + " questions a cache of 512 MB and ANALYZE. WRITTEN:"
                        + " WRITE_DELAY=0, a commit is written at once; ASYNC: its default, within"
                        + " 500 ms.",
                INDEX,
                Map.of(WRITTEN, url + ";WRITE_DELAY=0", ASYNC, url),
                Ending.CLOSE,
                false);
    }

    private static JdbcPeer lazy(JdbcPeer peer) {
        return peer.variant(
                "-lazy",
                ";LAZY_QUERY_EXECUTION=1",
                "LAZY_QUERY_EXECUTION=1: large results are retrieved in chunks, not collected"
                        + " before the first row.");
    }

    private static Brand hsqldb() {
        return new Brand(
                "hsqldb",
                "HSQLDB " + Jars.version("hsqldb"),
                List.of("org.hsqldb.jdbc.JDBCDriver"),
                List.of(),
                LIMIT,
                SqlDialect.STANDARD,
                new Tuning(
                        // Kilobytes and rows; and averages with more digits than their column.
                        List.of(
                                "SET FILES CACHE SIZE 1048576",
                                "SET FILES CACHE ROWS 4000000",
                                "SET DATABASE SQL AVG SCALE 6"),
                        // As its guide advises for imports: a crash loses only the import so far.
                        List.of("SET FILES LOG FALSE"),
                        Tuning.Indexes.BEHIND_ROWS,
                        List.of("CHECKPOINT"),
                        Tuning.Copy.NONE,
                        Map.of("hsqldb.tx", "mvcc")));
    }

    private static JdbcPeer hsqldbMemory() {
        return new JdbcPeer(
                "hsqldb-memory",
                hsqldb(),
                "in memory (MEMORY tables), defaults.",
                INDEX,
                Map.of(MEMORY, "jdbc:hsqldb:mem:{name}"),
                Ending.SHUTDOWN,
                false);
    }

    private static JdbcPeer hsqldbDisk() {
        String url = "jdbc:hsqldb:file:{folder}/db;hsqldb.default_table_type=cached";
        return new JdbcPeer(
                "hsqldb-disk",
                hsqldb(),
                "on disk with CACHED tables, so that data need not fit memory; default cache (50,000"
                        + " rows, more than the table), mapped file; for long questions a cache of"
                        + " 1 GB and 4 million rows, loaded without a log, for many writers hsqldb.tx=mvcc. ASYNC: its"
                        + " default write delay"
                        + " of 500 ms; SYNC: hsqldb.write_delay=false.",
                INDEX,
                Map.of(ASYNC, url, SYNC, url + ";hsqldb.write_delay=false"),
                Ending.SHUTDOWN,
                false);
    }

    private static Brand derby() {
        return new Brand(
                "derby",
                "Derby " + Jars.version("derby"),
                List.of(
                        "org.apache.derby.iapi.jdbc.AutoloadedDriver",
                        "org.apache.derby.shared.common.error.StandardException"),
                List.of("-Dderby.stream.error.field=java.lang.System.err"),
                "FETCH FIRST 10 ROWS ONLY",
                SqlDialect.DERBY,
                new Tuning(
                        List.of(),
                        List.of(),
                        Tuning.Indexes.BEHIND_ROWS,
                        derbyStatistics(),
                        // Blanks around unquoted values are stripped.
                        new Tuning.Copy(
                                "CALL SYSCS_UTIL.SYSCS_IMPORT_TABLE(NULL, '{TABLE}', '{file}',"
                                        + " '|', '\"', 'UTF-8', 0)",
                                true),
                        Map.of()));
    }

    /// Derby gathers statistics when an index is created on a table with rows. For primary keys and for later rows
    /// it does so only on request.
    private static List<String> derbyStatistics() {
        return List.of(
                "CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('APP', 'LINEITEM', NULL)",
                "CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('APP', 'ORDERS', NULL)",
                "CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('APP', 'CUSTOMER', NULL)",
                "CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('APP', 'PART', NULL)",
                "CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('APP', 'PARTSUPP', NULL)",
                "CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('APP', 'SUPPLIER', NULL)");
    }

    private static JdbcPeer derbyMemory() {
        return new JdbcPeer(
                "derby-memory",
                derby(),
                "in memory, defaults.",
                INDEX,
                Map.of(MEMORY, "jdbc:derby:memory:{name};create=true"),
                Ending.CLOSE,
                false);
    }

    private static JdbcPeer derbyDisk() {
        return new JdbcPeer(
                "derby-disk",
                derby(),
                "on disk, default page cache (1,000 pages, more than the data; for long questions"
                        + " 65,536 pages, rows loaded by SYSCS_IMPORT_TABLE, and statistics"
                        + " updated). It has one durable"
                        + " class, SYNC (its log is opened to write through); derby.system.durability=test is not taken, because a"
                        + " database may not recover from it.",
                INDEX,
                Map.of(SYNC, "jdbc:derby:{folder};create=true"),
                Ending.SHUTDOWN_URL,
                false);
    }

    private static Brand sqlite() {
        return new Brand(
                "sqlite",
                "SQLite by sqlite-jdbc " + Jars.version("sqlite-jdbc"),
                List.of("org.sqlite.JDBC"),
                List.of(NATIVE),
                LIMIT,
                SqlDialect.SQLITE,
                new Tuning(
                        List.of("PRAGMA cache_size=-524288", "PRAGMA mmap_size=2147418112"),
                        List.of(),
                        Tuning.Indexes.BEHIND_ROWS,
                        List.of("ANALYZE"),
                        Tuning.Copy.NONE,
                        Map.of(
                                "foreign_keys", "true",
                                "busy_timeout", "60000")));
    }

    private static JdbcPeer sqliteMemory() {
        return new JdbcPeer(
                "sqlite-memory",
                sqlite(),
                "in memory, defaults.",
                INDEX,
                Map.of(MEMORY, "jdbc:sqlite::memory:"),
                Ending.CLOSE,
                false);
    }

    private static JdbcPeer sqliteDisk() {
        String url =
                "jdbc:sqlite:{folder}.sqlite?journal_mode=WAL&mmap_size=268435456"
                        + "&cache_size=-65536&synchronous=";
        return new JdbcPeer(
                "sqlite-disk",
                sqlite(),
                "on disk with journal_mode=WAL, mmap_size=256 MB, cache_size=64 MB; for long"
                        + " questions 2 GB and 512 MB, and ANALYZE; for many writers immediate"
                        + " transactions and foreign keys that are heeded. WRITTEN:"
                        + " synchronous=NORMAL, as its documents advise with WAL; SYNC:"
                        + " synchronous=FULL.",
                INDEX,
                Map.of(WRITTEN, url + "NORMAL", SYNC, url + "FULL"),
                Ending.CLOSE,
                false);
    }

    private static JdbcPeer sqliteExclusive() {
        return sqliteDisk()
                .variant(
                        "-exclusive",
                        "&locking_mode=EXCLUSIVE",
                        "locking_mode=EXCLUSIVE: the file stays locked between transactions, as"
                                + " those of the databases in Java do, and no shared memory is"
                                + " needed.");
    }

    private static Brand duckdb() {
        return new Brand(
                "duckdb",
                "DuckDB " + Jars.version("duckdb_jdbc"),
                List.of("org.duckdb.DuckDBDriver"),
                List.of(NATIVE),
                LIMIT,
                SqlDialect.DUCKDB,
                new Tuning(
                        List.of("SET threads = 1"),
                        List.of(),
                        Tuning.Indexes.NONE,
                        List.of("CHECKPOINT"),
                        new Tuning.Copy(
                                "COPY {table} FROM '{file}' (DELIMITER '|', HEADER false)", false),
                        Map.of()));
    }

    private static JdbcPeer duckdbMemory() {
        return new JdbcPeer(
                "duckdb-memory",
                duckdb(),
                "in memory, defaults.",
                INDEX,
                Map.of(MEMORY, "jdbc:duckdb:"),
                Ending.CLOSE,
                false);
    }

    private static JdbcPeer duckdbDisk() {
        return new JdbcPeer(
                "duckdb-disk",
                duckdb(),
                "on disk, defaults; a commit syncs its log. Rows are inserted by JDBC batches; its"
                        + " Appender is a case of its own elsewhere. Long questions: one thread, no"
                        + " keys and indexes, rows loaded by COPY.",
                INDEX,
                Map.of(SYNC, "jdbc:duckdb:{folder}.duckdb"),
                Ending.CLOSE,
                false);
    }

    private static JdbcPeer streaming(JdbcPeer peer) {
        return peer.variant(
                "-stream",
                ";jdbc_stream_results=true",
                "jdbc_stream_results=true: results are streamed, not collected before the first"
                        + " row.");
    }
}
