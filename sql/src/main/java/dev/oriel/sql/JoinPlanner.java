package dev.oriel.sql;

import dev.oriel.sql.Expression.Operator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Chooses the order in which tables are joined, and how.
///
/// Every condition is tested as early as its tables are there. What is joined by INNER and CROSS
/// may come in any order: the side with the fewest rows first, then again and again the one that
/// leaves the fewest, looked up by a key where one fits, else by hashing. An outer join is one side
/// of that, with an order of its own within.
final class JoinPlanner {
    private final List<BoundFrom.Leaf> leaves = new ArrayList<>();

    /// Tables around what is being planned, whose row is there before any of it is read: their
    /// columns count as constants.
    private BitSet outside = new BitSet();

    /// How each part was planned last: the search for an order asks again and again.
    private final IdentityHashMap<BoundFrom, Planned> planned = new IdentityHashMap<>();

    private JoinPlanner() {}

    private record Planned(List<Scalar> conditions, BitSet outside, Tree tree) {
        private boolean isFor(List<Scalar> others, BitSet around) {
            return around.equals(outside) && others.equals(conditions);
        }
    }

    /// A way to join, the tables that it reads, and about how many rows it has.
    private record Tree(Join join, BitSet slots, double rows) {}

    /// A plan for the rows of `from` for which `where` holds.
    ///
    /// @param used positions of the columns that are asked for after the joins
    static Plan plan(BoundFrom from, @Nullable Scalar where, BitSet used) {
        JoinPlanner planner = new JoinPlanner();
        planner.collect(from, used);
        List<Scalar> conditions = new ArrayList<>();
        if (where != null) {
            AccessPlanner.split(where, conditions);
            columns(where, used);
        }
        Tree tree = planner.tree(from, conditions);
        return new Plan.Joined(
                tree.join,
                planner.leaves.stream().map(leaf -> PlanParts.types(leaf)).toList(),
                used);
    }

    /// Adds the positions of the columns that `scalar` reads.
    static void columns(Scalar scalar, BitSet into) {
        if (scalar instanceof Scalar.ColumnRef ref && ref.column() < WindowBinder.FIRST) {
            into.set(ref.column());
        }
        for (Scalar operand : Scalar.operands(scalar)) {
            columns(operand, into);
        }
    }

    private void collect(BoundFrom from, BitSet used) {
        switch (from) {
            case BoundFrom.Leaf leaf -> {
                leaves.add(leaf);
                leaves.sort((a, b) -> Integer.compare(a.slot(), b.slot()));
                if (leaf.lateral() != null) {
                    leaf.lateral().arguments().forEach(argument -> columns(argument, used));
                }
            }
            case BoundFrom.Join join -> {
                collect(join.left(), used);
                collect(join.right(), used);
                join.on().forEach(condition -> columns(condition, used));
            }
        }
    }

    /// The tables whose columns `scalar` reads.
    private BitSet slots(Scalar scalar) {
        BitSet columns = new BitSet();
        columns(scalar, columns);
        BitSet slots = new BitSet();
        for (BoundFrom.Leaf leaf : leaves) {
            int next = columns.nextSetBit(leaf.firstColumn());
            if (next >= 0 && next < leaf.firstColumn() + leaf.width()) {
                slots.set(leaf.slot());
            }
        }
        slots.andNot(outside);
        return slots;
    }

    private static BitSet slots(BoundFrom from) {
        BitSet slots = new BitSet();
        switch (from) {
            case BoundFrom.Leaf leaf -> slots.set(leaf.slot());
            case BoundFrom.Join join -> {
                slots.or(slots(join.left()));
                slots.or(slots(join.right()));
            }
        }
        return slots;
    }

    /// The tables outside of `from` that it needs a row of.
    private BitSet needs(BoundFrom from) {
        BitSet needs = new BitSet();
        switch (from) {
            case BoundFrom.Leaf leaf -> {
                if (leaf.lateral() != null) {
                    leaf.lateral().arguments().forEach(argument -> needs.or(slots(argument)));
                }
            }
            case BoundFrom.Join join -> {
                needs.or(needs(join.left()));
                needs.or(needs(join.right()));
                needs.andNot(slots(from));
            }
        }
        return needs;
    }

    private static boolean within(BitSet part, BitSet whole) {
        BitSet rest = (BitSet) part.clone();
        rest.andNot(whole);
        return rest.isEmpty();
    }

    private static BitSet union(BitSet a, BitSet b) {
        BitSet both = (BitSet) a.clone();
        both.or(b);
        return both;
    }

    private Tree tree(BoundFrom from, List<Scalar> conditions) {
        Planned before = planned.get(from);
        if (before != null && before.isFor(conditions, outside)) {
            return before.tree;
        }
        Tree tree = planned(from, conditions);
        planned.put(from, new Planned(List.copyOf(conditions), (BitSet) outside.clone(), tree));
        return tree;
    }

    private Tree planned(BoundFrom from, List<Scalar> conditions) {
        List<BoundFrom> sides = new ArrayList<>();
        List<Scalar> all = new ArrayList<>(conditions);
        flatten(from, sides, all);
        return sides.size() == 1 ? side(sides.getFirst(), all) : group(sides, all);
    }

    private static void flatten(BoundFrom from, List<BoundFrom> sides, List<Scalar> conditions) {
        if (from instanceof BoundFrom.Join join && join.kind() == BoundFrom.Kind.INNER) {
            flatten(join.left(), sides, conditions);
            flatten(join.right(), sides, conditions);
            conditions.addAll(join.on());
        } else {
            sides.add(from);
        }
    }

    /// One side of inner joins by itself.
    private Tree side(BoundFrom from, List<Scalar> conditions) {
        return switch (from) {
            case BoundFrom.Leaf leaf -> source(leaf, conditions, new BitSet()).tree;
            case BoundFrom.Join join ->
                    join.kind() == BoundFrom.Kind.FULL
                            ? full(join, conditions)
                            : left(join, conditions);
        };
    }

    /// A table read with all of `conditions` tested.
    ///
    /// @param bounded whether its bounds depend on other tables
    /// @param equal whether equal ones do
    private record Sourced(Tree tree, boolean bounded, boolean equal) {}

    /// @param known tables whose row is there when this one is read
    private Sourced source(BoundFrom.Leaf leaf, List<Scalar> conditions, BitSet known) {
        BitSet slots = slots((BoundFrom) leaf);
        if (leaf.table() == null) {
            Plan plan = leaf.plan();
            if (plan == null) {
                throw new IllegalStateException(leaf.name() + " is neither table nor query");
            }
            Join source = new Join.Source(leaf.slot(), leaf.name(), plan, leaf.lateral());
            double rows = Estimate.rows(plan) * Math.pow(Estimate.KEPT, conditions.size());
            return new Sourced(new Tree(filtered(source, conditions), slots, rows), false, false);
        }
        AccessPlanner.Access access =
                AccessPlanner.choose(
                        leaf.table(),
                        leaf.firstColumn(),
                        scalar -> within(slots(scalar), known),
                        conditions);
        Join source = new Join.Source(leaf.slot(), leaf.name(), access.scan(), null);
        Join join = access.filter() == null ? source : new Join.Filtered(source, access.filter());
        List<Scalar> filters = new ArrayList<>();
        if (access.filter() != null) {
            AccessPlanner.split(access.filter(), filters);
        }
        double rows = Estimate.rows(access.scan()) * Math.pow(Estimate.KEPT, filters.size());
        boolean equal = true;
        for (Plan.Bounds part : access.scan().parts()) {
            equal &=
                    part.equal().stream()
                            .anyMatch(value -> value != null && !Scalar.isRowFree(value));
        }
        boolean bounded = false;
        for (Scalar value : PlanParts.scalars(access.scan())) {
            bounded |= !Scalar.isRowFree(value);
        }
        return new Sourced(new Tree(join, slots, rows), bounded, equal);
    }

    private static Join filtered(Join join, List<Scalar> conditions) {
        Scalar all = AccessPlanner.all(conditions);
        return all == null ? join : new Join.Filtered(join, all);
    }

    private static List<Integer> list(BitSet slots) {
        return slots.stream().boxed().toList();
    }

    /// Takes those of `conditions` that can be tested on a row of `slots`.
    private List<Scalar> take(List<Scalar> conditions, BitSet slots) {
        List<Scalar> taken = new ArrayList<>();
        for (Scalar condition : conditions) {
            if (within(slots(condition), slots)) {
                taken.add(condition);
            }
        }
        drop(conditions, taken);
        return taken;
    }

    /// Those of `conditions` that are about `slots` and nothing else.
    private List<Scalar> own(List<Scalar> conditions, BitSet slots) {
        List<Scalar> own = new ArrayList<>();
        for (Scalar condition : conditions) {
            BitSet read = slots(condition);
            if (!read.isEmpty() && within(read, slots)) {
                own.add(condition);
            }
        }
        return own;
    }

    private static void drop(List<Scalar> conditions, List<Scalar> taken) {
        Set<Scalar> these = Collections.newSetFromMap(new IdentityHashMap<>());
        these.addAll(taken);
        conditions.removeIf(these::contains);
    }

    private Tree group(List<BoundFrom> sides, List<Scalar> conditions) {
        List<Scalar> open = new ArrayList<>(conditions);
        List<BoundFrom> remaining = new ArrayList<>(sides);
        Tree best = null;
        BoundFrom first = null;
        for (BoundFrom side : remaining) {
            if (!needs(side).isEmpty()) {
                continue;
            }
            Tree tree = tree(side, own(open, slots(side)));
            if (best == null || tree.rows < best.rows) {
                best = tree;
                first = side;
            }
        }
        if (best == null) {
            throw new IllegalStateException("every table needs another one first");
        }
        remaining.remove(first);
        drop(open, own(open, best.slots));
        best = new Tree(filtered(best.join, take(open, best.slots)), best.slots, best.rows);
        while (!remaining.isEmpty()) {
            best = next(best, remaining, open);
        }
        return best;
    }

    /// `tree` joined with the one of `remaining` that leaves the fewest rows; one that no condition
    /// joins comes last.
    private Tree next(Tree tree, List<BoundFrom> remaining, List<Scalar> open) {
        Tree best = null;
        BoundFrom taken = null;
        boolean bestJoined = false;
        for (BoundFrom side : remaining) {
            if (!within(needs(side), tree.slots)) {
                continue;
            }
            List<Scalar> conditions = take(new ArrayList<>(open), union(tree.slots, slots(side)));
            boolean joined = !needs(side).isEmpty();
            for (Scalar condition : conditions) {
                joined |= slots(condition).intersects(tree.slots);
            }
            Tree candidate = inner(tree, side, conditions);
            if (best == null
                    || (joined && !bestJoined)
                    || (joined == bestJoined && candidate.rows < best.rows)) {
                best = candidate;
                taken = side;
                bestJoined = joined;
            }
        }
        if (best == null) {
            throw new IllegalStateException("every table left needs another one first");
        }
        remaining.remove(taken);
        take(open, best.slots);
        return best;
    }

    private Tree inner(Tree outer, BoundFrom side, List<Scalar> conditions) {
        if (!needs(side).isEmpty()) {
            return reopened(outer, side, conditions, false);
        }
        Tree loop = lookedUp(outer, side, conditions, false);
        return loop == null
                ? hashed(BoundFrom.Kind.INNER, outer, side, conditions, List.of())
                : loop;
    }

    /// `side`, which needs a row of `outer`, read anew for each.
    private Tree reopened(Tree outer, BoundFrom side, List<Scalar> conditions, boolean left) {
        BitSet around = outside;
        outside = union(around, outer.slots);
        Tree inner = tree(side, conditions);
        outside = around;
        BitSet slots = slots(side);
        Join loop = new Join.Loop(outer.join, inner.join, left, list(slots));
        double each = left ? Math.max(1, inner.rows) : inner.rows;
        return new Tree(loop, union(outer.slots, slots), outer.rows * each);
    }

    /// `side` read anew for each row of `outer`, by a key that fits; null where none does.
    private @Nullable Tree lookedUp(
            Tree outer, BoundFrom side, List<Scalar> conditions, boolean left) {
        if (!(side instanceof BoundFrom.Leaf leaf)) {
            return null;
        }
        Sourced source = source(leaf, conditions, outer.slots);
        boolean hashable = keys(conditions, outer.slots, slots(side)) != null;
        if (!source.equal && (!source.bounded || hashable)) {
            return null;
        }
        BitSet slots = slots(side);
        Join loop = new Join.Loop(outer.join, source.tree.join, left, list(slots));
        double each = left ? Math.max(1, source.tree.rows) : source.tree.rows;
        return new Tree(loop, union(outer.slots, slots), outer.rows * each);
    }

    /// Equalities between two sets of tables.
    private record Keys(List<Scalar> probe, List<Scalar> build, List<Scalar> conditions) {}

    private @Nullable Keys keys(List<Scalar> conditions, BitSet probe, BitSet build) {
        Keys keys = new Keys(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (Scalar condition : conditions) {
            if (!(condition instanceof Condition.Comparison comparison)
                    || comparison.operator() != Operator.EQUAL) {
                continue;
            }
            BitSet left = slots(comparison.left());
            BitSet right = slots(comparison.right());
            if (left.isEmpty() || right.isEmpty()) {
                continue;
            }
            boolean asIs = within(left, probe) && within(right, build);
            if (asIs || (within(right, probe) && within(left, build))) {
                keys.probe.add(asIs ? comparison.left() : comparison.right());
                keys.build.add(asIs ? comparison.right() : comparison.left());
                keys.conditions.add(condition);
            }
        }
        return keys.conditions.isEmpty() ? null : keys;
    }

    /// @param unpushed conditions to test after the look-up, whatever tables they are of
    private Tree hashed(
            BoundFrom.Kind kind,
            Tree probe,
            BoundFrom side,
            List<Scalar> conditions,
            List<Scalar> unpushed) {
        List<Scalar> open = new ArrayList<>(conditions);
        BitSet slots = slots(side);
        List<Scalar> own = own(open, slots);
        drop(open, own);
        open.addAll(unpushed);
        Tree build = tree(side, own);
        Keys keys = keys(open, probe.slots, slots);
        if (keys != null) {
            drop(open, keys.conditions);
        }
        double rows = keys == null ? probe.rows * build.rows : Math.max(probe.rows, build.rows);
        rows *= Math.pow(Estimate.KEPT, open.size());
        Join join =
                new Join.Hash(
                        kind,
                        probe.join,
                        build.join,
                        keys == null ? List.of() : List.copyOf(keys.probe),
                        keys == null ? List.of() : List.copyOf(keys.build),
                        AccessPlanner.all(open),
                        list(probe.slots),
                        list(slots));
        double least = kind == BoundFrom.Kind.INNER ? 0 : probe.rows;
        return new Tree(join, union(probe.slots, slots), Math.max(least, rows));
    }

    /// LEFT: of the conditions from above only those of the left side may be tested before.
    private Tree left(BoundFrom.Join join, List<Scalar> conditions) {
        List<Scalar> above = new ArrayList<>(conditions);
        BitSet kept = slots(join.left());
        Tree outer = tree(join.left(), take(above, kept));
        Tree tree =
                needs(join.right()).isEmpty()
                        ? lookedUp(outer, join.right(), join.on(), true)
                        : reopened(outer, join.right(), join.on(), true);
        if (tree == null) {
            tree = hashed(BoundFrom.Kind.LEFT, outer, join.right(), join.on(), List.of());
        }
        return new Tree(filtered(tree.join, above), tree.slots, tree.rows);
    }

    /// FULL: nothing may be tested before, neither from above nor from ON.
    private Tree full(BoundFrom.Join join, List<Scalar> conditions) {
        Tree probe = tree(join.left(), List.of());
        Tree tree = hashed(BoundFrom.Kind.FULL, probe, join.right(), List.of(), join.on());
        return new Tree(filtered(tree.join, conditions), tree.slots, tree.rows);
    }
}
