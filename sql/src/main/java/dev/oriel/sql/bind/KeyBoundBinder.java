package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.PartitionBound;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.CoercionCheck;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Partition.Strategy;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Evaluates the bounds of partitions. Their expressions are evaluated once, when the partition is defined.
final class KeyBoundBinder {
    private final SqlText source;
    private final Catalog catalog;
    private final Execution execution;

    KeyBoundBinder(SqlText source, Catalog catalog, Execution execution) {
        this.source = source;
        this.catalog = catalog;
        this.execution = execution;
    }

    /// The values of `bound`, of a table that is partitioned by `strategy` with a key of `types`.
    KeyBound bind(PartitionBound bound, Strategy strategy, List<Type> types) {
        return switch (bound) {
            case PartitionBound.Range range when strategy == Strategy.RANGE -> range(range, types);
            case PartitionBound.Values list when strategy == Strategy.LIST ->
                    list(list, types.getFirst());
            case PartitionBound.Remainder hash when strategy == Strategy.HASH -> hash(hash);
            case PartitionBound.Default rest -> {
                if (strategy == Strategy.HASH) {
                    throw invalid(
                            rest.position(),
                            "A table partitioned by HASH has no DEFAULT partition; create one for"
                                    + " each remainder");
                }
                yield new KeyBound.Rest();
            }
            case PartitionBound.Range _, PartitionBound.Values _, PartitionBound.Remainder _ ->
                    throw invalid(
                            bound.position(),
                            "The table is partitioned by "
                                    + strategy
                                    + "; write FOR VALUES "
                                    + switch (strategy) {
                                        case RANGE -> "FROM (...) TO (...)";
                                        case LIST -> "IN (...)";
                                        case HASH -> "WITH (MODULUS ..., REMAINDER ...)";
                                        case NONE -> "";
                                    });
        };
    }

    private SqlException invalid(int position, String message) {
        return source.error(Kind.INVALID_DEFINITION, position, message);
    }

    private KeyBound range(PartitionBound.Range range, List<Type> types) {
        KeyBound.Range bound =
                new KeyBound.Range(
                        end(range, range.lower(), types), end(range, range.upper(), types));
        if (bound.isEmpty()) {
            throw source.error(
                    Kind.OBJECT_DEFINITION,
                    range.position(),
                    "The range is empty; let FROM be less than TO");
        }
        return bound;
    }

    private List<KeyValue> end(
            PartitionBound.Range range, List<PartitionBound.Datum> data, List<Type> types) {
        if (data.size() != types.size()) {
            throw invalid(
                    data.isEmpty() ? range.position() : data.getFirst().position(),
                    "The key has "
                            + types.size()
                            + (types.size() == 1 ? " column" : " columns")
                            + "; give FROM and TO one value for each");
        }
        List<KeyValue> values = new ArrayList<>();
        int infinity = 0;
        for (int i = 0; i < data.size(); i++) {
            PartitionBound.Datum datum = data.get(i);
            Expression expression = datum.value();
            if (infinity != 0 && datum.infinity() != infinity) {
                throw source.error(
                        Kind.TYPE_MISMATCH,
                        datum.position(),
                        "Values behind MINVALUE or MAXVALUE do not matter; write the same word"
                                + " again");
            }
            infinity = datum.infinity();
            if (expression == null) {
                values.add(new KeyValue(infinity, null, types.get(i)));
                continue;
            }
            KeyValue value = value(expression, types.get(i));
            if (value.isNull()) {
                throw source.error(
                        Kind.OBJECT_DEFINITION,
                        datum.position(),
                        "NULL is in no range; only a DEFAULT partition takes it");
            }
            values.add(value);
        }
        return List.copyOf(values);
    }

    private KeyBound list(PartitionBound.Values list, Type type) {
        List<KeyValue> values = new ArrayList<>();
        for (Expression expression : list.values()) {
            KeyValue value = value(expression, type);
            if (!new KeyBound.Listed(values).holds(value)) {
                values.add(value);
            }
        }
        return new KeyBound.Listed(List.copyOf(values));
    }

    private KeyBound hash(PartitionBound.Remainder hash) {
        if (hash.modulus() < 1 || hash.modulus() > Integer.MAX_VALUE) {
            throw invalid(
                    hash.position(), "The modulus is " + hash.modulus() + "; it is 1 or more");
        }
        if (hash.remainder() < 0 || hash.remainder() >= hash.modulus()) {
            throw invalid(
                    hash.position(),
                    "The remainder is "
                            + hash.remainder()
                            + "; it is at least 0 and less than the modulus");
        }
        return new KeyBound.Remainder(hash.modulus(), hash.remainder());
    }

    private KeyValue value(Expression expression, Type type) {
        BindContext around = BindContext.of(source, catalog, new ParameterTypes(0));
        Scalar scalar =
                new ScalarBinder(around, Scope.EMPTY)
                        .assign(expression, type, "The key of the partitions");
        if (PlanParts.hasSubquery(scalar)) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    expression.position(),
                    "The bound of a partition cannot ask a query; write values");
        }
        Tuple row = new Tuple(1);
        scalar.store(row, 0, new Frame(execution, new Tuple(0)));
        ConstraintException.Kind wrong = CoercionCheck.fit(row, 0, type);
        if (wrong != null) {
            throw source.error(
                    wrong == ConstraintException.Kind.OUT_OF_RANGE
                            ? Kind.OUT_OF_RANGE
                            : Kind.INVALID_VALUE,
                    expression.position(),
                    "The bound is no value of the key's type " + type + "; write one");
        }
        return new KeyValue(0, row.isNull(0) ? null : row, type);
    }
}
