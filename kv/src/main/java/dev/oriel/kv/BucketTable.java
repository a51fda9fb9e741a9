package dev.oriel.kv;

import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.row.RowBytes;
import dev.oriel.table.value.Tuple;
import java.util.List;
import java.util.Locale;

/// Storage of a bucket: the table `bucket_NAME`.
///
/// ```sql
/// CREATE TABLE bucket_sessions (
///     key        VARCHAR PRIMARY KEY,
///     value      BLOB NOT NULL,
///     flags      BIGINT,                    -- the 32 bits that clients keep with a value, unsigned
///     expires_at TIMESTAMP WITH TIME ZONE,  -- the row is absent from then on
///     cas        BIGINT NOT NULL)           -- updated by every change, by SQL too
/// ```
/// Belongs to one session.
final class BucketTable {
    static final int KEY = 0;
    static final int VALUE = 1;
    static final int FLAGS = 2;
    static final int EXPIRES_AT = 3;
    static final int CAS = 4;

    /// Number of a bucket's own columns; columns added by users may follow.
    static final int OWN_COLUMNS = 5;

    /// memcached's limit on a key is 250 bytes.
    static final int KEY_CHARS_MAX = 250;

    private static final String PREFIX = "bucket_";
    private static final int NAME_CHARS_MAX = 100;

    private static final List<Column> COLUMNS =
            List.of(
                    new Column("KEY", Type.varchar(KEY_CHARS_MAX), false),
                    new Column("VALUE", Type.of(Type.Name.BLOB), false),
                    new Column("FLAGS", Type.of(Type.Name.BIGINT), true),
                    new Column(
                            "EXPIRES_AT",
                            Type.of(Type.Name.TIMESTAMP_TZ),
                            true,
                            Column.Role.EXPIRY),
                    new Column("CAS", Type.of(Type.Name.BIGINT), false, Column.Role.VERSION));

    private final long version;
    private final Table definition;
    private final RowBytes row;
    private final Tuple tuple;
    private final boolean hasOthers;
    private final boolean fillsOthers;

    private BucketTable(long version, Table definition, RowBytes row) {
        this.version = version;
        this.definition = definition;
        this.row = row;
        this.tuple = new Tuple(definition.columns().size());
        this.hasOthers = definition.columns().size() > OWN_COLUMNS;
        this.fillsOthers =
                definition.columns().stream()
                        .skip(OWN_COLUMNS)
                        .anyMatch(column -> column.filling() != null);
    }

    /// The name of the table of bucket `name`, as SQL spells it.
    static String tableName(String name) {
        checkName("bucket", name);
        return (PREFIX + name).toUpperCase(Locale.ROOT);
    }

    /// @param kind "bucket" or "map"
    static void checkName(String kind, String name) {
        boolean plain = name != null && !name.isEmpty() && name.length() <= NAME_CHARS_MAX;
        for (int i = 0; plain && i < name.length(); i++) {
            char c = name.charAt(i);
            plain = c < 0x80 && (Character.isLetterOrDigit(c) || "_-.%$".indexOf(c) >= 0);
        }
        if (!plain) {
            throw new UsageException(
                    "The name of a "
                            + kind
                            + " is 1 to 100 letters, digits, and the characters _ - . % $",
                    "name=" + name);
        }
    }

    /// The name of the bucket stored in `table`; empty if it is not a bucket's table.
    static String bucketName(Table table) {
        boolean ours =
                table.name().toLowerCase(Locale.ROOT).startsWith(PREFIX) && fits(table.columns());
        return ours ? table.name().substring(PREFIX.length()).toLowerCase(Locale.ROOT) : "";
    }

    private static boolean fits(List<Column> columns) {
        return columns.size() >= COLUMNS.size()
                && columns.subList(0, COLUMNS.size()).equals(COLUMNS);
    }

    /// The table as `transaction` sees it.
    ///
    /// @throws UsageException if it was dropped, or is not a bucket's
    static BucketTable of(TableTransaction transaction, String tableName) {
        Catalog catalog = transaction.catalog();
        Table table = catalog.table(SearchPath.named("", tableName));
        if (table == null) {
            throw new UsageException(
                    "The bucket has been dropped; open it again to create it",
                    "table=" + tableName);
        }
        if (!fits(table.columns())) {
            throw new UsageException(
                    "A table of this name exists and is not a bucket; choose another name",
                    "table=" + tableName);
        }
        return new BucketTable(catalog.version(), table, transaction.rowOf(table));
    }

    long version() {
        return version;
    }

    Table definition() {
        return definition;
    }

    RowBytes row() {
        return row;
    }

    Tuple tuple() {
        return tuple;
    }

    /// Whether users have added columns.
    boolean hasOthers() {
        return hasOthers;
    }

    /// Whether an added column has a default, identity or generated value.
    boolean fillsOthers() {
        return fillsOthers;
    }

    static void create(TableTransaction transaction, String tableName) {
        transaction.create(new Table(0, tableName, COLUMNS, List.of(KEY), List.of()));
    }
}
