package dev.oriel.sql.run;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.FixedDecimalProgram;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Hash aggregation in memory; the groups are returned in the order in which they appeared. GROUPING SETS are
/// returned one set after the other, each with a table of its own. Without keys there is one group, even of no
/// rows, and only its state is kept.
///
/// If the input is a table in the order of a row key that begins with the grouping columns, the rows of a group
/// are adjacent. Then each group is returned when the next one begins, and none is kept.
///
/// When the budget has no room for another group, existing groups continue, and rows of new groups are spilled to
/// [AggregateGroups]. If the state of a group grows with its rows, all further rows are spilled. So are they if
/// the values kept by the groups have become much longer since.
final class AggregateOperator implements Operator, AggregateGroups.Found {
    /// Memory of a group without its keys, in bytes; [#STATE_BYTES] is added for each aggregate.
    private static final int GROUP_BYTES = 136;

    private static final int STATE_BYTES = 64;

    /// Divisor of the budget. If memory exceeds the budget by more than this part of it, rows of existing groups
    /// are spilled too. The buffers of [AggregateGroups] alone stay below that part.
    private static final int MUCH = QueryMemory.PARTS / 2;

    /// Size of the cache of recent groups; a power of two.
    private static final int RECENT = 16;

    private final Operator input;
    private final Plan.Aggregate plan;
    private final Execution execution;
    private final QueryMemory.Share share;
    private final Frame frame;
    private final RowKey probe;
    private final Scalar[] keys;

    /// Positions of the keys that determine the group, and of the functionally dependent keys. The latter are
    /// computed for the first row of a group alone.
    private final int[] telling;

    private final int[] following;
    private final SharedSums sums;
    private final List<Map<RowKey, Group>> tables = new ArrayList<>();

    /// For each set and key whether the key is in the set; null if there is one set, of all keys.
    private final boolean @Nullable [][] within;

    /// The keys of a row, if there are several sets.
    private final Tuple values;

    private final CurrentRow row = new CurrentRow();
    private final Tuple result;

    /// Whether states grow with the rows added.
    private final boolean grows;

    /// Whether states keep counted values, if only one each.
    private final boolean keeps;

    /// The key of the current group if the rows of a group are adjacent; else null.
    private final @Nullable RowKey beside;

    /// The previous group, to be reused, if the rows of a group are adjacent; null at first.
    private @Nullable Group again;

    /// Whether `probe` holds the key of a row that belongs to the next group.
    private boolean pending;

    private int set;
    private long read;
    private long held;

    /// Whether there is no room for new groups, and whether there is none for existing ones.
    private boolean full;

    private boolean crowded;
    private @Nullable AggregateGroups others;
    private @Nullable Iterator<Map.Entry<RowKey, Group>> results;

    /// Recently found groups, by their hash; null if there is none, or the group may be gone.
    private final @Nullable Group[] recent = new @Nullable Group[RECENT];

    AggregateOperator(Operator input, Plan.Aggregate plan, Execution execution) {
        this.input = input;
        this.plan = plan;
        this.execution = execution;
        this.share = execution.memory().share();
        this.frame = new Frame(execution, input.row());
        GroupKeys known = new GroupKeys(plan);
        this.telling = known.telling();
        this.following = othersThan(telling, plan.keys().size());
        this.probe = new RowKey(Scalar.types(plan.keys()), telling);
        this.keys = plan.keys().toArray(Scalar[]::new);
        int keys = plan.keys().size();
        this.values = new Tuple(keys);
        this.result = new Tuple(plan.types().size());
        boolean anyGrows = false;
        boolean anyCounts = false;
        for (AggregateCall call : plan.calls()) {
            anyGrows |= call.grows();
            anyCounts |= ValueBytes.counts(call.type().shape());
        }
        this.grows = anyGrows;
        this.keeps = anyGrows || anyCounts;
        this.beside = !grows && known.isInOrder() ? probe.another() : null;
        this.sums = SharedSums.of(plan.calls());
        int sets = Math.max(plan.sets().size(), 1);
        for (int i = 0; i < sets; i++) {
            tables.add(new LinkedHashMap<>());
        }
        this.within = plan.sets().isEmpty() ? null : new boolean[sets][keys];
        if (within != null) {
            for (int i = 0; i < sets; i++) {
                for (int key : plan.sets().get(i)) {
                    within[i][key] = true;
                }
            }
        }
    }

    private static int[] othersThan(int[] positions, int count) {
        int[] others = new int[count - positions.length];
        int next = 0;
        for (int i = 0; i < count; i++) {
            if (Arrays.binarySearch(positions, i) < 0) {
                others[next++] = i;
            }
        }
        return others;
    }

    /// The aggregates of one group.
    static final class Group {
        private final FixedDecimalProgram program;
        private final Accumulator[] states;

        /// Results by call.
        private final Accumulator[] results;

        private final long number;

        /// Key in the hash table; null if it is not in one.
        private @Nullable RowKey key;

        /// @param number of its first row
        private Group(
                FixedDecimalProgram program,
                Accumulator[] states,
                Accumulator[] results,
                long number) {
            this.program = program;
            this.states = states;
            this.results = results;
            this.number = number;
        }

        long number() {
            return number;
        }

        void add(Frame frame) {
            program.run(frame);
            for (Accumulator state : states) {
                state.add(frame);
            }
        }

        /// Empties the group; false if it cannot.
        private boolean clear() {
            boolean cleared = true;
            for (Accumulator state : states) {
                cleared &= state.clear();
            }
            return cleared;
        }

        /// Releases the memory of its states.
        void close() {
            for (Accumulator state : states) {
                state.close();
            }
        }
    }

    @Override
    public void open() {
        clear();
        share.begin();
        results = null;
        set = 0;
        read = 0;
        full = false;
        crowded = false;
        pending = false;
        input.open();
    }

    @Override
    public boolean next() {
        execution.poll();
        if (beside != null) {
            return nextBeside(beside);
        }
        if (results == null) {
            collect();
            results = tables.getFirst().entrySet().iterator();
        }
        if (others != null) {
            Tuple next = others.next();
            if (next != null) {
                row.set(next);
            }
            return next != null;
        }
        while (!results.hasNext()) {
            if (++set >= tables.size()) {
                set = tables.size();
                return false;
            }
            results = tables.get(set).entrySet().iterator();
        }
        Map.Entry<RowKey, Group> group = results.next();
        result(set, group.getKey().values(), group.getValue(), result);
        row.set(result);
        return true;
    }

    private boolean nextBeside(RowKey key) {
        if (!pending && !nextRow()) {
            return false;
        }
        fill(following);
        key.set(probe.values());
        Group group = again;
        if (group == null || !group.clear()) {
            if (group != null) {
                group.close();
            }
            group = empty(read);
        }
        again = group;
        do {
            group.add(frame);
            pending = nextRow();
        } while (pending && key.isOf(probe.values()));
        result(0, key.values(), group, result);
        row.set(result);
        return true;
    }

    /// Reads the next row, and sets its keys in `probe`.
    private boolean nextRow() {
        if (!input.next()) {
            return false;
        }
        read++;
        fill(telling);
        return true;
    }

    /// Sets the given keys of the row in `probe`.
    private void fill(int[] which) {
        for (int i : which) {
            keys[i].fill(probe, i, frame);
        }
    }

    @Override
    public void result(int of, Row key, Group group, Tuple out) {
        int keys = plan.keys().size();
        for (int i = 0; i < keys; i++) {
            out.copy(i, key, i, plan.keys().get(i).type().shape());
        }
        if (within != null) {
            out.setLong(keys++, of);
        }
        Accumulator[] results = group.results;
        for (int i = 0; i < results.length; i++) {
            results[i].result(out, keys + i);
        }
    }

    private void collect() {
        Group only = null;
        share.mayPutAside(plan.keys().isEmpty());
        for (int i = 0; i < tables.size(); i++) {
            if (within == null ? plan.keys().isEmpty() : plan.sets().get(i).isEmpty()) {
                seek(i);
                Group group = begun(i); // there is one even of no rows
                only = within == null ? group : null;
            }
        }
        while (input.next()) {
            read++;
            if (only != null) {
                only.add(frame);
                continue;
            }
            if (within == null) {
                addToOne();
                continue;
            }
            for (int i = 0; i < keys.length; i++) {
                keys[i].store(values, i, frame);
            }
            for (int i = 0; i < tables.size(); i++) {
                seek(i);
                Group group = group(i);
                if (group != null) {
                    group.add(frame);
                }
            }
        }
        if (others != null) {
            workOff(others);
        }
    }

    /// Adds the row to its group, if there is one set. Mostly it is one of the recent groups.
    private void addToOne() {
        fill(telling);
        probe.rehash();
        int place = probe.hashCode() & (RECENT - 1);
        Group group = recent[place];
        if (group == null || full || !probe.equals(group.key)) {
            group = group(0);
            recent[place] = group;
        } else {
            look();
        }
        if (group != null) {
            group.add(frame);
        }
    }

    /// Sets the key of the row in set `i` in `probe`.
    private void seek(int i) {
        for (int key = 0; key < plan.keys().size(); key++) {
            if (within == null || within[i][key]) {
                probe.values().copy(key, values, key, plan.keys().get(key).type().shape());
            } else {
                probe.values().setNull(key);
            }
        }
        probe.rehash();
    }

    /// The group of the key in set `i`; null if the row is left for later.
    private @Nullable Group group(int i) {
        if (crowded) {
            leave(i);
            return null;
        }
        Group group = tables.get(i).get(probe);
        if (group != null) {
            look();
            return group;
        }
        if (full) {
            leave(i);
            return null;
        }
        return begun(i);
    }

    /// A new group of set `i` with the key in `probe`.
    private Group begun(int i) {
        fill(following);
        Group group = empty(read);
        RowKey key = probe.copy();
        group.key = key;
        tables.get(i).put(key, group);
        long bytes =
                GROUP_BYTES
                        + (long) STATE_BYTES * group.states.length
                        + RowCodec.memoryBytes(key.values(), key.shapes());
        held += bytes;
        share.add(bytes, held);
        full = share.pressed();
        look();
        return group;
    }

    /// Checks the memory budget if states keep values.
    private void look() {
        if (keeps && share.pressed()) {
            full = true;
            QueryMemory memory = share.memory();
            long much = memory.bytesMax() / MUCH;
            boolean isBeyond = memory.used() - memory.bytesMax() > much;
            crowded |= grows || (isBeyond && share.held() > much);
        }
    }

    private void leave(int i) {
        AggregateGroups to = others;
        if (to == null) {
            to = new AggregateGroups(plan, execution, share, input.row(), probe);
            others = to;
            share.mayPutAside(true); // its rows are spilled
        }
        fill(following);
        to.add(i, read, probe);
    }

    private void workOff(AggregateGroups left) {
        if (!crowded) {
            finishTables(left);
        }
        left.work(this);
        finishTables(left);
        left.sort();
    }

    private void finishTables(AggregateGroups left) {
        for (int i = 0; i < tables.size(); i++) {
            left.finish(i, tables.get(i), this);
        }
        forgetTables();
    }

    @Override
    public @Nullable Group remove(int of, RowKey key) {
        return tables.get(of).remove(key);
    }

    @Override
    public Group empty(long number) {
        Accumulator[] states = sums.states(plan.calls(), execution, share);
        return new Group(sums.program(), states, sums.results(states), number);
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public long memoryBytes() {
        return share.most();
    }

    @Override
    public long putAsideBytes() {
        return share.putAside();
    }

    private void forgetTables() {
        Arrays.fill(recent, null);
        for (int i = 0; i < tables.size(); i++) {
            if (!tables.get(i).isEmpty()) {
                tables.set(i, new LinkedHashMap<>());
            }
        }
        share.take(held);
        held = 0;
    }

    private void clear() {
        if (keeps) {
            for (Map<RowKey, Group> groups : tables) {
                groups.values().forEach(Group::close);
            }
            if (again != null) {
                again.close();
                again = null;
            }
        }
        forgetTables();
        if (others != null) {
            others.clear();
            others = null;
        }
    }

    @Override
    public void close() {
        clear();
        results = null;
        input.close();
    }
}
