package dev.oriel.sql.run;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.ArrayFunctions;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.JsonFunctions;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.syntax.RowsFunction;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.Locale;

/// UNNEST and similar functions: the elements or members of a value, a row each.
final class RowsFunctionOperator implements Operator {
    private final Plan.RowsOf plan;
    private final Execution execution;
    private final Frame frame;
    private final Tuple row;
    private final int columns;

    /// Whether the value is an array.
    private final boolean ofArray;

    private byte[] value = {};
    private Tuple elements = new Tuple(0);

    /// Number of rows left and of rows returned, and the offset of the next one in JSON.
    private int left;

    private int passed;
    private int at;

    RowsFunctionOperator(Plan.RowsOf plan, Execution execution) {
        this.plan = plan;
        this.execution = execution;
        this.frame = new Frame(execution, new Tuple(0));
        this.columns = plan.function().columns().size();
        this.ofArray =
                plan.function() == RowsFunction.UNNEST
                        || plan.function() == RowsFunction.REGEXP_MATCHES;
        this.row = new Tuple(plan.types().size());
    }

    @Override
    public void open() {
        left = 0;
        passed = 0;
        byte[] given = plan.source().evalBytes(frame);
        if (given == null) {
            return;
        }
        value = given;
        if (ofArray) {
            elements = ArrayFunctions.elements(plan.source().type(), given);
            left = elements.columns();
            return;
        }
        boolean array =
                switch (plan.function()) {
                    case UNNEST, JSON_ARRAY_ELEMENTS, JSON_ARRAY_ELEMENTS_TEXT -> true;
                    case JSON_EACH,
                            JSON_EACH_TEXT,
                            JSON_OBJECT_KEYS,
                            JSON_PATH_QUERY,
                            JSON_PATH_QUERY_TZ,
                            STRING_TO_TABLE,
                            REGEXP_SPLIT_TO_TABLE,
                            REGEXP_MATCHES ->
                            false;
                };
        Json.Kind kind = Json.kind(given, 0);
        if (kind != (array ? Json.Kind.ARRAY : Json.Kind.OBJECT)) {
            throw plan.place()
                    .error(
                            Kind.INVALID_PARAMETER,
                            plan.function()
                                    + " needs "
                                    + (array ? "an array" : "an object")
                                    + ", not a JSON "
                                    + kind.name().toLowerCase(Locale.ROOT));
        }
        left = Json.count(given, 0);
        at = Json.first(0);
    }

    @Override
    public boolean next() {
        execution.poll();
        if (left == 0) {
            return false;
        }
        left--;
        switch (plan.function()) {
            case UNNEST, REGEXP_MATCHES -> {
                Type type = plan.types().getFirst();
                row.copy(0, elements, passed, type.shape());
            }
            case JSON_ARRAY_ELEMENTS -> row.setBytes(0, Json.copy(value, at));
            case JSON_ARRAY_ELEMENTS_TEXT -> row.setText(0, JsonFunctions.textAt(value, at));
            case JSON_EACH -> {
                row.setText(0, Json.name(value, at));
                at = Json.value(value, at);
                row.setBytes(1, Json.copy(value, at));
            }
            case JSON_EACH_TEXT -> {
                row.setText(0, Json.name(value, at));
                at = Json.value(value, at);
                row.setText(1, JsonFunctions.textAt(value, at));
            }
            case JSON_OBJECT_KEYS -> {
                row.setText(0, Json.name(value, at));
                at = Json.value(value, at);
            }
            case JSON_PATH_QUERY, JSON_PATH_QUERY_TZ, STRING_TO_TABLE, REGEXP_SPLIT_TO_TABLE ->
                    throw new IllegalStateException(plan.function() + " is another function's");
        }
        if (!ofArray) {
            at = Json.end(value, at);
        }
        passed++;
        if (plan.numbered()) {
            row.setLong(columns, passed);
        }
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        left = 0;
    }
}
