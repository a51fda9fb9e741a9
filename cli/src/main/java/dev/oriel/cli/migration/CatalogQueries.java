package dev.oriel.cli.migration;

/// Queries of a product's catalog for its own types and for the numbers of identity columns. Each parameter of a
/// query is the schema. A query is empty if the product has no such thing.
///
/// @param identities table, column, whether ALWAYS, next number, increment, minimum, maximum, whether it cycles.
///     For PostgreSQL also the sequence, which alone knows its next number
/// @param labels of enumerations: the type's name, a label
/// @param domains name, the base domain, default, whether NOT NULL
/// @param conditions of domains: the domain's name, the constraint's name, the condition
/// @param typed columns of these types: table, column, the type's name
/// @param drawn columns that draw from a shared sequence: table, column, sequence
record CatalogQueries(
        String identities,
        String labels,
        String domains,
        String conditions,
        String typed,
        String drawn) {
    private static final String DOMAIN_CHECKS =
            """
            SELECT d.DOMAIN_NAME, d.CONSTRAINT_NAME, c.CHECK_CLAUSE
            FROM INFORMATION_SCHEMA.DOMAIN_CONSTRAINTS d JOIN INFORMATION_SCHEMA.CHECK_CONSTRAINTS c
            ON c.CONSTRAINT_SCHEMA = d.CONSTRAINT_SCHEMA AND c.CONSTRAINT_NAME = d.CONSTRAINT_NAME
            WHERE d.DOMAIN_SCHEMA = ?\
            """;

    private static final CatalogQueries H2 =
            new CatalogQueries(
                    """
                    SELECT TABLE_NAME, COLUMN_NAME, IDENTITY_GENERATION, IDENTITY_BASE, IDENTITY_INCREMENT,
                        IDENTITY_MINIMUM, IDENTITY_MAXIMUM, IDENTITY_CYCLE
                    FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ? AND IS_IDENTITY = 'YES'\
                    """,
                    """
                    SELECT CASE e.OBJECT_TYPE WHEN 'DOMAIN' THEN e.OBJECT_NAME
                        ELSE c.TABLE_NAME || '_' || c.COLUMN_NAME END, e.VALUE_NAME
                    FROM INFORMATION_SCHEMA.ENUM_VALUES e LEFT JOIN INFORMATION_SCHEMA.COLUMNS c
                    ON c.TABLE_SCHEMA = e.OBJECT_SCHEMA AND c.TABLE_NAME = e.OBJECT_NAME
                    AND c.DTD_IDENTIFIER = e.ENUM_IDENTIFIER AND e.OBJECT_TYPE = 'TABLE'
                    WHERE e.OBJECT_SCHEMA = ? AND c.DOMAIN_NAME IS NULL
                    AND (e.OBJECT_TYPE = 'DOMAIN' OR c.TABLE_NAME IS NOT NULL) ORDER BY 1, e.VALUE_ORDINAL\
                    """,
                    """
                    SELECT DOMAIN_NAME, PARENT_DOMAIN_NAME, DOMAIN_DEFAULT, 'NO'
                    FROM INFORMATION_SCHEMA.DOMAINS WHERE DOMAIN_SCHEMA = ? AND DATA_TYPE <> 'ENUM'\
                    """,
                    DOMAIN_CHECKS,
                    """
                    SELECT TABLE_NAME, COLUMN_NAME, COALESCE(DOMAIN_NAME, TABLE_NAME || '_' || COLUMN_NAME)
                    FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ?
                    AND (DOMAIN_SCHEMA = TABLE_SCHEMA OR DATA_TYPE = 'ENUM' AND DOMAIN_NAME IS NULL)\
                    """,
                    "");

    private static final CatalogQueries HSQLDB =
            new CatalogQueries(
                    """
                    SELECT TABLE_NAME, COLUMN_NAME, IDENTITY_GENERATION, CAST(NULL AS BIGINT), IDENTITY_INCREMENT,
                        IDENTITY_MINIMUM, IDENTITY_MAXIMUM, IDENTITY_CYCLE, IDENTITY_START
                    FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ? AND IS_IDENTITY = 'YES'\
                    """,
                    "",
                    """
                    SELECT DOMAIN_NAME, CAST(NULL AS VARCHAR(1)), DOMAIN_DEFAULT, 'NO'
                    FROM INFORMATION_SCHEMA.DOMAINS WHERE DOMAIN_SCHEMA = ?\
                    """,
                    DOMAIN_CHECKS,
                    """
                    SELECT TABLE_NAME, COLUMN_NAME, DOMAIN_NAME FROM INFORMATION_SCHEMA.COLUMNS
                    WHERE TABLE_SCHEMA = ? AND DOMAIN_SCHEMA = TABLE_SCHEMA\
                    """,
                    """
                    SELECT TABLE_NAME, COLUMN_NAME, SEQUENCE_NAME FROM INFORMATION_SCHEMA.SYSTEM_COLUMN_SEQUENCE_USAGE
                    WHERE TABLE_SCHEMA = ?\
                    """);

    private static final CatalogQueries DERBY =
            new CatalogQueries(
                    """
                    SELECT t.TABLENAME, c.COLUMNNAME,
                        CASE WHEN c.COLUMNDEFAULTID IS NULL THEN 'ALWAYS' ELSE 'BY DEFAULT' END,
                        SYSCS_UTIL.SYSCS_PEEK_AT_IDENTITY(s.SCHEMANAME, t.TABLENAME), c.AUTOINCREMENTINC,
                        CAST(NULL AS BIGINT), CAST(NULL AS BIGINT),
                        CASE WHEN c.AUTOINCREMENTCYCLE THEN 'YES' ELSE 'NO' END
                    FROM SYS.SYSCOLUMNS c JOIN SYS.SYSTABLES t ON t.TABLEID = c.REFERENCEID
                    JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID
                    WHERE s.SCHEMANAME = ? AND c.AUTOINCREMENTINC IS NOT NULL\
                    """,
                    "",
                    "",
                    "",
                    "",
                    "");

    /// Query of the sequences that number one column and nothing else.
    static final String POSTGRESQL_OWNED =
            """
            SELECT n.nspname, t.relname, a.attname, a.attidentity, q.oid, q.relname AS sequence, s.*
            FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace AND t.relkind IN ('r', 'p')
            JOIN pg_attribute a ON a.attrelid = t.oid
            JOIN pg_depend d ON d.refobjid = t.oid AND d.refobjsubid = a.attnum
                AND d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_class'::regclass
                AND d.deptype IN ('a', 'i')
            JOIN pg_class q ON q.oid = d.objid AND q.relkind = 'S' JOIN pg_sequence s ON s.seqrelid = q.oid
            WHERE a.attnotnull AND a.atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype)
            AND (a.attidentity <> '' OR EXISTS (SELECT 1 FROM pg_attrdef x
                    JOIN pg_depend e ON e.objid = x.oid AND e.classid = 'pg_attrdef'::regclass
                    WHERE e.refobjid = q.oid AND x.adrelid = t.oid AND x.adnum = a.attnum
                    AND pg_get_expr(x.adbin, x.adrelid) ~ '^nextval\\(''.*''::regclass\\)$')
                AND (SELECT COUNT(DISTINCT e.objid) FROM pg_depend e
                    WHERE e.classid = 'pg_attrdef'::regclass AND e.refobjid = q.oid) = 1)\
            """;

    private static final CatalogQueries POSTGRESQL =
            new CatalogQueries(
                    "SELECT relname, attname, CASE attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, NULL,"
                            + " seqincrement, seqmin, seqmax, CASE WHEN seqcycle THEN 'YES' ELSE 'NO' END,"
                            + " format('%I.%I', nspname, sequence) FROM ("
                            + POSTGRESQL_OWNED
                            + ") o WHERE nspname = ?",
                    """
                    SELECT y.typname, e.enumlabel FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace
                    JOIN pg_enum e ON e.enumtypid = y.oid WHERE n.nspname = ? ORDER BY 1, e.enumsortorder\
                    """,
                    """
                    SELECT y.typname, b.typname, pg_get_expr(y.typdefaultbin, 0),
                        CASE WHEN y.typnotnull THEN 'YES' ELSE 'NO' END
                    FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace
                    LEFT JOIN pg_type b ON b.oid = y.typbasetype AND b.typtype IN ('d', 'e')
                    WHERE n.nspname = ? AND y.typtype = 'd'\
                    """,
                    """
                    SELECT y.typname, k.conname, pg_get_expr(k.conbin, 0) FROM pg_constraint k
                    JOIN pg_type y ON y.oid = k.contypid JOIN pg_namespace n ON n.oid = y.typnamespace
                    WHERE n.nspname = ? AND k.contype = 'c'\
                    """,
                    """
                    SELECT c.relname, a.attname, y.typname
                    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p')
                    JOIN pg_namespace n ON n.oid = c.relnamespace
                    JOIN pg_type y ON y.oid = a.atttypid AND y.typnamespace = n.oid AND y.typtype IN ('d', 'e')
                    WHERE n.nspname = ? AND a.attnum > 0\
                    """,
                    "");

    private static final CatalogQueries SQLITE = new CatalogQueries("", "", "", "", "", "");

    static CatalogQueries of(Product product) {
        return switch (product) {
            case H2 -> H2;
            case HSQLDB -> HSQLDB;
            case DERBY -> DERBY;
            case SQLITE -> SQLITE;
            case POSTGRESQL -> POSTGRESQL;
        };
    }
}
