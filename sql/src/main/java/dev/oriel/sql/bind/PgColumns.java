package dev.oriel.sql.bind;

import java.util.List;

/// The columns of PostgreSQL's tables of definitions, as in [PgRows].
final class PgColumns {
    static final List<String> TABLES =
            List.of(
                    "pg_namespace",
                    "pg_class",
                    "pg_attribute",
                    "pg_type",
                    "pg_enum",
                    "pg_index",
                    "pg_constraint",
                    "pg_attrdef",
                    "pg_sequence",
                    "pg_description",
                    "pg_am",
                    "pg_collation",
                    "pg_depend",
                    "pg_database",
                    "pg_proc",
                    "pg_partitioned_table",
                    "pg_inherits");

    static final List<String> VIEWS =
            List.of("pg_tables", "pg_views", "pg_matviews", "pg_indexes", "pg_sequences");

    private PgColumns() {}

    /// The columns of `table`, with suffixes for their types; empty if there is no such table.
    static String of(String table) {
        return switch (table) {
            case "pg_namespace" -> "oid:n nspname nspowner:n";
            case "pg_class" ->
                    "oid:n relname relnamespace:n reltype:n relowner:n relam:n reltuples:n"
                            + " relhasindex:b relisshared:b relpersistence relkind relnatts:n"
                            + " relchecks:n relhasrules:b relhastriggers:b relrowsecurity:b"
                            + " relforcerowsecurity:b relreplident relispartition:b"
                            + " reltablespace:n reltoastrelid:n reloftype:n relhassubclass:b"
                            + " relpartbound relispopulated:b";
            case "pg_attribute" ->
                    "attrelid:n attname atttypid:n attlen:n attnum:n attndims:n atttypmod:n"
                            + " attnotnull:b atthasdef:b attidentity attgenerated attisdropped:b"
                            + " attislocal:b attinhcount:n attcollation:n";
            case "pg_type" ->
                    "oid:n typname typnamespace:n typowner:n typlen:n typtype typcategory"
                            + " typelem:n typarray:n typrelid:n typbasetype:n typnotnull:b"
                            + " typcollation:n typtypmod:n typndims:n typdefault";
            case "pg_enum" -> "oid:n enumtypid:n enumsortorder:n enumlabel";
            case "pg_index" ->
                    "indexrelid:n indrelid:n indnatts:n indnkeyatts:n indisunique:b"
                            + " indisprimary:b indisexclusion:b indimmediate:b indisclustered:b"
                            + " indisvalid:b indisready:b indislive:b indisreplident:b"
                            + " indkey:v indpred indexprs indoption:v indclass:v indcollation:v";
            case "pg_constraint" ->
                    "oid:n conname connamespace:n contype condeferrable:b condeferred:b"
                            + " convalidated:b conrelid:n contypid:n conindid:n conparentid:n"
                            + " confrelid:n confupdtype confdeltype confmatchtype conislocal:b"
                            + " coninhcount:n connoinherit:b conkey:a confkey:a conbin";
            case "pg_attrdef" -> "oid:n adrelid:n adnum:n adbin";
            case "pg_sequence" ->
                    "seqrelid:n seqtypid:n seqstart:n seqincrement:n seqmax:n seqmin:n"
                            + " seqcache:n seqcycle:b";
            case "pg_description" -> "objoid:n classoid:n objsubid:n description";
            case "pg_am" -> "oid:n amname amtype";
            case "pg_collation" ->
                    "oid:n collname collnamespace:n collowner:n collprovider"
                            + " collisdeterministic:b collencoding:n collcollate collctype";
            case "pg_depend" ->
                    "classid:n objid:n objsubid:n refclassid:n refobjid:n refobjsubid:n deptype";
            case "pg_database" ->
                    "oid:n datname datdba:n encoding:n datistemplate:b datallowconn:b";
            case "pg_tables" ->
                    "schemaname tablename tableowner tablespace hasindexes:b hasrules:b"
                            + " hastriggers:b rowsecurity:b";
            case "pg_proc" -> FunctionInformation.PG_PROC;
            case "pg_views" -> "schemaname viewname viewowner definition";
            case "pg_matviews" ->
                    "schemaname matviewname matviewowner tablespace hasindexes:b"
                            + " ispopulated:b definition";
            case "pg_indexes" -> "schemaname tablename indexname tablespace indexdef";
            case "pg_sequences" ->
                    "schemaname sequencename sequenceowner data_type start_value:n min_value:n"
                            + " max_value:n increment_by:n cycle:b cache_size:n";
            case "pg_trigger" -> TriggerInformation.PG_TRIGGER;
            case "pg_partitioned_table" -> PgPartitions.COLUMNS;
            case "pg_inherits" -> "inhrelid:n inhparent:n inhseqno:n inhdetachpending:b";
            default -> "";
        };
    }
}
