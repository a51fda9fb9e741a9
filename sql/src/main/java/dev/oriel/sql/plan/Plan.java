package dev.oriel.sql.plan;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.syntax.RowsFunction;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Typing;
import dev.oriel.store.Transaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A tree of operators that produces rows, immutable and shared by all sessions.
public sealed interface Plan {
    /// Types of the columns of its rows.
    List<Type> types();

    /// Reads a table in the order of one of its keys.
    ///
    /// @param index null for the row key
    /// @param keyColumns the columns of the key
    /// @param choices alternative ranges of the key, from OR and IN: each row is in at least one. Empty if
    ///     `bounds` is the only range.
    /// @param among the rows of a subquery that restrict the first key column; null if there are none
    record Scan(
            Table table,
            @Nullable Index index,
            List<Integer> keyColumns,
            Bounds bounds,
            List<Bounds> choices,
            @Nullable Among among,
            boolean descending)
            implements Plan {
        /// First position of key columns that are expressions of an index, as no table has so many columns.
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

        /// The order of column `i` of its key among the entries, which are read backwards if `descending`.
        public KeyOrder keyOrder(int i) {
            return index == null ? KeyOrder.ASC : index.entryOrder(i);
        }

        /// Name of column `i` of its key.
        public String keyName(int i) {
            Index.Terms terms = index == null ? null : index.terms();
            return terms == null
                    ? table.columns().get(keyColumns.get(i)).name()
                    : terms.expressions().get(i);
        }

        /// The ranges of the key that are read.
        public List<Bounds> parts() {
            return choices.isEmpty() ? List.of(bounds) : choices;
        }

        @Override
        public List<Type> types() {
            return table.columns().stream().map(Column::type).toList();
        }
    }

    /// The rows of a one-column subquery, which decide at run time how a table is read. If they have at most
    /// `most` distinct values, each is looked up; else the whole bounds are read. A filter above tests the
    /// condition in either case.
    record Among(Subquery.Nested query, int most) {}

    /// A range of a key: some leading columns equal to values, and the next one between two edges.
    ///
    /// @param equal values of the leading columns; a null among them stands for IS NULL
    /// @param ranged whether the column after them is restricted, to values that are not NULL
    record Bounds(
            List<@Nullable Scalar> equal,
            boolean ranged,
            @Nullable Edge lower,
            @Nullable Edge upper) {
        public static final Bounds NONE = new Bounds(List.of(), false, null, null);

        /// The expressions in the bounds.
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

    /// VALUES: rows given as expressions.
    record Rows(List<List<Scalar>> rows, List<Type> types) implements Plan {}

    /// Several tables joined into one row, the columns of the first one first.
    ///
    /// @param slots for each table the types of its columns
    /// @param used positions of the columns that are read after the joins
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

    /// The rows of the first input, then of the next.
    ///
    /// @param inputs two at least
    record Append(List<Plan> inputs) implements Plan {
        /// The rows of `plans`, with nested appends flattened.
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

    /// The rows of the first input that are in the second (INTERSECT), or are not (EXCEPT).
    ///
    /// @param all whether duplicates count
    record Match(Plan first, Plan second, boolean among, boolean all) implements Plan {
        @Override
        public List<Type> types() {
            return first.types();
        }
    }

    /// The rows of a query that WITH has named, materialized on the first read. All readers in a run get the same
    /// rows, unless an outer query has changed that they depend on.
    ///
    /// @param number under which they are kept
    record Kept(int number, String name, Plan input) implements Plan {
        @Override
        public List<Type> types() {
            return input.types();
        }
    }

    /// WITH RECURSIVE: the rows of `first`, then repeatedly the rows that `step` derives from the previous round,
    /// until there are none.
    ///
    /// @param number under which `step` finds the rows of the previous round
    /// @param all whether duplicates are kept
    record Recursive(int number, String name, Plan first, Plan step, boolean all) implements Plan {
        @Override
        public List<Type> types() {
            return first.types();
        }
    }

    /// The rows of the previous round in a recursive query.
    record Working(int number, String name, List<Type> types) implements Plan {}

    /// The rows that a change in WITH has returned.
    ///
    /// @param number under which they are kept
    record Returned(int number, String name, List<Type> types) implements Plan {}

    /// The rows for which a condition holds.
    record Filter(Plan input, Scalar condition) implements Plan {
        @Override
        public List<Type> types() {
            return input.types();
        }
    }

    /// Groups: the keys, then the aggregates. Without keys there is always one.
    ///
    /// @param sets for each of GROUPING SETS the keys in it, the others being NULL; then the number of the set
    ///     stands between keys and aggregates. Empty if all keys are in one.
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

    /// The rows of the input, with a column added for each of `calls`.
    record Window(Plan input, List<WindowCall> calls) implements Plan {
        @Override
        public List<Type> types() {
            List<Type> types = new ArrayList<>(input.types());
            calls.forEach(call -> types.add(call.type()));
            return types;
        }
    }

    /// GENERATE_SERIES: values from a first one by steps up to a last one.
    ///
    /// @param span the step of dates; null for numbers
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

    /// UNNEST and similar functions: the elements or members of one value.
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

        /// Column types of `function` for a value of type `of`.
        private static List<Type> made(RowsFunction function, Type of) {
            return switch (function) {
                case UNNEST, STRING_TO_TABLE, REGEXP_SPLIT_TO_TABLE -> List.of(Typing.element(of));
                case REGEXP_MATCHES -> List.of(Type.array(Typing.TEXT));
                case JSON_ARRAY_ELEMENTS, JSON_PATH_QUERY, JSON_PATH_QUERY_TZ ->
                        List.of(Typing.JSON);
                case JSON_ARRAY_ELEMENTS_TEXT, JSON_OBJECT_KEYS -> List.of(Typing.TEXT);
                case JSON_EACH -> List.of(Typing.TEXT, Typing.JSON);
                case JSON_EACH_TEXT -> List.of(Typing.TEXT, Typing.TEXT);
            };
        }
    }

    /// A projection to other columns.
    record Project(Plan input, List<Scalar> columns) implements Plan {
        @Override
        public List<Type> types() {
            return Scalar.types(columns);
        }
    }

    /// The distinct rows, in the order of their first appearance.
    record Distinct(Plan input) implements Plan {
        @Override
        public List<Type> types() {
            return input.types();
        }
    }

    /// The rows in another order.
    record Sort(Plan input, List<SortKey> keys) implements Plan {
        @Override
        public List<Type> types() {
            return input.types();
        }
    }

    /// The rows that could be locked, each as it is found. Their keys are columns after the visible ones.
    ///
    /// @param locked the tables of the keys
    record Lock(
            Plan input,
            List<Table> locked,
            Transaction.LockMode mode,
            Transaction.Wait.Kind waiting)
            implements Plan {
        /// Number of visible columns.
        public int visible() {
            return input.types().size() - locked.size();
        }

        @Override
        public List<Type> types() {
            return input.types().subList(0, visible());
        }
    }

    /// A row count; its value NULL means no limit.
    ///
    /// @param percent whether it is a share of all rows, a DOUBLE
    record Count(Scalar value, SqlText.Place place, boolean percent) {
        public Count(Scalar value, SqlText.Place place) {
            this(value, place, false);
        }
    }

    /// LIMIT and OFFSET: skips `offset` rows, then passes on at most `limit`, and further rows equal to the last
    /// by `ties`.
    record Limit(Plan input, @Nullable Count limit, @Nullable Count offset, List<SortKey> ties)
            implements Plan {
        @Override
        public List<Type> types() {
            return input.types();
        }
    }
}
