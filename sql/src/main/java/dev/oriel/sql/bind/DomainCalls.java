package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Converts values to domains, and checks their conditions.
final class DomainCalls {
    private DomainCalls() {}

    /// Converts `base`, a value of the domain's base type, to `domain`.
    static Scalar of(Scalar base, DomainType domain, Place place) {
        Table alone = domain.alone();
        List<Scalar> conditions = new ArrayList<>();
        for (Check check : domain.checks()) {
            conditions.add(TableExpressions.check(alone, check.expression()));
        }
        return JsonBinder.made(
                Function.DOMAIN_VALUE,
                List.of(base),
                Type.of(domain),
                (given, frame) -> {
                    Tuple value = new Tuple(1);
                    Scalar only = given.getFirst();
                    only.store(value, 0, frame);
                    if (domain.required() && value.isNull(0)) {
                        throw place.error(
                                Kind.DOMAIN_NULL,
                                "Domain \"" + domain.name() + "\" does not allow NULL");
                    }
                    CurrentRow row = new CurrentRow();
                    row.set(value);
                    Frame alike = Frame.alone(row);
                    for (int i = 0; i < conditions.size(); i++) {
                        if (conditions.get(i).evalTruth(alike) == 0) {
                            throw place.error(
                                    Kind.DOMAIN_CHECK,
                                    "The value fails the check \""
                                            + domain.checks().get(i).name()
                                            + "\" of domain \""
                                            + domain.name()
                                            + "\"");
                        }
                    }
                    return StrictCall.value(
                            new Scalar.ColumnRef(0, Type.of(domain), true, "value"), alike);
                });
    }
}
