package dev.oriel.sql.planner;

import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Distribution;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Replacement;
import dev.oriel.sql.plan.Replan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.plan.Subquery;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Function;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Chooses the join order and the join methods.
///
/// Every predicate is tested as soon as its tables are joined. Inner and cross joins are reordered freely, one
/// table after the other. A table is looked up by a key, or is the build side of a hash join, or probes a hash
/// table of the rows so far. For few tables all orders are tried; for many the next table is always the one with
/// the smallest result. An outer join is one side of such a group, with an order of its own within.
public final class JoinPlanner {
    /// Maximum number of tables for which every join order is tried.
    private static final int TRIED_MAX = 8;

    /// Maximum number of candidates for the next table in a greedy search.
    private static final int NEXT_MAX = 16;

    private final Estimate estimate;
    private final JoinEstimate sizes;
    private final List<BoundFrom.Leaf> leaves = new ArrayList<>();

    /// Outer tables of the subplan, whose row is known before any of it is read: their columns count as constants.
    private BitSet outside = new BitSet();

    /// Number of sides of the largest group of inner joins.
    private int groupMax;

    /// Memoized plan of each part: the search for an order asks repeatedly.
    private final IdentityHashMap<BoundFrom, Planned> planned = new IdentityHashMap<>();

    /// Memoized tables whose columns an expression reads, outer tables included.
    private final IdentityHashMap<Scalar, BitSet> slotsRead = new IdentityHashMap<>();

    /// Column equivalences of the group of inner joins being planned.
    private EqualColumns equal = new EqualColumns(_ -> -1);

    private JoinPlanner(Estimate estimate) {
        this.estimate = estimate;
        this.sizes = new JoinEstimate(estimate, this::distribution);
    }

    /// The distribution of a column of the joined row.
    private Distribution distribution(int column) {
        for (BoundFrom.Leaf leaf : leaves) {
            int position = column - leaf.firstColumn();
            if (position >= 0 && position < leaf.width()) {
                if (leaf.table() != null) {
                    return estimate.distribution(leaf.table(), position);
                }
                return leaf.plan() == null
                        ? Distribution.UNKNOWN
                        : estimate.distribution(leaf.plan(), position);
            }
        }
        return Distribution.UNKNOWN;
    }

    private record Planned(List<Scalar> conditions, BitSet outside, Tree tree) {
        private boolean isFor(List<Scalar> others, BitSet around) {
            return around.equals(outside) && others.equals(conditions);
        }
    }

    /// A join tree, the tables that it reads, and its estimated size.
    private record Tree(Join join, BitSet slots, JoinEstimate.Size size) {
        private boolean isCheaperThan(Tree other) {
            return size.cost() < other.size.cost();
        }
    }

    /// A plan for the rows of `from` for which `where` holds.
    ///
    /// @param used positions of the columns that are read after the joins
    public static Plan plan(
            Estimate estimate, BoundFrom from, @Nullable Scalar where, BitSet used) {
        JoinPlanner planner = new JoinPlanner(estimate);
        BitSet asked = (BitSet) used.clone();
        List<Scalar> conditions = new ArrayList<>();
        if (where != null) {
            AccessPlanner.split(where, conditions);
            PlanParts.columns(where, used);
        }
        BoundFrom less = OuterJoins.reduced(from, conditions, estimate);
        BoundFrom needed = JoinElimination.of(less, (BitSet) used.clone(), estimate);
        planner.collect(less, used);
        Tree tree = planner.tree(narrowed(needed, used), conditions);
        estimate.because(tree.join, () -> planner.reason(tree));
        List<List<Type>> types = new ArrayList<>();
        for (BoundFrom.Leaf leaf : planner.leaves) {
            types.add(PlanParts.types(leaf));
        }
        return new Plan.Joined(tree.join, types, asked);
    }

    /// The join order, and how it was found.
    private String reason(Tree tree) {
        List<String> names = new ArrayList<>();
        addNames(tree.join, names);
        if (names.size() == 1) {
            return "";
        }
        return "join order: "
                + String.join(", ", names)
                + (groupMax == 0
                        ? ""
                        : groupMax <= TRIED_MAX
                                ? ", the cheapest of all"
                                : ", the fewest rows first")
                + " at cost "
                + Math.round(tree.size.cost());
    }

    private static void addNames(Join join, List<String> into) {
        switch (join) {
            case Join.Source source -> into.add(source.name().isEmpty() ? "query" : source.name());
            case Join.Filtered filtered -> addNames(filtered.input(), into);
            case Join.Loop loop -> {
                addNames(loop.outer(), into);
                addNames(loop.inner(), into);
            }
            case Join.Hash hash -> {
                addNames(hash.probe(), into);
                addNames(hash.build(), into);
            }
        }
    }

    private void collect(BoundFrom from, BitSet used) {
        switch (from) {
            case BoundFrom.Leaf leaf -> {
                leaves.add(leaf);
                leaves.sort((a, b) -> Integer.compare(a.slot(), b.slot()));
                if (leaf.lateral() != null) {
                    PlanParts.columns(leaf.lateral().arguments(), used);
                }
            }
            case BoundFrom.Join join -> {
                collect(join.left(), used);
                collect(join.right(), used);
                PlanParts.columns(join.on(), used);
            }
        }
    }

    /// `from` with its queries reduced to the columns `used`.
    private static BoundFrom narrowed(BoundFrom from, BitSet used) {
        return switch (from) {
            case BoundFrom.Leaf leaf -> leaf.replan() == null ? leaf : narrowed(leaf, used);
            case BoundFrom.Join join ->
                    new BoundFrom.Join(
                            join.kind(),
                            narrowed(join.left(), used),
                            narrowed(join.right(), used),
                            join.on());
        };
    }

    /// `leaf` reduced to the columns `used`.
    private static BoundFrom.Leaf narrowed(BoundFrom.Leaf leaf, BitSet used) {
        BitSet asked = used.get(leaf.firstColumn(), leaf.firstColumn() + leaf.width());
        Plan plan = leaf.plan();
        Replan anew = leaf.replan();
        if (plan == null || anew == null || asked.cardinality() == leaf.width()) {
            return leaf;
        }
        Plan narrow = PushDown.filtered(plan, anew, List.of(), asked);
        Replan fewer = (conditions, taken, all) -> anew.with(conditions, taken, asked);
        return leaf.replanned(narrow, fewer);
    }

    /// The tables whose columns `scalar` reads.
    private BitSet slots(Scalar scalar) {
        BitSet all = slotsRead.computeIfAbsent(scalar, this::readSlots);
        if (outside.isEmpty()) {
            return all;
        }
        BitSet slots = (BitSet) all.clone();
        slots.andNot(outside);
        return slots;
    }

    private BitSet readSlots(Scalar scalar) {
        BitSet columns = new BitSet();
        PlanParts.columns(scalar, columns);
        BitSet slots = new BitSet();
        for (BoundFrom.Leaf leaf : leaves) {
            int next = columns.nextSetBit(leaf.firstColumn());
            if (next >= 0 && next < leaf.firstColumn() + leaf.width()) {
                slots.set(leaf.slot());
            }
        }
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

    /// The tables outside of `from` whose row it needs.
    private BitSet needs(BoundFrom from) {
        BitSet needs = new BitSet();
        switch (from) {
            case BoundFrom.Leaf leaf -> {
                if (leaf.lateral() != null) {
                    for (Scalar argument : leaf.lateral().arguments()) {
                        needs.or(slots(argument));
                    }
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
        for (int i = part.nextSetBit(0); i >= 0; i = part.nextSetBit(i + 1)) {
            if (!whole.get(i)) {
                return false;
            }
        }
        return true;
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
        Cancellation.pollRunning();
        List<BoundFrom> sides = new ArrayList<>();
        List<Scalar> all = new ArrayList<>(conditions);
        flatten(from, sides, all);
        List<Scalar> last = from instanceof BoundFrom.Join ? ofEachRow(all) : List.of();
        if (sides.size() > 1) {
            imply(sides, all);
        }
        return filtered(sides.size() == 1 ? side(sides.getFirst(), all) : group(sides, all), last);
    }

    /// Takes the volatile predicates that refer to no table, such as `RANDOM() < 0.5`: they are tested on each
    /// joined row.
    private List<Scalar> ofEachRow(List<Scalar> conditions) {
        List<Scalar> taken = new ArrayList<>();
        for (Scalar condition : conditions) {
            if (slots(condition).isEmpty() && PlanParts.calls(condition, Function::isVolatile)) {
                taken.add(condition);
            }
        }
        drop(conditions, taken);
        return taken;
    }

    /// Adds the single-table predicates implied by an OR over several tables, to test them before the join. For
    /// example `(a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y > 4)` implies `a.x = 1 OR a.x = 3`.
    private void imply(List<BoundFrom> sides, List<Scalar> conditions) {
        for (Scalar condition : List.copyOf(conditions)) {
            if (!(condition instanceof Condition.Logical choice)
                    || choice.and()
                    || slots(choice).cardinality() < 2) {
                continue;
            }
            for (BoundFrom side : sides) {
                Cancellation.pollRunning();
                Scalar implied = implied(choice, slots(side));
                if (implied != null && !conditions.contains(implied)) {
                    conditions.add(implied);
                    estimate.note(() -> "imply: " + ScalarText.of(implied));
                }
            }
        }
    }

    /// The predicate on `slots` that `choice` implies; null if a branch has no predicate on them.
    private @Nullable Scalar implied(Condition.Logical choice, BitSet slots) {
        List<Scalar> branches = new ArrayList<>();
        for (Scalar term : choice.terms()) {
            List<Scalar> parts = new ArrayList<>();
            AccessPlanner.split(term, parts);
            List<Scalar> own =
                    own(parts, slots).stream().filter(JoinPlanner::isCheapTwice).toList();
            Scalar all = AccessPlanner.all(own);
            if (all == null) {
                return null;
            }
            if (!branches.contains(all)) {
                branches.add(all);
            }
        }
        return branches.size() == 1
                ? branches.getFirst()
                : new Condition.Logical(false, List.copyOf(branches));
    }

    /// Whether a condition may be evaluated a second time: it calls nothing, and has no subquery.
    private static boolean isCheapTwice(Scalar condition) {
        return !(condition instanceof FunctionCall || condition instanceof Subquery)
                && areCheapTwice(Scalar.operands(condition));
    }

    private static boolean areCheapTwice(List<Scalar> conditions) {
        for (Scalar condition : conditions) {
            if (!isCheapTwice(condition)) {
                return false;
            }
        }
        return true;
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

    /// A table access with all of `conditions` tested.
    ///
    /// @param bounded whether its bounds depend on other tables
    /// @param equal whether equality bounds do
    private record Sourced(Tree tree, boolean bounded, boolean equal) {}

    /// @param known tables whose row is known when this one is read
    private Sourced source(BoundFrom.Leaf leaf, List<Scalar> conditions, BitSet known) {
        BitSet slots = slots((BoundFrom) leaf);
        if (leaf.table() == null) {
            Plan plan = leaf.plan();
            if (plan == null) {
                throw new IllegalStateException(leaf.name() + " is neither table nor query");
            }
            List<Scalar> open = new ArrayList<>(conditions);
            Plan fewer = pushed(leaf, plan, open);
            Join source = new Join.Source(leaf.slot(), leaf.name(), fewer, leaf.lateral());
            Tree tree = new Tree(source, slots, sizes.source(fewer));
            return new Sourced(filtered(tree, open), false, false);
        }
        AccessPlanner.Access access =
                AccessPlanner.choose(
                        estimate,
                        leaf.table(),
                        leaf.firstColumn(),
                        scalar -> within(slots(scalar), known),
                        conditions);
        Join source = new Join.Source(leaf.slot(), leaf.name(), access.scan(), null);
        Tree tree = new Tree(source, slots, sizes.source(access.scan()));
        if (access.filter() != null) {
            tree = filtered(tree, List.of(access.filter()));
        }
        boolean equal = true;
        for (Plan.Bounds part : access.scan().parts()) {
            equal &= hasColumn(part.equal());
        }
        boolean bounded = false;
        for (Scalar value : PlanParts.scalars(access.scan())) {
            bounded |= !Scalar.isRowFree(value);
        }
        return new Sourced(tree, bounded, equal);
    }

    /// `plan` restricted to its rows for which some of `conditions` hold; removes these from the list.
    private static Plan pushed(BoundFrom.Leaf leaf, Plan plan, List<Scalar> conditions) {
        Replan replan = leaf.replan();
        if (replan == null) {
            return plan;
        }
        int first = leaf.firstColumn();
        List<Scalar> own = new ArrayList<>();
        List<Scalar> inner = new ArrayList<>();
        for (Scalar condition : conditions) {
            BitSet read = new BitSet();
            PlanParts.columns(condition, read);
            if (!read.isEmpty()
                    && read.nextSetBit(0) >= first
                    && read.length() <= first + leaf.width()) {
                own.add(condition);
                inner.add(Replacement.of(condition, column -> moved(column, first)));
            }
        }
        List<Scalar> taken = new ArrayList<>();
        Plan fewer = inner.isEmpty() ? null : replan.with(inner, taken, null);
        if (fewer == null) {
            return plan;
        }
        Set<Scalar> inside = Collections.newSetFromMap(new IdentityHashMap<>());
        inside.addAll(taken);
        List<Scalar> dropped = new ArrayList<>();
        for (int i = 0; i < inner.size(); i++) {
            if (inside.contains(inner.get(i))) {
                dropped.add(own.get(i));
            }
        }
        drop(conditions, dropped);
        return fewer;
    }

    private static Scalar moved(Scalar leaf, int first) {
        return leaf instanceof Scalar.ColumnRef ref
                ? new Scalar.ColumnRef(ref.column() - first, ref.type(), ref.nullable(), ref.name())
                : leaf;
    }

    private Tree filtered(Tree tree, List<Scalar> conditions) {
        Scalar all = AccessPlanner.all(conditions);
        return all == null
                ? tree
                : new Tree(
                        new Join.Filtered(tree.join, all),
                        tree.slots,
                        sizes.filtered(tree.size, all));
    }

    private static List<Integer> list(BitSet slots) {
        List<Integer> listed = new ArrayList<>();
        for (int i = slots.nextSetBit(0); i >= 0; i = slots.nextSetBit(i + 1)) {
            listed.add(i);
        }
        return listed;
    }

    /// Takes from `conditions` the predicates that can be tested on a row of `slots`.
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

    /// The predicates of `conditions` that refer to `slots` alone.
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

    private static boolean hasColumn(List<@Nullable Scalar> values) {
        for (Scalar value : values) {
            if (value != null && !Scalar.isRowFree(value)) {
                return true;
            }
        }
        return false;
    }

    private static void drop(List<Scalar> conditions, List<Scalar> taken) {
        Set<Scalar> these = Collections.newSetFromMap(new IdentityHashMap<>());
        these.addAll(taken);
        conditions.removeIf(these::contains);
    }

    private Tree group(List<BoundFrom> sides, List<Scalar> conditions) {
        groupMax = Math.max(groupMax, sides.size());
        EqualColumns around = equal;
        EqualColumns own = new EqualColumns(column -> side(sides, column));
        for (Scalar implied : own.imply(conditions)) {
            estimate.note(() -> "imply: " + ScalarText.of(implied));
        }
        equal = own;
        Tree tree =
                sides.size() <= TRIED_MAX
                        ? everyOrder(sides, conditions)
                        : cheapestFirst(List.copyOf(sides), conditions);
        equal = around;
        return tree;
    }

    /// Index of the side that has the column; -1 if none has.
    private int side(List<BoundFrom> sides, int column) {
        for (BoundFrom.Leaf leaf : leaves) {
            int position = column - leaf.firstColumn();
            if (position >= 0 && position < leaf.width() && !outside.get(leaf.slot())) {
                for (BoundFrom side : sides) {
                    if (side instanceof BoundFrom.Leaf only) {
                        if (only.slot() == leaf.slot()) {
                            return only.slot();
                        }
                    } else if (slots(side).get(leaf.slot())) {
                        return slots(side).nextSetBit(0);
                    }
                }
            }
        }
        return -1;
    }

    /// `side` as the first of the order, with its own predicates tested; null if it needs another side.
    private @Nullable Tree first(BoundFrom side, List<Scalar> conditions) {
        if (!needs(side).isEmpty()) {
            return null;
        }
        List<Scalar> open = new ArrayList<>(conditions);
        List<Scalar> own = own(open, slots(side));
        drop(open, own);
        Tree tree = tree(side, own);
        return filtered(tree, take(open, tree.slots));
    }

    /// The cheapest of all orders, by dynamic programming: the best tree for each set of sides extends the best
    /// tree for the set without one of them.
    private Tree everyOrder(List<BoundFrom> sides, List<Scalar> conditions) {
        @Nullable Tree[] best = new Tree[1 << sides.size()];
        for (int i = 0; i < sides.size(); i++) {
            best[1 << i] = first(sides.get(i), conditions);
        }
        for (int set = 1; set < best.length; set++) {
            Tree tree = best[set];
            if (tree == null) {
                continue;
            }
            for (Next next : next(tree, sides, set, conditions)) {
                int with = set | 1 << next.side;
                Tree known = best[with];
                if (known == null || next.tree.isCheaperThan(known)) {
                    best[with] = next.tree;
                }
            }
        }
        Tree all = best[best.length - 1];
        if (all == null) {
            throw new IllegalStateException("every table needs another one first");
        }
        return all;
    }

    private Tree cheapestFirst(List<BoundFrom> sides, List<Scalar> conditions) {
        Tree best = null;
        int at = 0;
        for (int i = 0; i < sides.size(); i++) {
            Tree tree = first(sides.get(i), conditions);
            if (tree != null && (best == null || tree.size.rows() < best.size.rows())) {
                best = tree;
                at = i;
            }
        }
        if (best == null) {
            throw new IllegalStateException("every table needs another one first");
        }
        List<BoundFrom> remaining = new ArrayList<>(sides);
        remaining.remove(at);
        while (!remaining.isEmpty()) {
            Next taken = null;
            for (Next next : next(best, remaining, 0, conditions)) {
                if (taken == null || next.tree.size.rows() < taken.tree.size.rows()) {
                    taken = next;
                }
            }
            if (taken == null) {
                throw new IllegalStateException("every table left needs another one first");
            }
            best = taken.tree;
            remaining.remove(taken.side);
        }
        return best;
    }

    /// A side joined to the tree so far.
    private record Next(int side, Tree tree) {}

    /// `tree` joined with each of `sides` that `set` does not hold. Cross products are considered only if no
    /// condition joins any other side.
    private List<Next> next(Tree tree, List<BoundFrom> sides, int set, List<Scalar> conditions) {
        List<Scalar> open = new ArrayList<>(conditions);
        drop(open, take(new ArrayList<>(conditions), tree.slots));
        List<Integer> joined = new ArrayList<>();
        List<Integer> apart = new ArrayList<>();
        for (int i = 0; i < sides.size() && joined.size() < NEXT_MAX; i++) {
            BoundFrom side = sides.get(i);
            if ((set & 1 << i) == 0 && within(needs(side), tree.slots)) {
                (isJoined(tree, side, open) ? joined : apart).add(i);
            }
        }
        List<Next> next = new ArrayList<>();
        List<Integer> all = joined.isEmpty() ? apart : joined;
        for (int i : all.subList(0, Math.min(all.size(), NEXT_MAX))) {
            Cancellation.pollRunning();
            BoundFrom side = sides.get(i);
            List<Scalar> both = take(new ArrayList<>(open), union(tree.slots, slots(side)));
            List<Scalar> needed = equal.needed(both, slots(side).nextSetBit(0));
            next.add(new Next(i, inner(tree, side, needed)));
        }
        return next;
    }

    private boolean isJoined(Tree tree, BoundFrom side, List<Scalar> open) {
        if (!needs(side).isEmpty()) {
            return true;
        }
        BitSet both = union(tree.slots, slots(side));
        for (Scalar condition : open) {
            BitSet read = slots(condition);
            if (read.intersects(tree.slots) && within(read, both)) {
                return true;
            }
        }
        return false;
    }

    private Tree inner(Tree outer, BoundFrom side, List<Scalar> conditions) {
        if (!needs(side).isEmpty()) {
            return reopened(outer, side, conditions, false);
        }
        Tree loop = lookedUp(outer, side, conditions, false);
        List<Scalar> open = new ArrayList<>(conditions);
        List<Scalar> own = own(open, slots(side));
        drop(open, own);
        Tree other = tree(side, own);
        Tree kept = hashed(BoundFrom.Kind.INNER, outer, other, open);
        Tree best = loop == null || kept.isCheaperThan(loop) ? kept : loop;
        Tree keeping = hashed(BoundFrom.Kind.INNER, other, outer, open);
        return keeping.isCheaperThan(best) ? keeping : best;
    }

    /// `side`, which needs a row of `outer`, reopened for each row of it.
    private Tree reopened(Tree outer, BoundFrom side, List<Scalar> conditions, boolean left) {
        BitSet around = outside;
        outside = union(around, outer.slots);
        Tree inner = tree(side, conditions);
        outside = around;
        BitSet slots = slots(side);
        Join loop = new Join.Loop(outer.join, inner.join, left, list(slots));
        return new Tree(
                loop, union(outer.slots, slots), JoinEstimate.loop(outer.size, inner.size, left));
    }

    /// `side` looked up by a key for each row of `outer`; null if no key fits.
    private @Nullable Tree lookedUp(
            Tree outer, BoundFrom side, List<Scalar> conditions, boolean left) {
        if (!(side instanceof BoundFrom.Leaf leaf) || leaf.table() == null) {
            return null;
        }
        Sourced source = source(leaf, conditions, outer.slots);
        boolean hashable = keys(conditions, outer.slots, slots(side)) != null;
        if (!source.equal && (!source.bounded || hashable)) {
            return null;
        }
        BitSet slots = slots(side);
        Join loop = new Join.Loop(outer.join, source.tree.join, left, list(slots));
        return new Tree(
                loop,
                union(outer.slots, slots),
                JoinEstimate.loop(outer.size, source.tree.size, left));
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

    /// A hash join: `build` is hashed, and probed with each row of `probe`.
    private Tree hashed(BoundFrom.Kind kind, Tree probe, Tree build, List<Scalar> conditions) {
        List<Scalar> open = new ArrayList<>(conditions);
        Keys keys = keys(open, probe.slots, build.slots);
        if (keys != null) {
            drop(open, keys.conditions);
        }
        Join.Hash join =
                new Join.Hash(
                        kind,
                        probe.join,
                        build.join,
                        keys == null ? List.of() : List.copyOf(keys.probe),
                        keys == null ? List.of() : List.copyOf(keys.build),
                        AccessPlanner.all(open),
                        list(probe.slots),
                        list(build.slots));
        JoinEstimate.Size size = sizes.hash(join, probe.size, build.size);
        return new Tree(join, union(probe.slots, build.slots), size);
    }

    /// LEFT: of the conditions from above only predicates on the left side may be tested before the join.
    private Tree left(BoundFrom.Join join, List<Scalar> conditions) {
        List<Scalar> above = new ArrayList<>(conditions);
        Tree outer = tree(join.left(), take(above, slots(join.left())));
        if (!needs(join.right()).isEmpty()) {
            return filtered(reopened(outer, join.right(), join.on(), true), above);
        }
        List<Scalar> open = new ArrayList<>(join.on());
        List<Scalar> own = own(open, slots(join.right()));
        drop(open, own);
        Tree kept = hashed(BoundFrom.Kind.LEFT, outer, tree(join.right(), own), open);
        Tree loop = lookedUp(outer, join.right(), join.on(), true);
        return filtered(loop != null && loop.isCheaperThan(kept) ? loop : kept, above);
    }

    /// FULL: no predicate may be tested before the join, neither from above nor from ON.
    private Tree full(BoundFrom.Join join, List<Scalar> conditions) {
        Tree probe = tree(join.left(), List.of());
        Tree build = tree(join.right(), List.of());
        return filtered(hashed(BoundFrom.Kind.FULL, probe, build, join.on()), conditions);
    }
}
