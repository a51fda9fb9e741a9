package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.plan.Body;
import dev.oriel.sql.text.Nesting;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SqlFunction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Plans the bodies of procedures and of DO.
public final class Procedures {
    private Procedures() {}

    /// Plans the body of `procedure`.
    ///
    /// @throws SqlException if it is not valid in the catalog of `known`
    public static Planned<Body> plan(Procedure procedure, Compiler.Known known) {
        SqlText source = new SqlText(procedure.body().text(), procedure.name(), "procedure");
        BodyValues values = new BodyValues(procedure.name());
        List<Integer> outputs = new ArrayList<>();
        for (Procedure.Parameter parameter : procedure.parameters()) {
            if (parameter.mode().out()) {
                outputs.add(values.count());
            }
            values.add(parameter.name(), parameter.type(), parameter.mode().out());
        }
        return planned(
                source, known.catalog().seenBy(procedure.searched()), known, values, outputs);
    }

    /// Whether the body of `function` runs statements.
    public static boolean runs(SqlFunction function, Catalog catalog) {
        return FunctionBody.runs(
                new SqlText(function.body().text(), function.name()),
                function,
                catalog.seenBy(function.searched()));
    }

    /// Plans the body of `function`, whose values are the parameters, then the result.
    ///
    /// @throws SqlException if it is not valid in the catalog of `known`
    public static Planned<Body> plan(SqlFunction function, Compiler.Known known) {
        SqlText source = new SqlText(function.body().text(), function.name());
        BodyValues values = new BodyValues(function.name());
        for (SqlFunction.Parameter parameter : function.parameters()) {
            values.add(parameter.name(), parameter.type(), false);
        }
        boolean nothing = function.traits().effect() == SqlFunction.Effect.VOID;
        List<Integer> outputs = nothing ? List.of() : List.of(values.count());
        values.add("result of " + function.name(), function.type(), false);
        Planned<Body> planned =
                planned(
                        source,
                        known.catalog().seenBy(function.searched()),
                        known,
                        values,
                        outputs);
        List<Body.Step> steps = planned.plan().steps();
        boolean returns =
                !steps.isEmpty()
                        && steps.getLast() instanceof Body.Step.Run run
                        && !run.into().isEmpty();
        if (!nothing && !returns) {
            throw source.error(
                    Kind.FUNCTION_DEFINITION,
                    0,
                    "The last statement returns no row; end with SELECT or RETURNING, or write"
                            + " RETURNS VOID");
        }
        return planned;
    }

    /// Plans the body `text` of DO.
    public static Planned<Body> plan(String text, Compiler.Known known) {
        return planned(
                new SqlText(text, "DO", "statement"),
                known.catalog(),
                known,
                new BodyValues(""),
                List.of());
    }

    private static Planned<Body> planned(
            SqlText source,
            Catalog seen,
            Compiler.Known known,
            BodyValues values,
            List<Integer> outputs) {
        return Planned.of(
                known,
                estimate -> {
                    BodyBinder binder =
                            new BodyBinder(source, seen, known.computed(), estimate, values);
                    binder.outputs(outputs);
                    return LargeStack.call(Nesting.isDeep(source), binder::body);
                });
    }

    /// The error that makes the body of `procedure` invalid in `catalog`; null if it is valid, or a string. One that
    /// calls functions in Java is not valid.
    static @Nullable SqlException lost(Catalog catalog, Procedure procedure) {
        if (procedure.body().form() == SqlFunction.Form.STRING) {
            return null;
        }
        try {
            var _ = plan(procedure, new Compiler.Known(catalog, new ComputedTables(), null));
            return null;
        } catch (SqlException lost) {
            if (lost.kind() == Kind.CANCELLED || lost.kind() == Kind.TOO_COMPLEX) {
                throw lost;
            }
            return lost;
        }
    }
}
