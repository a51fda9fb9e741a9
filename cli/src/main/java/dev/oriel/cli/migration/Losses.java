package dev.oriel.cli.migration;

import java.util.List;

/// Catalog queries for objects without a counterpart here: rows of a name and a sentence. Each parameter of a
/// query is the schema.
///
/// @param left queries for objects that are left out
/// @param different queries for objects that are taken over with another meaning
record Losses(List<String> left, List<String> different) {
    private static final Losses H2 =
            new Losses(
                    List.of(
                            """
                            SELECT 'trigger ' || TRIGGER_NAME || ' of ' || EVENT_OBJECT_TABLE, 'there are none here'
                            FROM INFORMATION_SCHEMA.TRIGGERS WHERE TRIGGER_SCHEMA = ?\
                            """,
                            """
                            SELECT 'function ' || ROUTINE_NAME, 'there are none here'
                            FROM INFORMATION_SCHEMA.ROUTINES WHERE ROUTINE_SCHEMA = ?\
                            """,
                            """
                            SELECT 'constant ' || CONSTANT_NAME, 'there are none here; its value is ' || VALUE_DEFINITION
                            FROM INFORMATION_SCHEMA.CONSTANTS WHERE CONSTANT_SCHEMA = ?\
                            """,
                            """
                            SELECT 'synonym ' || SYNONYM_NAME, 'there are none here; it stands for ' || SYNONYM_FOR
                            FROM INFORMATION_SCHEMA.SYNONYMS WHERE SYNONYM_SCHEMA = ?\
                            """,
                            """
                            SELECT DISTINCT 'rights of ' || GRANTEE || ' on ' || TABLE_NAME, 'there are no users here'
                            FROM INFORMATION_SCHEMA.RIGHTS WHERE TABLE_SCHEMA = ?\
                            """,
                            """
                            SELECT 'materialized view ' || TABLE_NAME, 'create it by its query'
                            FROM INFORMATION_SCHEMA.TABLES
                            WHERE TABLE_SCHEMA = ? AND TABLE_CLASS LIKE '%MaterializedView'\
                            """,
                            """
                            SELECT LOWER(TABLE_TYPE) || ' ' || TABLE_NAME, 'its rows are elsewhere'
                            FROM INFORMATION_SCHEMA.TABLES
                            WHERE TABLE_SCHEMA = ? AND TABLE_TYPE NOT IN ('BASE TABLE', 'VIEW')\
                            """,
                            """
                            SELECT 'comment on ' || TABLE_NAME, REMARKS FROM INFORMATION_SCHEMA.TABLES
                            WHERE TABLE_SCHEMA = ? AND TABLE_TYPE = 'VIEW' AND REMARKS <> ''
                            UNION ALL SELECT 'comment on sequence ' || SEQUENCE_NAME, REMARKS
                            FROM INFORMATION_SCHEMA.SEQUENCES WHERE SEQUENCE_SCHEMA = ? AND REMARKS <> ''
                            UNION ALL SELECT 'comment on constraint ' || CONSTRAINT_NAME, REMARKS
                            FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = ? AND REMARKS <> ''
                            UNION ALL SELECT 'comment on index ' || INDEX_NAME, REMARKS
                            FROM INFORMATION_SCHEMA.INDEXES WHERE TABLE_SCHEMA = ? AND REMARKS <> ''
                            UNION ALL SELECT 'comment on domain ' || DOMAIN_NAME, REMARKS
                            FROM INFORMATION_SCHEMA.DOMAINS WHERE DOMAIN_SCHEMA = ? AND REMARKS <> ''\
                            """,
                            """
                            SELECT DISTINCT 'schema ' || TABLE_SCHEMA, 'import it by itself, with --schema'
                            FROM INFORMATION_SCHEMA.TABLES
                            WHERE TABLE_SCHEMA <> ? AND TABLE_SCHEMA <> 'INFORMATION_SCHEMA'\
                            """),
                    List.of(
                            """
                            SELECT 'column ' || TABLE_NAME || '.' || COLUMN_NAME, 'it is visible here'
                            FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ? AND NOT IS_VISIBLE\
                            """,
                            """
                            SELECT 'unique constraint ' || CONSTRAINT_NAME || ' of ' || TABLE_NAME,
                                'it was taken with distinct NULLs; replace it by one with NULLS ' ||
                                CASE NULLS_DISTINCT WHEN 'NO' THEN 'NOT' ELSE 'ALL' END || ' DISTINCT'
                            FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS
                            WHERE TABLE_SCHEMA = ? AND NULLS_DISTINCT <> 'YES'
                            UNION ALL SELECT 'unique index ' || INDEX_NAME || ' of ' || TABLE_NAME,
                                'it was taken with distinct NULLs; replace it by one with NULLS ' ||
                                CASE NULLS_DISTINCT WHEN 'NO' THEN 'NOT' ELSE 'ALL' END || ' DISTINCT'
                            FROM INFORMATION_SCHEMA.INDEXES
                            WHERE TABLE_SCHEMA = ? AND NULLS_DISTINCT <> 'YES' AND NOT IS_GENERATED\
                            """,
                            """
                            SELECT 'database', 'texts compare by their code points here, not by the collation '
                                || SETTING_VALUE
                            FROM INFORMATION_SCHEMA.SETTINGS
                            WHERE SETTING_NAME = 'COLLATION' AND SETTING_VALUE <> 'OFF'\
                            """));

    private static final Losses HSQLDB =
            new Losses(
                    List.of(
                            """
                            SELECT 'trigger ' || TRIGGER_NAME || ' of ' || EVENT_OBJECT_TABLE, 'there are none here'
                            FROM INFORMATION_SCHEMA.TRIGGERS WHERE TRIGGER_SCHEMA = ?\
                            """,
                            """
                            SELECT DISTINCT LOWER(ROUTINE_TYPE) || ' ' || ROUTINE_NAME, 'there are none here'
                            FROM INFORMATION_SCHEMA.ROUTINES WHERE ROUTINE_SCHEMA = ?\
                            """,
                            """
                            SELECT 'synonym ' || SYNONYM_NAME, 'there are none here; it stands for ' || OBJECT_NAME
                            FROM INFORMATION_SCHEMA.SYSTEM_SYNONYMS WHERE SYNONYM_SCHEMA = ?\
                            """,
                            """
                            SELECT DISTINCT 'rights of ' || GRANTEE || ' on ' || TABLE_NAME, 'there are no users here'
                            FROM INFORMATION_SCHEMA.TABLE_PRIVILEGES WHERE TABLE_SCHEMA = ? AND GRANTEE <> 'DBA'\
                            """,
                            """
                            SELECT 'period ' || PERIOD_NAME || ' of ' || TABLE_NAME, 'there are none here'
                            FROM INFORMATION_SCHEMA.PERIODS WHERE TABLE_SCHEMA = ?\
                            """,
                            """
                            SELECT DISTINCT 'schema ' || TABLE_SCHEMA, 'import it by itself, with --schema'
                            FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA <> ?
                            AND TABLE_SCHEMA NOT IN ('INFORMATION_SCHEMA', 'SYSTEM_LOBS')\
                            """),
                    List.of(
                            """
                            SELECT 'column ' || TABLE_NAME || '.' || COLUMN_NAME,
                                'texts compare by their code points here, not by the collation ' || COLLATION_NAME
                                || CASE WHEN COLLATION_NAME LIKE '%UCC%' THEN '; upper and lower case differ'
                                    ELSE '' END
                            FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ?
                            AND COLLATION_NAME NOT IN ('SQL_TEXT', 'SQL_IDENTIFIER')\
                            """,
                            """
                            SELECT 'column ' || TABLE_NAME || '.' || COLUMN_NAME,
                                'it has the type under ' || UDT_NAME
                            FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ? AND UDT_NAME IS NOT NULL\
                            """));

    private static final Losses DERBY =
            new Losses(
                    List.of(
                            """
                            SELECT 'trigger ' || g.TRIGGERNAME || ' of ' || t.TABLENAME, 'there are none here'
                            FROM SYS.SYSTRIGGERS g JOIN SYS.SYSTABLES t ON t.TABLEID = g.TABLEID
                            JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID WHERE s.SCHEMANAME = ?\
                            """,
                            """
                            SELECT CASE a.ALIASTYPE WHEN 'P' THEN 'procedure ' WHEN 'F' THEN 'function '
                                WHEN 'S' THEN 'synonym ' WHEN 'A' THEN 'type ' ELSE 'aggregate ' END || a.ALIAS,
                                'there are none here'
                            FROM SYS.SYSALIASES a JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = a.SCHEMAID
                            WHERE s.SCHEMANAME = ?\
                            """,
                            """
                            SELECT DISTINCT 'rights of ' || p.GRANTEE || ' on ' || t.TABLENAME, 'there are no users here'
                            FROM SYS.SYSTABLEPERMS p JOIN SYS.SYSTABLES t ON t.TABLEID = p.TABLEID
                            JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID WHERE s.SCHEMANAME = ?\
                            """,
                            """
                            SELECT DISTINCT 'schema ' || s.SCHEMANAME, 'import it by itself, with --schema'
                            FROM SYS.SYSSCHEMAS s JOIN SYS.SYSTABLES t ON t.SCHEMAID = s.SCHEMAID
                            WHERE t.TABLETYPE <> 'S' AND s.SCHEMANAME <> ? AND s.SCHEMANAME NOT LIKE 'SYS%'\
                            """),
                    List.of(
                            """
                            SELECT 'constraint ' || c.CONSTRAINTNAME || ' of ' || t.TABLENAME,
                                'it is tested at the end of each statement'
                            FROM SYS.SYSCONSTRAINTS c JOIN SYS.SYSTABLES t ON t.TABLEID = c.TABLEID
                            JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID
                            WHERE s.SCHEMANAME = ? AND c.STATE IN ('e', 'i') AND c.TYPE <> 'F'\
                            """,
                            """
                            SELECT 'constraint ' || c.CONSTRAINTNAME || ' of ' || t.TABLENAME, 'it is enforced here'
                            FROM SYS.SYSCONSTRAINTS c JOIN SYS.SYSTABLES t ON t.TABLEID = c.TABLEID
                            JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID
                            WHERE s.SCHEMANAME = ? AND c.STATE IN ('D', 'd')\
                            """,
                            """
                            SELECT 'database', 'texts compare by their code points here, not by a collation' FROM SYSIBM.SYSDUMMY1
                            WHERE SYSCS_UTIL.SYSCS_GET_DATABASE_PROPERTY('derby.database.collation') <> 'UCS_BASIC'\
                            """));

    private static final Losses SQLITE =
            new Losses(
                    List.of(
                            """
                            SELECT 'trigger ' || name || ' of ' || tbl_name, 'there are none here'
                            FROM sqlite_master WHERE type = 'trigger'\
                            """,
                            """
                            SELECT 'virtual table ' || name, 'a module of SQLite makes its rows'
                            FROM sqlite_master WHERE type = 'table' AND sql LIKE 'create virtual%'\
                            """,
                            """
                            SELECT 'ON CONFLICT of ' || name, 'a statement says it here, not a constraint'
                            FROM sqlite_master WHERE type = 'table' AND sql LIKE '%on conflict%'\
                            """),
                    List.of());

    static Losses of(Product product) {
        return switch (product) {
            case H2 -> H2;
            case HSQLDB -> HSQLDB;
            case DERBY -> DERBY;
            case SQLITE -> SQLITE;
            case POSTGRESQL -> PostgresqlLosses.ALL;
        };
    }
}
