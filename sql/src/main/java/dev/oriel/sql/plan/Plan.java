package dev.oriel.sql.plan;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.syntax.RowsFunction;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Typing;
import dev.oriel.store.Transaction;
import dev.oriel.table.Column;
import dev.oriel.table.ExternalTable;
import dev.oriel.table.Index;
import dev.oriel.table.Table;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How rows are produced: a tree of operators, immutable and shared by all sessions.
public sealed interface Plan {
    /// Types of the columns of its rows.
    List<Type> types();

    /// Reads a table in the order of one of its keys.
    ///
    /// @param index null for the row key
    /// @param keyColumns the columns that the order goes by
    /// @param choices parts of the key of which each row is in one at least: what OR and IN ask
    ///     for. Empty where `bounds` says it all.
    /// @param among what the first column of the key is among; null where nothing is known of that
    record Scan(
            Table table,
            @Nullable Index index,
            List<Integer> keyColumns,
            Bounds bounds,
            List<Bounds> choices,
            @Nullable Among among,
            boolean descending)
            implements Plan {
        /// Key columns from here on are expressions of an index, as no table has so many columns.
        public static final int FIRST_TERM = 1 << 16;

        /// The type of column `i` of its key.
        public Type keyType(int i) {
            Index.Terms terms = index == null ? null : index.terms();
            return terms == null
                    ? table.columns().get(keyColumns.get(i)).type()
                    : terms.types().get(i);
        }

        /// Whether column `i` of its key may be NULL.
        public boolean keyNullable(int i) {
            return keyColumns.get(i) >= FIRST_TERM
                    || table.columns().get(keyColumns.get(i)).nullable();
        }

        /// What column `i` of its key is called.
        public String keyName(int i) {
            Index.Terms terms = index == null ? null : index.terms();
            return terms == null
                    ? table.columns().get(keyColumns.get(i)).name()
                    : terms.expressions().get(i);
        }

        /// The parts of the key that are read.
        public List<Bounds> parts() {
            return choices.isEmpty() ? List.of(bounds) : choices;
        }

        @Override
        public List<Type> types() {
            return table.columns().stream().map(Column::type).toList();
        }
    }

    /// The rows of a query, of one column, which decides while it runs how a table is read: where
    // there are no
    /// more than `most` different ones, each is looked up; else all that the bounds say is read. A
    // condition that
    /// tests them stands above in either case.
    record Among(Subquery.Nested query, int most) {}

    /// Which part of a key is read: some leading columns equal to values, and the next one between
    /// two edges.
    ///
    /// @param equal values of the leading columns; a null among them stands for IS NULL
    /// @param ranged whether the column after them is restricted, to values that are not NULL
    record Bounds(
            List<@Nullable Scalar> equal,
            boolean ranged,
            @Nullable Edge lower,
            @Nullable Edge upper) {
        public static final Bounds NONE = new Bounds(List.of(), false, null, null);

        /// The values in it.
        public List<Scalar> scalars() {
            List<Scalar> scalars = new ArrayList<>();
            for (Scalar value : equal) {
                if (value != null) {
                    scalars.add(value);
                }
            }
            if (lower != null) {
                scalars.add(lower.value());
            }
            if (upper != null) {
                scalars.add(upper.value());
            }
            return scalars;
        }
    }

    /// One end of a range.
    record Edge(Scalar value, boolean inclusive) {}

    /// One row without columns: a query without FROM.
    record OneRow() implements Plan {
        @Override
        public List<Type> types() {
            return List.of();
        }
    }

    /// A table that Java computes.
    ///
    /// @param arguments for the first of its parameters
    record Computed(ComputedTable table, List<Scalar> arguments) implements Plan {
        @Override
        public List<Type> types() {
            return table.columns().stream().map(Column::type).toList();
        }
    }

    /// The rows of an external table.
    record FileScan(ExternalTable table, SqlText.Place place) implements Plan {
        @Override
        public List<Type> types() {
            return table.columns().stream().map(Column::type).toList();
        }
    }

    /// Rows written out.
    record Rows(List<List<Scalar>> rows, List<Type> types) implements Plan {}

    /// Several tables in one row, the columns of the first one first.
    ///
    /// @param slots for each table the types of its columns
    /// @param used positions of the columns that are asked for after the joins
    record Joined(Join join, List<List<Type>> slots, BitSet used) implements Plan {
        @Override
        public List<Type> types() {
            List<Type> types = new ArrayList<>();
            for (List<Type> table : slots) {
                types.addAll(table);
            }
            return types;
        }
    }

    /// The rows of the first, then those of the next.
    ///
    /// @param inputs two at least
    record Append(List<Plan> inputs) implements Plan {
        /// The rows of `plans`; one that appends others counts as these.
        public static Append of(List<Plan> plans) {
            List<Plan> inputs = new ArrayList<>();
            for (Plan plan : plans) {
                if (plan instanceof Append append) {
                    inputs.addAll(append.inputs);
                } else {
                    inputs.add(plan);
                }
            }
            return new Append(List.copyOf(inputs));
        }

        @Override
        public List<Type> types() {
            return inputs.getFirst().types();
        }
    }

    /// The rows of the first that are among those of the second (INTERSECT), or are not (EXCEPT).
    ///
    /// @param all whether rows count as often as they are there
    record Match(Plan first, Plan second, boolean among, boolean all) implements Plan {
        @Override
        public List<Type> types() {
            return first.types();
        }
    }

    /// The rows of a query that WITH has named, kept when they are first asked for: all that ask
    // for them in a run
    /// get the same, unless a query around has changed on which they depend.
    ///
    /// @param number they are kept under
    record Kept(int number, String name, Plan input) implements Plan {
        @Override
        public List<Type> types() {
            return input.types();
        }
    }

    /// WITH RECURSIVE: the rows of `first`, then again and again those that `step` makes of the
    /// rows before, until there are none.
    ///
    /// @param number under which `step` finds the rows before
    /// @param all whether a row may come again
    record Recursive(int number, String name, Plan first, Plan step, boolean all) implements Plan {
        @Override
        public List<Type> types() {
            return first.types();
        }
    }

    /// The rows before, within a recursive query.
    record Working(int number, String name, List<Type> types) implements Plan {}

    /// The rows that meet a condition.
    record Filter(Plan input, Scalar condition) implements Plan {
        @Override
        public List<Type> types() {
            return input.types();
        }
    }

    /// Groups: the keys, then the aggregates. Without keys there is always one.
    ///
    /// @param sets for each of GROUPING SETS the keys in it, the others being NULL; then the number
    ///     of the set stands between keys and aggregates. Empty where all keys are in one.
    record Aggregate(
            Plan input, List<Scalar> keys, List<List<Integer>> sets, List<AggregateCall> calls)
            implements Plan {
        @Override
        public List<Type> types() {
            List<Type> types = new ArrayList<>();
            keys.forEach(key -> types.add(key.type()));
            if (!sets.isEmpty()) {
                types.add(Typing.INTEGER);
            }
            calls.forEach(call -> types.add(call.type()));
            return types;
        }
    }

    /// The rows of the input, with a column more for each of `calls`.
    record Window(Plan input, List<WindowCall> calls) implements Plan {
        @Override
        public List<Type> types() {
            List<Type> types = new ArrayList<>(input.types());
            calls.forEach(call -> types.add(call.type()));
            return types;
        }
    }

    /// GENERATE_SERIES: values from one on by steps, up to another.
    ///
    /// @param span the step from one date to the next; null where it is a number
    record Series(
            Scalar first,
            Scalar last,
            Scalar step,
            Intervals.@Nullable Span span,
            Type type,
            SqlText.Place place)
            implements Plan {
        @Override
        public List<Type> types() {
            return List.of(type);
        }
    }

    /// UNNEST and its like: the elements or members of one value.
    ///
    /// @param numbered whether their numbers follow
    record RowsOf(RowsFunction function, Scalar source, boolean numbered, SqlText.Place place)
            implements Plan {
        @Override
        public List<Type> types() {
            List<Type> types = new ArrayList<>(made(function, source.type()));
            if (numbered) {
                types.add(Typing.BIGINT);
            }
            return List.copyOf(types);
        }

        /// What `function` makes of a value of type `of`.
        private static List<Type> made(RowsFunction function, Type of) {
            return switch (function) {
                case UNNEST, STRING_TO_TABLE, REGEXP_SPLIT_TO_TABLE -> List.of(Typing.element(of));
                case REGEXP_MATCHES -> List.of(Type.array(Typing.TEXT));
                case JSON_ARRAY_ELEMENTS, JSON_PATH_QUERY -> List.of(Typing.JSON);
                case JSON_ARRAY_ELEMENTS_TEXT, JSON_OBJECT_KEYS -> List.of(Typing.TEXT);
                case JSON_EACH -> List.of(Typing.TEXT, Typing.JSON);
                case JSON_EACH_TEXT -> List.of(Typing.TEXT, Typing.TEXT);
            };
        }
    }

    /// Rows of other columns.
    record Project(Plan input, List<Scalar> columns) implements Plan {
        @Override
        public List<Type> types() {
            return Scalar.types(columns);
        }
    }

    /// Each row once, in the order of their first appearance.
    record Distinct(Plan input) implements Plan {
        @Override
        public List<Type> types() {
            return input.types();
        }
    }

    /// Another order.
    record Sort(Plan input, List<SortKey> keys) implements Plan {
        @Override
        public List<Type> types() {
            return input.types();
        }
    }

    /// The rows that could be locked, each as it is found. Their keys are columns behind those that
    // are passed on.
    ///
    /// @param locked the tables that the keys are of
    record Lock(
            Plan input,
            List<Table> locked,
            Transaction.LockMode mode,
            Transaction.Wait.Kind waiting)
            implements Plan {
        /// How many columns are passed on.
        public int visible() {
            return input.types().size() - locked.size();
        }

        @Override
        public List<Type> types() {
            return input.types().subList(0, visible());
        }
    }

    /// A number of rows; NULL where there is no limit.
    record Count(Scalar value, SqlText.Place place) {}

    /// Some of the rows: `offset` are passed over, then at most `limit` follow, and those that are
    /// equal to the last of them by `ties`.
    record Limit(Plan input, @Nullable Count limit, @Nullable Count offset, List<SortKey> ties)
            implements Plan {
        @Override
        public List<Type> types() {
            return input.types();
        }
    }
}
