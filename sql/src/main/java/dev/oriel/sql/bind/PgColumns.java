package dev.oriel.sql.bind;

/// The columns of PostgreSQL's tables of definitions, as of [PgRows].
final class PgColumns {
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
                            + " indkey:a indpred indexprs";
            case "pg_constraint" ->
                    "oid:n conname connamespace:n contype condeferrable:b condeferred:b"
                            + " convalidated:b conrelid:n contypid:n conindid:n conparentid:n"
                            + " confrelid:n confupdtype confdeltype confmatchtype conislocal:b"
                            + " conkey:a confkey:a conbin";
            case "pg_attrdef" -> "oid:n adrelid:n adnum:n adbin";
            case "pg_sequence" ->
                    "seqrelid:n seqtypid:n seqstart:n seqincrement:n seqmax:n seqmin:n"
                            + " seqcache:n seqcycle:b";
            case "pg_description" -> "objoid:n classoid:n objsubid:n description";
            case "pg_am" -> "oid:n amname amtype";
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
            case "pg_partitioned_table" -> PgPartitions.COLUMNS;
            case "pg_inherits" -> "inhrelid:n inhparent:n inhseqno:n inhdetachpending:b";
            default -> "";
        };
    }
}
