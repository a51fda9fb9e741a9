package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.QualifiedName;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.SearchPath;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The known settings. Most are PostgreSQL's. Some accept only the value by which Oriel works. PostgreSQL's
/// settings for planner and memory are stored and shown, but have no effect.
final class KnownSettings {
    static final String SEARCH_PATH = "search_path";
    static final String TIME_ZONE = "timezone";
    static final String QUERY_BYTES_MAX = "query_bytes_max";

    /// Flags of PostgreSQL's planner.
    private static final Set<String> FLAGS =
            Set.of(
                    "check_function_bodies",
                    "enable_async_append",
                    "enable_bitmapscan",
                    "enable_distinct_reordering",
                    "enable_gathermerge",
                    "enable_group_by_reordering",
                    "enable_hashagg",
                    "enable_hashjoin",
                    "enable_incremental_sort",
                    "enable_indexonlyscan",
                    "enable_indexscan",
                    "enable_material",
                    "enable_memoize",
                    "enable_mergejoin",
                    "enable_nestloop",
                    "enable_parallel_append",
                    "enable_parallel_hash",
                    "enable_partition_pruning",
                    "enable_partitionwise_aggregate",
                    "enable_partitionwise_join",
                    "enable_presorted_aggregate",
                    "enable_self_join_elimination",
                    "enable_seqscan",
                    "enable_sort",
                    "enable_tidscan",
                    "escape_string_warning",
                    "geqo",
                    "jit",
                    "parallel_leader_participation",
                    "track_io_timing");

    /// Numbers for PostgreSQL's planner and its memory, with an optional unit.
    private static final Set<String> NUMBERS =
            Set.of(
                    "backend_flush_after",
                    "cpu_index_tuple_cost",
                    "cpu_operator_cost",
                    "cpu_tuple_cost",
                    "cursor_tuple_fraction",
                    "default_statistics_target",
                    "effective_cache_size",
                    "effective_io_concurrency",
                    "from_collapse_limit",
                    "geqo_effort",
                    "geqo_threshold",
                    "gin_fuzzy_search_limit",
                    "gin_pending_list_limit",
                    "hash_mem_multiplier",
                    "jit_above_cost",
                    "jit_inline_above_cost",
                    "jit_optimize_above_cost",
                    "join_collapse_limit",
                    "logical_decoding_work_mem",
                    "maintenance_work_mem",
                    "max_parallel_maintenance_workers",
                    "max_parallel_workers",
                    "max_parallel_workers_per_gather",
                    "max_stack_depth",
                    "min_parallel_index_scan_size",
                    "min_parallel_table_scan_size",
                    "parallel_setup_cost",
                    "parallel_tuple_cost",
                    "random_page_cost",
                    "recursive_worktable_factor",
                    "seq_page_cost",
                    "temp_buffers",
                    "vacuum_cost_delay",
                    "vacuum_cost_limit",
                    "vacuum_cost_page_dirty",
                    "vacuum_cost_page_hit",
                    "vacuum_cost_page_miss",
                    "vacuum_freeze_min_age",
                    "vacuum_freeze_table_age",
                    "work_mem");

    private static final Pattern NUMBER =
            Pattern.compile("-?[0-9]*[.]?[0-9]+([eE][-+]?[0-9]+)? *[a-zA-Z]*");

    /// Settings that accept any text, with their defaults.
    private static final Map<String, String> TEXTS =
            Map.of(
                    "application_name",
                    "",
                    "client_min_messages",
                    "notice",
                    "constraint_exclusion",
                    "partition",
                    "debug_parallel_query",
                    "off",
                    "default_toast_compression",
                    "pglz",
                    "force_parallel_mode",
                    "off",
                    "plan_cache_mode",
                    "auto",
                    SEARCH_PATH,
                    "\"$user\", public",
                    "stats_fetch_consistency",
                    "cache",
                    TIME_ZONE,
                    "UTC");

    /// Settings that accept only values by which Oriel works; the first is the default.
    private static final Map<String, List<String>> FIXED = fixed();

    private KnownSettings() {}

    private static Map<String, List<String>> fixed() {
        Map<String, List<String>> fixed = new TreeMap<>();
        fixed.put("bytea_output", List.of("hex"));
        fixed.put("client_encoding", List.of("UTF8", "UTF-8", "UNICODE"));
        fixed.put("datestyle", List.of("ISO, MDY", "ISO", "ISO,MDY", "MDY", "MDY, ISO"));
        fixed.put("default_table_access_method", List.of("heap"));
        fixed.put("default_tablespace", List.of("", "pg_default"));
        fixed.put("default_transaction_deferrable", List.of("off"));
        fixed.put("extra_float_digits", digits());
        fixed.put("idle_in_transaction_session_timeout", List.of("0"));
        fixed.put("integer_datetimes", List.of("on"));
        fixed.put("intervalstyle", List.of("postgres"));
        fixed.put("lock_timeout", List.of("0"));
        fixed.put("row_security", List.of("on", "off")); // no table has policies
        fixed.put("server_encoding", List.of("UTF8"));
        fixed.put("session_replication_role", List.of("origin"));
        fixed.put("standard_conforming_strings", List.of("on", "true"));
        fixed.put("statement_timeout", List.of("0"));
        fixed.put("synchronous_commit", List.of("on"));
        fixed.put("transaction_deferrable", List.of("off"));
        return Map.copyOf(fixed);
    }

    /// Values of extra_float_digits, without effect: a number is always written with the fewest digits that identify it.
    private static List<String> digits() {
        List<String> digits = new ArrayList<>(List.of("1"));
        for (int i = -15; i <= 3; i++) {
            if (i != 1) {
                digits.add(Integer.toString(i));
            }
        }
        return digits;
    }

    /// The schemas of search_path; PUBLIC is the empty one. There are no users, so `$user` is none, and `""` is none
    /// either.
    static List<String> schemas(String value) {
        List<String> schemas = new ArrayList<>();
        for (String name : QualifiedName.list(value)) {
            if (!name.isEmpty() && !name.equals("$user")) {
                schemas.add(name.equalsIgnoreCase(SearchPath.PUBLIC) ? "" : name);
            }
        }
        return schemas;
    }

    static boolean isKnown(String name) {
        return FLAGS.contains(name)
                || NUMBERS.contains(name)
                || TEXTS.containsKey(name)
                || FIXED.containsKey(name);
    }

    /// Names of all settings that can be set.
    static List<String> names() {
        List<String> names = new ArrayList<>(FLAGS);
        names.addAll(NUMBERS);
        names.addAll(TEXTS.keySet());
        names.addAll(FIXED.keySet());
        names.add(QUERY_BYTES_MAX);
        return names;
    }

    /// The default of `name`; null if there is no such setting.
    static @Nullable String initial(String name) {
        if (FLAGS.contains(name)) {
            return "on";
        } else if (NUMBERS.contains(name)) {
            return "0";
        }
        List<String> fixed = FIXED.get(name);
        return fixed == null ? TEXTS.get(name) : fixed.getFirst();
    }

    /// `value` in the form in which `name` stores it.
    static String accepted(String name, String value, Place place) {
        if (FLAGS.contains(name)) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "on", "true", "yes", "1", "t" -> "on";
                case "off", "false", "no", "0", "f" -> "off";
                default -> throw invalid(name, value, "is on or off", place);
            };
        }
        if (NUMBERS.contains(name)) {
            if (!NUMBER.matcher(value).matches()) {
                throw invalid(name, value, "is a number", place);
            }
            return value;
        }
        if (name.equals(TIME_ZONE)) {
            return zone(value, place);
        }
        List<String> fixed = FIXED.get(name);
        if (fixed == null) {
            boolean list = !name.equals(SEARCH_PATH) || !QualifiedName.list(value).isEmpty();
            if (!list && !value.isBlank()) {
                throw invalid(name, value, "is a list of names with commas between them", place);
            }
            return value;
        }
        for (String known : fixed) {
            if (known.equalsIgnoreCase(value)) {
                return name.equals("datestyle") ? fixed.getFirst() : known;
            }
        }
        throw place.error(
                Kind.NOT_SUPPORTED,
                "Setting \""
                        + name
                        + "\" can only be '"
                        + String.join("' or '", fixed)
                        + "' here, not '"
                        + value
                        + "'");
    }

    private static String zone(String value, Place place) {
        try {
            return Zone.of(value).name();
        } catch (DateTimeException unknown) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "There is no time zone '"
                            + value
                            + "'; use a name such as 'Europe/Berlin', or a number of hours");
        }
    }

    private static RuntimeException invalid(String name, String value, String rule, Place place) {
        return place.error(
                Kind.INVALID_PARAMETER, "\"" + name + "\" " + rule + ", not '" + value + "'");
    }

    /// The query_bytes_max of the session in bytes; 0 for the database's setting.
    static long bytes(@Nullable String value, Place place) {
        if (value == null) {
            return 0;
        }
        long bytes;
        try {
            bytes = Long.parseLong(value);
        } catch (NumberFormatException notWhole) {
            bytes = 0;
        }
        if (bytes < 1) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    QUERY_BYTES_MAX + " is a number of bytes above 0, not " + value);
        }
        return bytes;
    }
}
