package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.planner.PushDown;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.SetOperation;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds UNION, INTERSECT and EXCEPT. A chain of operations is bound by a loop, and successive operations of one
/// kind become one operator with many inputs. So thousands of queries nest no deeper than two.
final class SetOperationBinder {
    private final BindContext around;
    private final QueryBinder queries;

    SetOperationBinder(BindContext around, QueryBinder queries) {
        this.around = around;
        this.queries = queries;
    }

    /// Binds `operation` up to its ORDER BY and LIMIT.
    Combined bind(SetOperation operation, List<Type> expected) {
        List<SetOperation> chain = new ArrayList<>();
        SetOperation outer = operation;
        chain.add(outer);
        while (outer.left() instanceof SetOperation inner && inner.tail().isNone()) {
            chain.add(inner);
            outer = inner;
        }
        return bound(chain.reversed(), expected);
    }

    /// Binds the first operations of a chain, in which each operation is the left operand of the next.
    private Combined bound(List<SetOperation> chain, List<Type> expected) {
        SetOperation first = chain.getFirst();
        Combined left = Combined.of(first, queries.bind(first.left(), expected));
        for (int i = 0; i < chain.size(); i++) {
            SetOperation operation = chain.get(i);
            BoundQuery right = queries.bind(operation.right(), types(left, expected));
            if (left.columns.size() != right.columns().size()) {
                throw widths(operation, left, right);
            }
            if (expected.isEmpty() && takesTypes(left, right)) {
                List<Type> taken = types(Combined.of(operation, right), expected);
                left =
                        i == 0
                                ? Combined.of(first, queries.bind(first.left(), taken))
                                : bound(chain.subList(0, i), taken);
            }
            left = with(left, operation, right);
        }
        return left;
    }

    private RuntimeException widths(SetOperation operation, Combined left, BoundQuery right) {
        return around.source()
                .error(
                        Kind.SYNTAX,
                        operation.position(),
                        operation.kind()
                                + " needs the same number of columns on both sides, not "
                                + left.columns.size()
                                + " and "
                                + right.columns().size());
    }

    /// `left operation right`.
    private Combined with(Combined left, SetOperation operation, BoundQuery right) {
        List<Prepared.OutputColumn> columns = new ArrayList<>();
        List<Boolean> untyped = new ArrayList<>();
        boolean sameTypes = true;
        for (int i = 0; i < left.columns.size(); i++) {
            Prepared.OutputColumn own = left.columns.get(i);
            columns.add(common(operation, own, right.columns().get(i), i));
            sameTypes &= columns.get(i).type().equals(own.type());
            untyped.add(left.untyped.get(i) && right.untyped().get(i));
        }
        Combined combined;
        if (sameTypes && left.takes(operation)) {
            combined = new Combined(operation, left.sides, columns, untyped);
        } else {
            combined = new Combined(operation, new ArrayList<>(), columns, untyped);
            combined.sides.add(side(left.query(around), columns, operation.position()));
        }
        combined.sides.add(side(right, columns, operation.position()));
        return combined;
    }

    private PushDown.Side side(
            BoundQuery query, List<Prepared.OutputColumn> columns, int position) {
        Plan plan = queries.converted(query, columns, position);
        PushDown.Side side = new PushDown.Side(plan, query.replan());
        return side.replan() != null
                        && plan instanceof Plan.Project project
                        && isOver(project, query.plan())
                ? new PushDown.Side(plan, PushDown.projected(side.replan(), project.columns()))
                : side;
    }

    @SuppressWarnings("ReferenceEquality") // same plan
    private static boolean isOver(Plan.Project project, Plan plan) {
        return project.input() == plan;
    }

    /// Whether a column has a type on the right side, but not on the left.
    private static boolean takesTypes(Combined left, BoundQuery right) {
        for (int i = 0; i < left.columns.size(); i++) {
            if (left.untyped.get(i) && !right.untyped().get(i)) {
                return true;
            }
        }
        return false;
    }

    /// Types that one side may take from the other.
    private static List<Type> types(Combined other, List<Type> expected) {
        List<Type> types = new ArrayList<>();
        for (int i = 0; i < other.untyped.size(); i++) {
            boolean none = other.untyped.get(i) && expected.size() == other.columns.size();
            types.add(none ? expected.get(i) : other.columns.get(i).type());
        }
        return types;
    }

    private Prepared.OutputColumn common(
            SetOperation operation,
            Prepared.OutputColumn left,
            Prepared.OutputColumn right,
            int i) {
        Type type = Typing.either(left.type(), right.type());
        if (type == null) {
            throw around.source()
                    .error(
                            Kind.TYPE_MISMATCH,
                            operation.position(),
                            operation.kind()
                                    + " cannot combine "
                                    + left.type()
                                    + " and "
                                    + right.type()
                                    + " in column "
                                    + (i + 1));
        }
        boolean nullable = left.nullable() || right.nullable();
        return new Prepared.OutputColumn(left.name(), type, nullable, "");
    }

    /// Queries combined by operations of one kind.
    ///
    /// @param operation last operation
    /// @param sides all operands, converted to the types of `columns`; empty for a single query without an
    ///     operation
    record Combined(
            SetOperation operation,
            List<PushDown.Side> sides,
            List<Prepared.OutputColumn> columns,
            List<Boolean> untyped,
            @Nullable BoundQuery single) {
        Combined(
                SetOperation operation,
                List<PushDown.Side> sides,
                List<Prepared.OutputColumn> columns,
                List<Boolean> untyped) {
            this(operation, sides, columns, untyped, null);
        }

        /// A single query.
        static Combined of(SetOperation operation, BoundQuery query) {
            return new Combined(operation, List.of(), query.columns(), query.untyped(), query);
        }

        /// Whether `next` can be merged, as all operations are of its kind.
        boolean takes(SetOperation next) {
            return single == null
                    && next.kind() == operation.kind()
                    && next.all() == operation.all();
        }

        /// The combined query.
        BoundQuery query(BindContext around) {
            if (single != null) {
                return single;
            }
            BoundQuery query = new BoundQuery(plan(), List.copyOf(columns), untyped);
            return query.with(
                    PushDown.of(List.copyOf(sides), combination(query.plan()), around.estimate()));
        }

        Plan plan() {
            return made(sides.stream().map(PushDown.Side::plan).toList());
        }

        private Plan made(List<Plan> plans) {
            return switch (operation.kind()) {
                case UNION -> union(plans, operation.all());
                case INTERSECT -> intersected(plans, operation.all());
                case EXCEPT -> {
                    List<Plan> others = plans.subList(1, plans.size());
                    Plan all = others.size() == 1 ? others.getFirst() : Plan.Append.of(others);
                    yield new Plan.Match(plans.getFirst(), all, false, operation.all());
                }
            };
        }

        private static Plan union(List<Plan> plans, boolean all) {
            if (all) {
                return Plan.Append.of(plans);
            }
            List<Plan> inputs = new ArrayList<>();
            Deque<Plan> left = new ArrayDeque<>(plans);
            while (!left.isEmpty()) {
                switch (left.pop()) {
                    case Plan.Append append -> append.inputs().reversed().forEach(left::push);
                    case Plan.Distinct once ->
                            left.push(once.input()); // the outer Distinct covers it
                    case Plan input -> inputs.add(input);
                }
            }
            return new Plan.Distinct(Plan.Append.of(inputs));
        }

        /// As a balanced tree: the order of intersections does not matter.
        private static Plan intersected(List<Plan> plans, boolean all) {
            int size = plans.size();
            return size == 1
                    ? plans.getFirst()
                    : new Plan.Match(
                            intersected(plans.subList(0, (size + 1) / 2), all),
                            intersected(plans.subList((size + 1) / 2, size), all),
                            true,
                            all);
        }

        /// How the sides are combined; `ended` is the plan with ORDER BY and LIMIT.
        PushDown.Combination combination(Plan ended) {
            Plan.Limit limit = ended instanceof Plan.Limit above ? above : null;
            Plan sorted = limit == null ? ended : limit.input();
            List<SortKey> keys = sorted instanceof Plan.Sort sort ? sort.keys() : List.of();
            BitSet sortedBy = null;
            boolean compares = operation.kind() != Statement.SetKind.UNION || !operation.all();
            if (!compares) {
                sortedBy = new BitSet();
                for (SortKey key : keys) {
                    sortedBy.set(key.column());
                }
            }
            return new PushDown.Combination(
                    operation.kind().name(),
                    limit != null,
                    compares,
                    sortedBy,
                    plans -> {
                        Plan all = made(plans);
                        Plan plan = keys.isEmpty() ? all : new Plan.Sort(all, keys);
                        return limit == null
                                ? plan
                                : new Plan.Limit(plan, limit.limit(), limit.offset(), limit.ties());
                    });
        }
    }
}
