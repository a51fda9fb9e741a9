package dev.oriel;

import dev.oriel.Engines.Lease;
import dev.oriel.io.FileAccess;
import dev.oriel.io.FileMode;
import dev.oriel.store.Durability;
import dev.oriel.store.PageReads;
import dev.oriel.store.UsageException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A parsed JDBC URL: `jdbc:oriel:PATH` or `jdbc:oriel:mem:NAME`, perhaps with `?name=value&...`. A path that
/// begins with `~/` is in the user's home.
///
/// @param place the path, or the name of a memory database
/// @param options null if neither the URL nor the properties name any
record ConnectionUrl(boolean memory, String place, @Nullable DatabaseOptions options) {
    static final String PREFIX = "jdbc:oriel:";
    static final String MEMORY = "mem:";

    /// Properties after the question mark.
    enum Property {
        DURABILITY(
                "durability",
                "When a commit is acknowledged: sync, written or async",
                "sync",
                "written",
                "async"),
        READ_ONLY("readOnly", "Whether writing is refused: true or false", "false", "true"),
        CHECKPOINT_BYTES("checkpointBytes", "Log bytes after which a checkpoint begins"),
        DIRTY_BYTES_MAX(
                "dirtyBytesMax", "Bytes of memory for changed pages that the data file lacks"),
        WRITE_TIMEOUT_MILLIS(
                "writeTimeoutMillis",
                "How long a transaction waits for a lock, or for an exclusive one"),
        SNAPSHOT_AGE_MILLIS_MAX(
                "snapshotAgeMillisMax",
                "How long a read-only transaction may read before it is ended"),
        WRITE_SET_BYTES_MAX(
                "writeSetBytesMax",
                "Bytes of memory for the writes of one transaction until it commits"),
        KEY_LOCKS_MAX(
                "keyLocksMax",
                "Locked keys of a tree after which a transaction locks the whole tree"),
        EXCLUSIVE_IDLE_MILLIS_MAX(
                "exclusiveIdleMillisMax",
                "How long an exclusive transaction may be idle before it is rolled back"),
        PAGE_READS(
                "pageReads",
                "How pages of the data file are read: mapped, positional or by_size",
                "by_size",
                "mapped",
                "positional"),
        PAGE_CACHE_BYTES_MAX(
                "pageCacheBytesMax", "Bytes of memory for pages that are read by position"),
        GATHERED_BYTES_MAX(
                "gatheredBytesMax",
                "Bytes of memory for entries that small commits gather before they go into pages"),
        QUERY_BYTES_MAX(
                "queryBytesMax",
                "Bytes of memory that one statement may take for rows that it keeps"),
        FILE_ACCESS(
                "fileAccess",
                "Files that SQL may read and write: none, folder, folder:PATH,PATH or all"),
        AFTER_CONFLICT(
                "afterConflict",
                "Transactions that have met 40001 or 40P01: continue or rollback",
                "continue",
                "rollback"),
        FILE_MODE(
                "fileMode",
                "Users that may read the files of a new database: owner or group",
                "owner",
                "group");

        final String spelling;
        final String description;

        /// All values, the default first; empty if there are others too.
        @SuppressWarnings("ImmutableEnumChecker") // a List.of
        final List<String> choices;

        Property(String spelling, String description, String... choices) {
            this.spelling = spelling;
            this.description = description;
            this.choices = List.of(choices);
        }
    }

    static boolean accepts(@Nullable String url) {
        return url != null && url.startsWith(PREFIX);
    }

    /// Parses a URL that [#accepts] accepts. Its own properties take precedence over `given`; neither may give one
    /// two values. Unknown names in the URL are refused.
    static ConnectionUrl parse(String url, Properties given) throws SQLException {
        int question = url.indexOf('?');
        String place = url.substring(PREFIX.length(), question < 0 ? url.length() : question);
        Map<Property, String> values = new TreeMap<>();
        for (String name : given.stringPropertyNames()) {
            if (isOurs(name)) {
                put(values, name, given.getProperty(name));
            }
        }
        Map<Property, String> own = new TreeMap<>();
        String tail = question < 0 ? "" : url.substring(question + 1);
        for (String pair : tail.split("&", -1)) {
            if (!pair.isEmpty()) {
                int equal = pair.indexOf('=');
                put(
                        own,
                        equal < 0 ? pair : pair.substring(0, equal),
                        equal < 0 ? "" : pair.substring(equal + 1));
            }
        }
        values.putAll(own);
        boolean memory = place.startsWith(MEMORY);
        if (place.isEmpty()) {
            throw invalid(
                    "The URL names no folder; write " + PREFIX + "PATH or " + PREFIX + "mem:");
        }
        checkForm(memory ? place.substring(MEMORY.length()) : place, memory);
        return new ConnectionUrl(
                memory,
                memory ? place.substring(MEMORY.length()) : place,
                values.isEmpty() ? null : options(values));
    }

    /// Refuses URLs in the form of other drivers, which would create a folder of that name. A single letter before a
    /// colon is a drive.
    private static void checkForm(String place, boolean memory) throws SQLException {
        int colon = place.indexOf(':', 1);
        if (!memory && colon > 1 && isWord(place, place.startsWith(":") ? 1 : 0, colon)) {
            throw invalid(
                    "The URL begins with '"
                            + place.substring(0, colon + 1)
                            + "'; write "
                            + PREFIX
                            + "PATH for a folder, "
                            + PREFIX
                            + "mem:NAME for memory, or ./ before such a folder");
        }
        int semicolon = place.indexOf(';');
        int equal = place.indexOf('=', semicolon + 1);
        if (semicolon >= 0 && isWord(place, semicolon + 1, equal)) {
            throw invalid(
                    "The URL has properties after ';'; write them after a question mark:"
                            + " ?name=value&...; a folder's name cannot contain ';NAME='");
        }
    }

    /// Whether the text between is a name: letters, digits and underscores.
    private static boolean isWord(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Character.isLetterOrDigit(text.charAt(i)) && text.charAt(i) != '_') {
                return false;
            }
        }
        return from < to;
    }

    private static void put(Map<Property, String> values, String name, String value)
            throws SQLException {
        if (name.equalsIgnoreCase("user")) {
            return; // frameworks give one to every driver
        }
        if (name.equalsIgnoreCase("password")) {
            checkPassword(value);
            return;
        }
        for (Property property : Property.values()) {
            if (property.spelling.equalsIgnoreCase(name)) {
                String other = values.put(property, value);
                if (other != null && !other.equals(value)) {
                    throw invalid(
                            property.spelling
                                    + " is given twice, as '"
                                    + other
                                    + "' and as '"
                                    + value
                                    + "'; leave one out");
                }
                return;
            }
        }
        String nearest = nearest(name);
        throw invalid(
                "There is no property '"
                        + name
                        + (nearest.isEmpty() ? "'" : "'; did you mean '" + nearest + "'?")
                        + (nearest.isEmpty() ? "; there are " : " There are ")
                        + Arrays.stream(Property.values())
                                .map(property -> property.spelling)
                                .collect(Collectors.joining(", ")));
    }

    /// Whether a property beside the URL is meant for this driver. Pools and frameworks give each driver properties of
    /// their own as well; a name close to one of ours counts as misspelt.
    private static boolean isOurs(String name) {
        return name.equalsIgnoreCase("password") || !nearest(name).isEmpty();
    }

    /// Refuses a password: accepting it would suggest protection.
    static void checkPassword(@Nullable String password) throws SQLException {
        if (password != null && !password.isEmpty()) {
            throw SqlStates.exception(
                    SqlStates.NO_USERS,
                    "The database has no users, so a password protects nothing; leave it out, or"
                            + " leave it empty");
        }
    }

    private static DatabaseOptions options(Map<Property, String> values) throws SQLException {
        try {
            return optionsInRange(values);
        } catch (UsageException refused) {
            throw SqlStates.exception(
                    SqlStates.CONNECTION_FAILED, String.valueOf(refused.getMessage()), refused);
        }
    }

    private static DatabaseOptions optionsInRange(Map<Property, String> values)
            throws SQLException {
        DatabaseOptions options = DatabaseOptions.defaults();
        for (Map.Entry<Property, String> entry : values.entrySet()) {
            Property property = entry.getKey();
            String value = entry.getValue();
            options =
                    switch (property) {
                        case DURABILITY ->
                                options.withDurability(constant(property, Durability.class, value));
                        case READ_ONLY -> options.withReadOnly(truth(property, value));
                        case CHECKPOINT_BYTES ->
                                options.withCheckpointBytes(number(property, value));
                        case WRITE_TIMEOUT_MILLIS ->
                                options.withWriteTimeoutMillis(number(property, value));
                        case DIRTY_BYTES_MAX -> options.withDirtyBytesMax(number(property, value));
                        case SNAPSHOT_AGE_MILLIS_MAX ->
                                options.withSnapshotAgeMillisMax(number(property, value));
                        case WRITE_SET_BYTES_MAX ->
                                options.withWriteSetBytesMax(number(property, value));
                        case KEY_LOCKS_MAX ->
                                options.withKeyLocksMax(
                                        Math.clamp(
                                                number(property, value),
                                                Integer.MIN_VALUE,
                                                Integer.MAX_VALUE));
                        case EXCLUSIVE_IDLE_MILLIS_MAX ->
                                options.withExclusiveIdleMillisMax(number(property, value));
                        case PAGE_READS ->
                                options.withPageReads(
                                        new PageReads(
                                                constant(property, PageReads.Way.class, value),
                                                options.pageReads().cacheBytesMax()));
                        case PAGE_CACHE_BYTES_MAX ->
                                options.withPageReads(
                                        new PageReads(
                                                options.pageReads().way(),
                                                number(property, value)));
                        case GATHERED_BYTES_MAX ->
                                options.withGatheredBytesMax(number(property, value));
                        case QUERY_BYTES_MAX -> options.withQueryBytesMax(number(property, value));
                        case FILE_ACCESS -> options.withFileAccess(fileAccess(value));
                        case AFTER_CONFLICT ->
                                options.withAfterConflict(
                                        constant(property, AfterConflict.class, value));
                        case FILE_MODE ->
                                options.withFileMode(constant(property, FileMode.class, value));
                    };
        }
        return options;
    }

    private static <E extends Enum<E>> E constant(Property property, Class<E> type, String value)
            throws SQLException {
        List<String> names = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(value)) {
                return constant;
            }
            names.add(constant.name().toLowerCase(Locale.ROOT));
        }
        throw invalid(
                property.spelling
                        + " is one of "
                        + String.join(", ", names)
                        + ", not '"
                        + value
                        + "'");
    }

    private static FileAccess fileAccess(String value) throws SQLException {
        try {
            return FileAccess.parse(value);
        } catch (IllegalArgumentException unfit) {
            throw SqlStates.exception(
                    SqlStates.CONNECTION_FAILED, String.valueOf(unfit.getMessage()), unfit);
        }
    }

    private static boolean truth(Property property, String value) throws SQLException {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw invalid(property.spelling + " is true or false, not '" + value + "'");
        };
    }

    private static long number(Property property, String value) throws SQLException {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw SqlStates.exception(
                    SqlStates.CONNECTION_FAILED,
                    property.spelling + " is a whole number, not '" + value + "'",
                    e);
        }
    }

    private static SQLException invalid(String message) {
        return SqlStates.exception(SqlStates.CONNECTION_FAILED, message);
    }

    /// Opens the database of the URL, or shares it if it is open already.
    Lease lease() throws SQLException {
        try {
            return memory ? Engines.memory(place, options) : Engines.open(path(), options);
        } catch (RuntimeException e) {
            throw SqlStates.exception(e);
        } catch (Error e) {
            throw SqlStates.exception(e);
        }
    }

    private Path path() throws SQLException {
        try {
            return place.startsWith("~/")
                    ? Path.of(System.getProperty("user.home"), place.substring(2))
                    : Path.of(place);
        } catch (InvalidPathException e) {
            throw SqlStates.exception(
                    SqlStates.CONNECTION_FAILED, "'" + place + "' is not a path", e);
        }
    }

    boolean readOnly() {
        return options != null && options.readOnly();
    }

    /// The property whose name takes the fewest edits; empty if none takes few for the length of `name`.
    private static String nearest(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        String nearest = "";
        int fewest = 1 + (wanted.length() + 1) / 3;
        for (Property property : Property.values()) {
            int edits = edits(wanted, property.spelling.toLowerCase(Locale.ROOT));
            if (edits < fewest) {
                fewest = edits;
                nearest = property.spelling;
            }
        }
        return nearest;
    }

    /// Levenshtein's distance: insertions, deletions and replacements from `a` to `b`.
    private static int edits(String a, String b) {
        List<Integer> above = new ArrayList<>();
        for (int j = 0; j <= b.length(); j++) {
            above.add(j);
        }
        for (int i = 1; i <= a.length(); i++) {
            List<Integer> row = new ArrayList<>(List.of(i));
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above.get(j - 1) + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row.add(Math.min(replaced, Math.min(above.get(j), row.get(j - 1)) + 1));
            }
            above = row;
        }
        return above.get(b.length());
    }
}
