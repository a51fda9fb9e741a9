package dev.oriel.sql.dump;

import dev.oriel.table.definition.Procedure;
import java.util.ArrayList;
import java.util.List;

/// The statement that defines a procedure.
final class ProcedureText {
    private ProcedureText() {}

    static String of(Procedure procedure) {
        List<String> parameters = new ArrayList<>();
        for (Procedure.Parameter each : procedure.parameters()) {
            String otherwise = each.otherwise();
            parameters.add(
                    each.mode()
                            + " "
                            + (each.name().isEmpty() ? "" : NameText.quoted(each.name()) + " ")
                            + TypeText.of(each.type())
                            + (otherwise == null ? "" : " DEFAULT " + otherwise));
        }
        return "CREATE PROCEDURE "
                + NameText.of(procedure.schema(), procedure.name())
                + " ("
                + String.join(", ", parameters)
                + ") LANGUAGE SQL "
                + FunctionText.body(procedure.body());
    }

    /// The name with the types of the parameters, as COMMENT ON takes them.
    static String signature(Procedure procedure) {
        List<String> types =
                procedure.parameters().stream().map(each -> TypeText.of(each.type())).toList();
        return NameText.of(procedure.schema(), procedure.name())
                + " ("
                + String.join(", ", types)
                + ")";
    }
}
