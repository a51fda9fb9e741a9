package dev.oriel.cli.migration;

import java.util.List;

/// The queries of [Losses] for PostgreSQL.
final class PostgresqlLosses {
    private static final String TABLES =
            """
            WITH t AS (SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?)
            """;

    static final Losses ALL =
            new Losses(
                    List.of(
                            TABLES
                                    + """
                                    SELECT CASE relkind WHEN 'm' THEN 'materialized view ' ELSE 'foreign table ' END
                                        || relname, CASE relkind WHEN 'm' THEN 'create it by its query'
                                        ELSE 'there are none here' END FROM t WHERE relkind IN ('m', 'f')
                                    UNION ALL SELECT 'partition ' || t.relname, 'its rows are those of ' || p.relname
                                    FROM t JOIN pg_inherits i ON i.inhrelid = t.oid JOIN pg_class p ON p.oid = i.inhparent
                                    WHERE t.relispartition AND t.relkind IN ('r', 'p')
                                    UNION ALL SELECT 'inheritance of ' || t.relname || ' from ' || p.relname,
                                        'each is a table of its own here, with its own rows'
                                    FROM t JOIN pg_inherits i ON i.inhrelid = t.oid JOIN pg_class p ON p.oid = i.inhparent
                                    WHERE NOT t.relispartition AND t.relkind = 'r'
                                    UNION ALL SELECT 'exclusion constraint ' || k.conname || ' of ' || t.relname,
                                        'there are none here: ' || pg_get_constraintdef(k.oid)
                                    FROM t JOIN pg_constraint k ON k.conrelid = t.oid WHERE k.contype = 'x'
                                    UNION ALL SELECT 'trigger ' || g.tgname || ' of ' || t.relname, 'there are none here'
                                    FROM t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal
                                    UNION ALL SELECT 'rule ' || r.rulename || ' of ' || t.relname, 'there are none here'
                                    FROM t JOIN pg_rewrite r ON r.ev_class = t.oid WHERE r.rulename <> '_RETURN'
                                    UNION ALL SELECT 'row security of ' || relname, 'there is none here'
                                    FROM t WHERE relrowsecurity
                                    UNION ALL SELECT 'policy ' || p.polname || ' of ' || t.relname, 'there are none here'
                                    FROM t JOIN pg_policy p ON p.polrelid = t.oid
                                    UNION ALL SELECT 'rights on ' || relname, 'there are no users here'
                                    FROM t WHERE relacl IS NOT NULL
                                    UNION ALL SELECT 'rights on ' || t.relname || '.' || a.attname, 'there are no users here'
                                    FROM t JOIN pg_attribute a ON a.attrelid = t.oid WHERE a.attacl IS NOT NULL
                                    UNION ALL SELECT 'comment on ' || t.relname, d.description FROM t
                                    JOIN pg_description d ON d.objoid = t.oid AND d.classoid = 'pg_class'::regclass
                                    WHERE t.relkind NOT IN ('r', 'p')
                                    UNION ALL SELECT 'comment on constraint ' || k.conname, d.description
                                    FROM t JOIN pg_constraint k ON k.conrelid = t.oid
                                    JOIN pg_description d ON d.objoid = k.oid AND d.classoid = 'pg_constraint'::regclass
                                    """,
                            """
                            SELECT 'function ' || p.proname, 'there are none here'
                            FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ?
                            AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
                            UNION ALL SELECT 'type ' || y.typname, 'there are none of its kind here'
                            FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace
                            LEFT JOIN pg_class c ON c.oid = y.typrelid
                            WHERE n.nspname = ? AND (y.typtype = 'r' OR y.typtype = 'c' AND c.relkind = 'c')
                            UNION ALL SELECT 'comment on type ' || y.typname, d.description
                            FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace
                            JOIN pg_description d ON d.objoid = y.oid AND d.classoid = 'pg_type'::regclass
                            WHERE n.nspname = ? AND y.typtype IN ('e', 'd', 'c', 'r')
                            UNION ALL SELECT 'extension ' || extname, 'there are none here'
                            FROM pg_extension WHERE extname <> 'plpgsql'
                            UNION ALL SELECT 'large objects', COUNT(*) || ', to which numbers refer'
                            FROM pg_largeobject_metadata HAVING COUNT(*) > 0
                            UNION ALL SELECT DISTINCT 'schema ' || n.nspname, 'import it by itself, with --schema'
                            FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid WHERE n.nspname <> ?
                            AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'\
                            """),
                    List.of(
                            TABLES
                                    + """
                                    SELECT 'column ' || t.relname || '.' || a.attname,
                                        'texts compare by their code points here, not by the collation ' || c.collname
                                    FROM t JOIN pg_attribute a ON a.attrelid = t.oid JOIN pg_type y ON y.oid = a.atttypid
                                    JOIN pg_collation c ON c.oid = a.attcollation
                                    WHERE a.attnum > 0 AND a.attcollation <> y.typcollation
                                    AND t.relkind IN ('r', 'p') AND c.collname NOT IN ('C', 'POSIX')
                                    UNION ALL SELECT 'unique index ' || i.relname || ' of ' || t.relname,
                                        'NULLs are distinct here, so several rows may have them'
                                    FROM t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
                                    WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition
                                    AND pg_get_indexdef(x.indexrelid) LIKE '% NULLS NOT DISTINCT%'
                                    UNION ALL SELECT 'constraint ' || k.conname || ' of ' || t.relname,
                                        'it is tested at the end of each statement'
                                    FROM t JOIN pg_constraint k ON k.conrelid = t.oid WHERE k.condeferrable
                                    AND (k.contype IN ('p', 'u') OR k.contype = 'f' AND NOT k.condeferred)
                                    UNION ALL SELECT 'foreign key ' || k.conname || ' of ' || t.relname,
                                        'it does not hold if one of its columns is NULL'
                                    FROM t JOIN pg_constraint k ON k.conrelid = t.oid WHERE k.confmatchtype = 'f'
                                    UNION ALL SELECT 'foreign key ' || k.conname || ' of ' || t.relname,
                                        'ON DELETE sets all of its columns'
                                    FROM t JOIN pg_constraint k ON k.conrelid = t.oid
                                    WHERE k.contype = 'f' AND pg_get_constraintdef(k.oid) ~ 'SET (NULL|DEFAULT) \\('
                                    """,
                            """
                            SELECT 'database', 'texts compare by their code points here, not by the collation ' || datcollate
                            FROM pg_database WHERE datname = current_database()
                            AND datcollate NOT IN ('C', 'POSIX', 'C.UTF-8', 'C.utf8')\
                            """));

    private PostgresqlLosses() {}
}
