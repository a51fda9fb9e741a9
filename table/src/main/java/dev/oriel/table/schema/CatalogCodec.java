package dev.oriel.table.schema;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.MaterializedView;
import dev.oriel.table.definition.NamedSchema;
import dev.oriel.table.definition.Names;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.TimePrecision;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import dev.oriel.table.definition.View;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.ShortText;
import dev.oriel.table.value.Utf8;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Definitions as bytes, the values of the tree `sys.catalog`. Numbers are little-endian.
///
/// Keys are numbers as [KeyCodec] writes them: 0 for the header, else the number of a table, a view or a sequence.
/// A value begins with a version byte, 2 or, for a table with an index that is not ascending or with an expression
/// that names VARCHAR_IGNORECASE, 3. A reader knows 1 as well and refuses others.
///
/// ```
/// header:   u8 version, u64 next number
/// table:    u8 version, u8 1, text name,
///           u16 columns:     text name, type, u8 role, filling
///           u16 primary key: u16 column
///           text name of the primary key
///           u16 indexes:     u64 number, text name, u8 kind, u8 flags (1 unique, 2 constraint; without 1
///                            tested at the commit, 4 terms, 8 NULLs are equal, 32 orders),
///                            u16 columns: u16 column, [terms], [u16 orders: u8 order]
///           u16 checks:      text name, long expression
///           u16 foreign keys: text name, u16 columns: u16 column, u64 parent,
///                            u16 parent columns: u16 column, u8 on delete, u8 on update,
///                            u8 flags (1 initially deferred, 2 MATCH FULL,
///                            4 deferrable, initially immediate, 8 some columns),
///                            [u16 columns that ON DELETE sets: u16 column]
///           long missing:    a row, of which older rows read the columns that they do not have
/// terms:    u16 expressions: long expression, type; long condition, empty if there is none
/// view:     u8 version, u8 2, text name, u16 columns: text name, text read; long query
/// graph:    u8 version, u8 6, text name, u16 vertices: element, u16 edges: element, end, end
/// element:  text alias, text label, u64 table, names key, u16 properties: text name, text column
/// end:      text alias of vertices, names columns          names: u16 count: text
/// sequence: u8 version, u8 3, text name, u64 start, u64 increment, u64 least, u64 most, u8 cycle,
///           u64 owner
/// comments: u8 version, u8 4, u64 number of the definition,
///           u16 texts: u8 part (0 the whole, 1 a column, 2 an index), text name, long text
/// external: u8 version, u8 5, text name, u16 columns: text name, type, u8 nullable,
///           u16 options: text name, long value
/// schema:   u8 version, u8 16, text name
/// function: u8 version, u8 18, text name, text schema, u8 flags (1 rows, 2 strict), u8 volatility,
///           u16 parameters: text name, type, u8 default, [long default];
///           u16 columns: text name, type; u16 path: text schema; u8 form, long body
/// results:  u8 version, u8 20, u64 number of the table, u16 columns: text read; long query, u8 populated
/// text:     u16 bytes, UTF-8          long: u32 bytes
///           A name outside of PUBLIC stands after that of its schema and a 0.
/// user type: u8 version, u8 7, type
/// type:     u8 name, u32 length, u32 scale; of an ARRAY the type of its elements follows
///           | u8 23, u64 number, text name, u16 labels: text, u64 place
///           | u8 24, u64 number, text name, type base, u8 flags (1 not null, 2 default), [long default],
///             u16 checks: text name, long expression
///           | u8 27, u64 number, text name, u16 attributes: text name, type
/// role:     1 nullable, 2 the row is absent from this moment on, 4 updated by every change
/// filling:  0 none | 1 default, long expression | 2 generated, long expression
///           | 3 identity, u8 always, u64 sequence
/// order:    0 ASC, 1 DESC, 2 ASC NULLS FIRST, 3 DESC NULLS LAST
/// action:   0 NO ACTION, 1 RESTRICT, 2 CASCADE, 3 SET NULL, 4 SET DEFAULT
/// ```
/// In version 1 a table had no kind and ended with its indexes, whose flags and columns' fillings it did not have.
/// Table `N` keeps its rows in the tree `tN`, BTREE index `N` its entries in `iN`.
public final class CatalogCodec {
    /// Flags of a foreign key.

    private static final int FULL = 2;

    private static final int SOME_DELETED = 8;

    public static final String TREE = "sys.catalog";
    public static final long HEADER_KEY = 0;

    static final int VERSION = 2;

    /// Version of a table with an index whose keys are not all ascending, or with an expression that names the type
    /// VARCHAR_IGNORECASE. Older releases refuse it: they would read its entries in another order.
    private static final int LATEST_VERSION = 3;

    private static final int FIRST_VERSION = 1;
    private static final int NULLABLE = 1;
    private static final int EXPIRY = 2;
    private static final int ROW_VERSION = 4;
    private static final int ON_UPDATE = 8;
    private static final int FILLS_NULL = 16;
    private static final int NAME_BYTES_MAX = 1000;
    private static final int TEXT_BYTES_MAX = 0xFFFF;
    private static final int TABLE = 1;
    private static final int VIEW = 2;
    private static final int SEQUENCE = 3;
    private static final int COMMENTS = 4;
    private static final int EXTERNAL = 5;
    private static final int NAMED_SCHEMA = 16;

    /// A view with a check option. Older releases refuse it; they would not enforce the option.
    private static final int CHECKED_VIEW = 17;

    private static final int PARTITION = 19;

    private static final int UNIQUE = 1;
    private static final int NULLS_EQUAL = 8;
    private static final int NULLS_ALL_DISTINCT = 16;
    private static final int CONSTRAINT = 2;
    private static final int TERMS = 4;
    private static final int ORDERS = 32;

    private CatalogCodec() {}

    /// The definition of a number.
    public sealed interface Definition {
        /// A table, the numbers of its indexes, and the row that holds the columns added after older rows were
        /// written.
        @SuppressWarnings("ArrayRecordComponent") // never changed
        record OfTable(Table table, List<Long> indexIds, byte[] missing) implements Definition {}

        record OfView(View view) implements Definition {}

        record OfSequence(Sequence sequence) implements Definition {}

        record OfNote(Note note) implements Definition {}

        record OfGraph(PropertyGraph graph) implements Definition {}
    }

    public static Slice key(long id) {
        NativeBuffer buffer = new NativeBuffer(16);
        KeyCodec.putLong(buffer, id);
        return buffer.slice(new Slice());
    }

    public static long id(Slice key) {
        return new KeyReader().over(key).takeLong();
    }

    public static Slice header(long nextId) {
        NativeBuffer out = new NativeBuffer(16);
        out.putByte(VERSION);
        out.putLong(nextId);
        return out.slice(new Slice());
    }

    public static long nextId(Slice header) {
        ByteBuffer in = bytes(header);
        try {
            version(in);
        } catch (UnknownCodeException e) {
            throw damaged(HEADER_KEY, e);
        }
        if (in.remaining() != Long.BYTES) {
            throw new CorruptionException(
                    "The header of the catalog is damaged; restore a backup",
                    "bytes=" + header.length());
        }
        return in.getLong();
    }

    public static Slice encode(TableEntry entry) {
        NativeBuffer out = new NativeBuffer(512);
        Table table = entry.table();
        boolean ordered = false;
        for (IndexEntry index : entry.indexes()) {
            ordered |= !index.definition().orders().isEmpty();
        }
        out.putByte(ordered || FoldedTypeNames.areIn(table) ? LATEST_VERSION : VERSION);
        out.putByte(TABLE);
        putName(out, named(table.schema(), table.name()));
        out.putShort(table.columns().size());
        for (Column column : table.columns()) {
            putName(out, column.name());
            putType(out, column.type());
            out.putByte(flags(column));
            putFilling(out, column.filling());
            if (column.update() != null) {
                putLongText(out, column.update());
            }
        }
        putColumns(out, table.primaryKey());
        putName(out, table.constraints().primaryKey());
        out.putShort(entry.indexes().size());
        for (IndexEntry index : entry.indexes()) {
            Index definition = index.definition();
            out.putLong(index.id());
            putName(out, definition.name());
            out.putByte(
                    switch (definition.kind()) {
                        case BTREE -> 1;
                        case ARRAY -> 2;
                        case SEARCH -> 3;
                    });
            out.putByte(
                    (definition.unique() ? UNIQUE : 0)
                            | (definition.constraint() ? CONSTRAINT : 0)
                            | (definition.terms() == null ? 0 : TERMS)
                            | (definition.orders().isEmpty() ? 0 : ORDERS)
                            | switch (definition.nulls()) {
                                case DISTINCT -> 0;
                                case NOT_DISTINCT -> NULLS_EQUAL;
                                case ALL_DISTINCT -> NULLS_ALL_DISTINCT;
                            });
            putColumns(out, definition.columns());
            if (definition.terms() != null) {
                putTerms(out, definition.terms());
            }
            if (!definition.orders().isEmpty()) {
                out.putShort(definition.orders().size());
                definition.orders().forEach(order -> out.putByte(TypeCodes.code(order)));
            }
        }
        putConstraints(out, table.constraints());
        byte[] missing = entry.missing();
        out.putInt(missing.length);
        out.putBytes(missing);
        return out.slice(new Slice());
    }

    private static void putFilling(NativeBuffer out, @Nullable ColumnDefault filling) {
        switch (filling) {
            case null -> out.putByte(0);
            case ColumnDefault.Default value -> {
                out.putByte(1);
                putLongText(out, value.expression());
            }
            case ColumnDefault.Generated value -> {
                out.putByte(2);
                putLongText(out, value.expression());
            }
            case ColumnDefault.Identity identity -> {
                out.putByte(3);
                out.putByte(identity.always() ? 1 : 0);
                out.putLong(identity.sequence());
            }
        }
    }

    private static void putConstraints(NativeBuffer out, Constraints constraints) {
        out.putShort(constraints.checks().size());
        for (Check check : constraints.checks()) {
            putName(out, check.name());
            putLongText(out, check.expression());
        }
        out.putShort(constraints.foreignKeys().size());
        for (ForeignKey key : constraints.foreignKeys()) {
            putName(out, key.name());
            putColumns(out, key.columns());
            out.putLong(key.parent());
            putColumns(out, key.parentColumns());
            out.putByte(TypeCodes.code(key.onDelete()));
            out.putByte(TypeCodes.code(key.onUpdate()));
            boolean some = !key.deleted().isEmpty();
            out.putByte(
                    TypeCodes.flag(key.deferral())
                            | (key.full() ? FULL : 0)
                            | (some ? SOME_DELETED : 0));
            if (some) {
                putColumns(out, key.deleted());
            }
        }
    }

    public static Slice encode(View view) {
        NativeBuffer out = new NativeBuffer(512);
        out.putByte(VERSION);
        out.putByte(view.checkOption() == View.CheckOption.NONE ? VIEW : CHECKED_VIEW);
        putName(out, named(view.schema(), view.name()));
        out.putShort(view.columns().size());
        for (int i = 0; i < view.columns().size(); i++) {
            putName(out, view.columns().get(i));
            putName(out, view.reads().get(i));
        }
        putLongText(out, view.query());
        if (view.checkOption() != View.CheckOption.NONE) {
            out.putByte(view.checkOption() == View.CheckOption.LOCAL ? 1 : 2);
        }
        return out.slice(new Slice());
    }

    public static Slice encode(Sequence sequence) {
        NativeBuffer out = new NativeBuffer(128);
        out.putByte(VERSION);
        out.putByte(SEQUENCE);
        putName(out, named(sequence.schema(), sequence.name()));
        out.putLong(sequence.start());
        out.putLong(sequence.increment());
        out.putLong(sequence.least());
        out.putLong(sequence.most());
        out.putByte(sequence.cycle() ? 1 : 0);
        out.putLong(sequence.owner());
        return out.slice(new Slice());
    }

    public static Slice encode(Note note) {
        NativeBuffer out = new NativeBuffer(512);
        out.putByte(VERSION);
        switch (note) {
            case Comments comments -> {
                out.putByte(COMMENTS);
                NoteCodec.put(out, comments);
            }
            case ExternalTable table -> {
                out.putByte(EXTERNAL);
                NoteCodec.put(out, table);
            }
            case UserType type -> {
                out.putByte(UserTypeCodec.KIND);
                UserTypeCodec.putType(out, type);
            }
            case MaterializedView view -> {
                out.putByte(NoteCodec.MATERIALIZED_VIEW);
                NoteCodec.put(out, view);
            }
            case NamedSchema schema -> {
                out.putByte(NAMED_SCHEMA);
                putName(out, schema.name());
            }
            case Partition partition -> {
                out.putByte(PARTITION);
                NoteCodec.put(out, partition);
            }
            case SqlFunction function -> {
                out.putByte(FunctionCodec.KIND);
                FunctionCodec.put(out, function);
            }
            case Procedure procedure -> {
                out.putByte(ProcedureCodec.KIND);
                ProcedureCodec.put(out, procedure);
            }
            case Trigger trigger -> {
                out.putByte(TriggerCodec.KIND);
                TriggerCodec.put(out, trigger);
            }
        }
        return out.slice(new Slice());
    }

    public static Definition decode(long id, Slice value) {
        try {
            return decodeKnown(id, value);
        } catch (UnknownCodeException e) {
            throw damaged(id, e);
        }
    }

    private static CorruptionException damaged(long id, UnknownCodeException e) {
        return new CorruptionException(String.valueOf(e.getMessage()), "number=" + id, e);
    }

    private static Definition decodeKnown(long id, Slice value) {
        try {
            ByteBuffer in = bytes(value);
            int version = version(in);
            int kind = version == FIRST_VERSION ? TABLE : in.get();
            return switch (kind) {
                case TABLE -> table(id, version, in);
                case VIEW -> new Definition.OfView(view(id, in));
                case CHECKED_VIEW -> {
                    View view = view(id, in);
                    yield new Definition.OfView(view.withCheckOption(checkOption(in)));
                }
                case SEQUENCE -> new Definition.OfSequence(sequence(id, in));
                case COMMENTS -> new Definition.OfNote(NoteCodec.comments(id, in));
                case EXTERNAL -> new Definition.OfNote(NoteCodec.external(id, in));
                case UserTypeCodec.KIND ->
                        new Definition.OfNote(UserTypeCodec.type(in.get(), in).withId(id));
                case NAMED_SCHEMA -> new Definition.OfNote(new NamedSchema(id, name(in)));
                case PARTITION -> new Definition.OfNote(NoteCodec.partition(id, in));
                case NoteCodec.MATERIALIZED_VIEW ->
                        new Definition.OfNote(NoteCodec.materializedView(id, in));
                case FunctionCodec.KIND -> new Definition.OfNote(FunctionCodec.function(id, in));
                case ProcedureCodec.KIND -> new Definition.OfNote(ProcedureCodec.procedure(id, in));
                case TriggerCodec.KIND -> new Definition.OfNote(TriggerCodec.trigger(id, in));
                case GraphCodec.KIND -> new Definition.OfGraph(GraphCodec.decode(id, in));
                default -> throw unknown("kind of definition");
            };
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new CorruptionException(
                    "A definition in the catalog is damaged; restore a backup", "number=" + id, e);
        }
    }

    private static int flags(Column column) {
        int role =
                switch (column.role()) {
                    case PLAIN -> 0;
                    case EXPIRY -> EXPIRY;
                    case VERSION -> ROW_VERSION;
                };
        int update = column.update() == null ? 0 : ON_UPDATE;
        int filled = column.fillsNull() ? FILLS_NULL : 0;
        return role | update | filled | (column.nullable() ? NULLABLE : 0);
    }

    private static Column.Role role(int flags) {
        return switch (flags & ~(NULLABLE | ON_UPDATE | FILLS_NULL)) {
            case 0 -> Column.Role.PLAIN;
            case EXPIRY -> Column.Role.EXPIRY;
            case ROW_VERSION -> Column.Role.VERSION;
            default -> throw unknown("kind of column");
        };
    }

    private static Definition table(long id, int version, ByteBuffer in) {
        boolean first = version == FIRST_VERSION;
        String name = name(in);
        int columnCount = in.getShort() & 0xFFFF;
        List<Column> columns = new ArrayList<>(columnCount);
        for (int i = 0; i < columnCount; i++) {
            String columnName = name(in);
            Type type = type(in);
            int flags = in.get();
            ColumnDefault filling = first ? null : filling(in);
            boolean nullable = (flags & NULLABLE) != 0;
            String update = (flags & ON_UPDATE) != 0 ? longText(in) : null;
            boolean fillsNull = (flags & FILLS_NULL) != 0;
            columns.add(
                    new Column(
                            columnName, type, nullable, filling, role(flags), update, fillsNull));
        }
        List<Integer> primaryKey = columns(in);
        String primaryKeyName = first ? "" : name(in);
        int indexCount = in.getShort() & 0xFFFF;
        List<Index> indexes = new ArrayList<>(indexCount);
        List<Long> ids = new ArrayList<>(indexCount);
        for (int i = 0; i < indexCount; i++) {
            ids.add(in.getLong());
            indexes.add(index(in));
        }
        Constraints constraints = Constraints.NONE;
        byte[] missing = {};
        if (!first) {
            constraints = constraints(primaryKeyName, in);
            missing = new byte[length(in, in.getInt())];
            in.get(missing);
        }
        demandColumns(id, columns, primaryKey);
        for (Index index : indexes) {
            demandColumns(id, columns, index.columns());
        }
        for (ForeignKey key : constraints.foreignKeys()) {
            demandColumns(id, columns, key.columns());
        }
        Table table =
                new Table(id, bare(name), columns, primaryKey, indexes, constraints, schema(name));
        Table read = version < LATEST_VERSION ? FoldedTypeNames.plain(table) : table;
        return new Definition.OfTable(read, ids, missing);
    }

    private static void demandColumns(long id, List<Column> columns, List<Integer> chosen) {
        for (int column : chosen) {
            if (column >= columns.size()) {
                throw new CorruptionException(
                        "A definition names a column that its table does not have; restore a backup",
                        "number=%d column=%d columns=%d".formatted(id, column, columns.size()));
            }
        }
    }

    private static @Nullable ColumnDefault filling(ByteBuffer in) {
        return switch (in.get()) {
            case 0 -> null;
            case 1 -> new ColumnDefault.Default(longText(in));
            case 2 -> new ColumnDefault.Generated(longText(in));
            case 3 -> new ColumnDefault.Identity(in.get() == 1, in.getLong());
            default -> throw unknown("filling of a column");
        };
    }

    private static Constraints constraints(String primaryKey, ByteBuffer in) {
        int checkCount = in.getShort() & 0xFFFF;
        List<Check> checks = new ArrayList<>(checkCount);
        for (int i = 0; i < checkCount; i++) {
            checks.add(new Check(name(in), longText(in)));
        }
        int keyCount = in.getShort() & 0xFFFF;
        List<ForeignKey> keys = new ArrayList<>(keyCount);
        for (int i = 0; i < keyCount; i++) {
            String name = name(in);
            List<Integer> columns = columns(in);
            long parent = in.getLong();
            List<Integer> parentColumns = columns(in);
            ForeignKey.Action onDelete = TypeCodes.action(in.get());
            ForeignKey.Action onUpdate = TypeCodes.action(in.get());
            int flags = in.get();
            keys.add(
                    new ForeignKey(
                            name,
                            columns,
                            parent,
                            parentColumns,
                            onDelete,
                            onUpdate,
                            TypeCodes.deferral(flags & ~(FULL | SOME_DELETED)),
                            (flags & FULL) != 0,
                            (flags & SOME_DELETED) != 0 ? columns(in) : List.of()));
        }
        return new Constraints(primaryKey, checks, keys);
    }

    private static Index index(ByteBuffer in) {
        String name = name(in);
        Index.Kind kind =
                switch (in.get()) {
                    case 1 -> Index.Kind.BTREE;
                    case 2 -> Index.Kind.ARRAY;
                    case 3 -> Index.Kind.SEARCH;
                    default -> throw unknown("kind of index");
                };
        int flags = in.get();
        List<Integer> columns = columns(in);
        Index.Terms terms = (flags & TERMS) == 0 ? null : terms(in);
        boolean constraint = (flags & CONSTRAINT) != 0;
        Index.Nulls nulls =
                (flags & NULLS_EQUAL) != 0
                        ? Index.Nulls.NOT_DISTINCT
                        : (flags & NULLS_ALL_DISTINCT) != 0
                                ? Index.Nulls.ALL_DISTINCT
                                : Index.Nulls.DISTINCT;
        List<KeyOrder> orders = (flags & ORDERS) == 0 ? List.of() : orders(in);
        boolean unique = (flags & UNIQUE) != 0;
        return new Index(name, kind, unique, columns, constraint, terms, nulls, orders);
    }

    private static List<KeyOrder> orders(ByteBuffer in) {
        int count = in.getShort() & 0xFFFF;
        List<KeyOrder> orders = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            orders.add(TypeCodes.keyOrder(in.get()));
        }
        return orders;
    }

    private static void putTerms(NativeBuffer out, Index.Terms terms) {
        out.putShort(terms.expressions().size());
        for (int i = 0; i < terms.expressions().size(); i++) {
            putLongText(out, terms.expressions().get(i));
            putType(out, terms.types().get(i));
        }
        String condition = terms.condition();
        putLongText(out, condition == null ? "" : condition);
    }

    private static Index.Terms terms(ByteBuffer in) {
        int count = in.getShort() & 0xFFFF;
        List<String> expressions = new ArrayList<>(count);
        List<Type> types = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            expressions.add(longText(in));
            types.add(type(in));
        }
        String condition = longText(in);
        return new Index.Terms(expressions, types, condition.isEmpty() ? null : condition);
    }

    private static View view(long id, ByteBuffer in) {
        String name = name(in);
        int count = in.getShort() & 0xFFFF;
        List<String> columns = new ArrayList<>(count);
        List<String> reads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            columns.add(name(in));
            reads.add(name(in));
        }
        return new View(
                id, bare(name), columns, reads, longText(in), schema(name), View.CheckOption.NONE);
    }

    private static View.CheckOption checkOption(ByteBuffer in) {
        return switch (in.get()) {
            case 1 -> View.CheckOption.LOCAL;
            case 2 -> View.CheckOption.CASCADED;
            default -> throw unknown("check option");
        };
    }

    private static Sequence sequence(long id, ByteBuffer in) {
        String name = name(in);
        return new Sequence(
                id,
                bare(name),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.get() == 1,
                in.getLong(),
                schema(name));
    }

    /// A name after its schema's, which is left out for PUBLIC.
    private static String named(String schema, String name) {
        return schema.isEmpty() ? name : schema + Names.SCHEMA_END + name;
    }

    private static String schema(String name) {
        return name.substring(0, Math.max(0, name.indexOf(Names.SCHEMA_END)));
    }

    private static String bare(String name) {
        String schema = schema(name);
        return schema.isEmpty() ? name : name.substring(schema.length() + 1);
    }

    /// Refuses names that the catalog cannot hold.
    public static void checkName(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0
                || bytes > NAME_BYTES_MAX
                || Utf8.unpaired(name) >= 0
                || name.indexOf(Names.SCHEMA_END) >= 0) {
            throw refusedName(name, bytes, "1 to " + NAME_BYTES_MAX);
        }
    }

    private static ConstraintException refusedName(String name, int bytes, String wanted) {
        return new ConstraintException(
                ConstraintException.Kind.INVALID_DEFINITION,
                "A name must be text of " + wanted + " bytes",
                "name=" + ShortText.of(name) + " bytes=" + bytes);
    }

    private static ByteBuffer bytes(Slice value) {
        return ByteBuffer.wrap(value.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int version(ByteBuffer in) {
        int version = in.hasRemaining() ? in.get() : 0;
        if (version < FIRST_VERSION || version > LATEST_VERSION) {
            throw unknown("version of a definition");
        }
        return version;
    }

    static void putType(NativeBuffer out, Type type) {
        if (type.user() != null) {
            UserTypeCodec.putType(out, type.user());
            return;
        }
        out.putByte(TypeCodes.code(type.name()));
        out.putInt(type.length());
        out.putInt(type.scale());
        if (type.element() != null) {
            putType(out, type.element());
        }
    }

    static Type type(ByteBuffer in) {
        return type(in, true);
    }

    private static Type checked(Type type) {
        boolean temporal =
                switch (type.name()) {
                    case TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ -> true;
                    default -> false;
                };
        boolean interval = type.name() == Type.Name.INTERVAL;
        int longest = temporal ? TimePrecision.MAX + 1 : interval ? 2 : Integer.MAX_VALUE;
        if (type.length() < 0 || type.length() > longest) {
            throw unknown("length of a type");
        }
        if (interval && !isInterval(type)) {
            throw unknown("fields of an interval");
        }
        return type;
    }

    private static boolean isInterval(Type type) {
        int first = type.scale() >> 3;
        int last = type.scale() & 7;
        return type.scale() == 0
                || (type.length() == 1 && first >= 1 && last <= 2 && first <= last)
                || (type.length() == 2 && first >= 3 && last <= 6 && first <= last);
    }

    /// @param nested whether an ARRAY is allowed; its elements are no arrays
    private static Type type(ByteBuffer in, boolean nested) {
        int code = in.get();
        if (UserTypeCodec.isOwn(code)) {
            return Type.of(UserTypeCodec.type(code, in));
        }
        Type.Name name = TypeCodes.typeName(code);
        if (name == Type.Name.ARRAY && !nested) {
            throw unknown("type of elements");
        }
        int length = in.getInt();
        int scale = in.getInt();
        if (name == Type.Name.ARRAY) {
            Type element = type(in, false);
            return Type.array(element);
        }
        return checked(new Type(name, length, scale));
    }

    static void putName(NativeBuffer out, String name) {
        int at = out.length();
        out.putShort(0);
        out.putText(name);
        int bytes = out.length() - at - 2;
        if (bytes > TEXT_BYTES_MAX) {
            throw refusedName(name, bytes, "at most " + TEXT_BYTES_MAX);
        }
        out.segment().set(NativeBuffer.SHORT, at, (short) bytes);
    }

    static String name(ByteBuffer in) {
        return text(in, in.getShort() & 0xFFFF);
    }

    static void putLongText(NativeBuffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.putInt(bytes.length);
        out.putBytes(bytes);
    }

    static String longText(ByteBuffer in) {
        return text(in, in.getInt());
    }

    /// `claimed`, if that many bytes are left.
    private static int length(ByteBuffer in, int claimed) {
        if (claimed < 0 || claimed > in.remaining()) {
            throw new BufferUnderflowException();
        }
        return claimed;
    }

    private static String text(ByteBuffer in, int length) {
        byte[] bytes = new byte[length(in, length)];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void putColumns(NativeBuffer out, List<Integer> columns) {
        out.putShort(columns.size());
        for (int column : columns) {
            out.putShort(column);
        }
    }

    private static List<Integer> columns(ByteBuffer in) {
        int count = in.getShort() & 0xFFFF;
        List<Integer> columns = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            columns.add(in.getShort() & 0xFFFF);
        }
        return columns;
    }

    static UnknownCodeException unknown(String what) {
        return new UnknownCodeException(what);
    }

    /// A definition holds a code that is unknown here.
    static final class UnknownCodeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnknownCodeException(String what) {
            super("The catalog holds an unknown " + what + "; open it with a newer release");
        }
    }
}
