package dev.oriel.cli.migration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/// A product whose databases can be imported, with its driver's Maven coordinates and the catalog queries that
/// JDBC's metadata cannot replace.
///
/// A query may have one parameter, the schema. It is empty if the product has no such thing.
public enum Product {
    H2(
            "com/h2database/h2",
            "PUBLIC",
            """
            SELECT t.TABLE_NAME, c.CONSTRAINT_NAME, c.CHECK_CLAUSE
            FROM INFORMATION_SCHEMA.CHECK_CONSTRAINTS c JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS t
            ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME
            WHERE t.TABLE_SCHEMA = ? AND t.CONSTRAINT_TYPE = 'CHECK'\
            """,
            """
            SELECT TABLE_NAME, VIEW_DEFINITION FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = ?\
            """,
            """
            SELECT SEQUENCE_NAME, BASE_VALUE, INCREMENT, MINIMUM_VALUE, MAXIMUM_VALUE, CYCLE_OPTION
            FROM INFORMATION_SCHEMA.SEQUENCES
            WHERE SEQUENCE_SCHEMA = ? AND SEQUENCE_NAME NOT LIKE 'SYSTEM\\_SEQUENCE\\_%'\
            """,
            """
            SELECT c.TABLE_NAME, c.COLUMN_NAME, e.DATA_TYPE
            FROM INFORMATION_SCHEMA.COLUMNS c JOIN INFORMATION_SCHEMA.ELEMENT_TYPES e
            ON e.OBJECT_SCHEMA = c.TABLE_SCHEMA AND e.OBJECT_NAME = c.TABLE_NAME
            AND e.COLLECTION_TYPE_IDENTIFIER = c.DTD_IDENTIFIER
            WHERE c.TABLE_SCHEMA = ?\
            """,
            ""),
    HSQLDB(
            "org/hsqldb/hsqldb",
            "PUBLIC",
            """
            SELECT t.TABLE_NAME, c.CONSTRAINT_NAME, c.CHECK_CLAUSE
            FROM INFORMATION_SCHEMA.CHECK_CONSTRAINTS c JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS t
            ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME
            WHERE t.TABLE_SCHEMA = ? AND t.CONSTRAINT_TYPE = 'CHECK'\
            """,
            """
            SELECT TABLE_NAME, VIEW_DEFINITION FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = ?\
            """,
            """
            SELECT SEQUENCE_NAME, NEXT_VALUE, INCREMENT, MINIMUM_VALUE, MAXIMUM_VALUE, CYCLE_OPTION
            FROM INFORMATION_SCHEMA.SEQUENCES WHERE SEQUENCE_SCHEMA = ?\
            """,
            "",
            ""),
    DERBY(
            "org/apache/derby/derby",
            "APP",
            """
            SELECT t.TABLENAME, c.CONSTRAINTNAME, k.CHECKDEFINITION
            FROM SYS.SYSCHECKS k JOIN SYS.SYSCONSTRAINTS c ON c.CONSTRAINTID = k.CONSTRAINTID
            JOIN SYS.SYSTABLES t ON t.TABLEID = c.TABLEID JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID
            WHERE s.SCHEMANAME = ?\
            """,
            """
            SELECT t.TABLENAME, v.VIEWDEFINITION FROM SYS.SYSVIEWS v JOIN SYS.SYSTABLES t ON t.TABLEID = v.TABLEID
            JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = t.SCHEMAID WHERE s.SCHEMANAME = ?\
            """,
            """
            SELECT q.SEQUENCENAME,
                SYSCS_UTIL.SYSCS_PEEK_AT_SEQUENCE(s.SCHEMANAME, q.SEQUENCENAME),
                q.INCREMENT, q.MINIMUMVALUE, q.MAXIMUMVALUE, q.CYCLEOPTION
            FROM SYS.SYSSEQUENCES q JOIN SYS.SYSSCHEMAS s ON s.SCHEMAID = q.SCHEMAID WHERE s.SCHEMANAME = ?\
            """,
            "",
            ""),
    SQLITE(
            "org/xerial/sqlite-jdbc",
            "",
            "SELECT name, '', sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%check%'",
            "SELECT name, sql FROM sqlite_master WHERE type = 'view' ORDER BY rowid",
            "",
            "",
            """
            SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL\
            """),
    POSTGRESQL(
            "org/postgresql/postgresql",
            "public",
            """
            SELECT c.relname, k.conname, pg_get_expr(k.conbin, k.conrelid)
            FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND k.contype = 'c'\
            """,
            """
            SELECT v.viewname, rtrim(v.definition, ';') || CASE WHEN o.check_option IN ('LOCAL', 'CASCADED')
                THEN ' WITH ' || o.check_option || ' CHECK OPTION' ELSE '' END
            FROM pg_views v LEFT JOIN information_schema.views o
                ON o.table_schema = v.schemaname AND o.table_name = v.viewname
            WHERE v.schemaname = ?\
            """,
            """
            SELECT c.relname, NULL, s.seqincrement, s.seqmin, s.seqmax, CASE WHEN s.seqcycle THEN 'YES' ELSE 'NO' END,
                format('%I.%I', n.nspname, c.relname)
            FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ? AND c.oid NOT IN (SELECT oid FROM (\
            """
                    + CatalogQueries.POSTGRESQL_OWNED
                    + ") o)",
            "",
            """
            SELECT t.relname, i.relname, pg_get_indexdef(x.indexrelid, 0, TRUE)
            FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
            JOIN pg_namespace n ON n.oid = t.relnamespace WHERE n.nspname = ? AND t.relkind IN ('r', 'p')
            AND NOT EXISTS (SELECT 1 FROM pg_constraint k
                WHERE k.conindid = i.oid AND k.conrelid = t.oid AND k.contype IN ('p', 'u', 'x'))\
            """);

    final String artifact;
    final String usualSchema;
    final String checks;
    final String views;
    final String sequences;
    final String arrays;
    final String indexes;

    Product(
            String artifact,
            String usualSchema,
            String checks,
            String views,
            String sequences,
            String arrays,
            String indexes) {
        this.artifact = artifact;
        this.usualSchema = usualSchema;
        this.checks = checks;
        this.views = views;
        this.sequences = sequences;
        this.arrays = arrays;
        this.indexes = indexes;
    }

    /// Returns the name as the user writes it, and as it is in URLs.
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the product by the user's name for it.
    public static Optional<Product> of(String word) {
        for (Product product : values()) {
            if (product.word().equalsIgnoreCase(word)) {
                return Optional.of(product);
            }
        }
        return Optional.empty();
    }

    /// Returns the JDBC URL of `place`: itself if it is one, else of the file or database that it names. It never
    /// creates a missing database.
    ///
    /// @throws MigrationException if the file is missing
    String url(String place) throws MigrationException {
        String prefix = "jdbc:" + word() + ":";
        String url = place.startsWith("jdbc:") ? place : prefix + place;
        String rest = url.substring(Math.min(prefix.length(), url.length()));
        String lower = rest.toLowerCase(Locale.ROOT);
        boolean memory = lower.startsWith("mem:") || lower.startsWith(":") || lower.isEmpty();
        if (memory || lower.contains("ifexists=")) {
            return url;
        }
        if (this == SQLITE && !lower.startsWith("file:") && rest.indexOf('?') < 0) {
            Path file = Path.of(rest);
            if (!Files.isRegularFile(file)) {
                throw new MigrationException("there is no file " + file);
            }
        }
        return switch (this) {
            case H2 -> url + ";IFEXISTS=TRUE";
            case HSQLDB -> url + ";ifexists=true";
            case DERBY, SQLITE, POSTGRESQL -> url;
        };
    }
}
