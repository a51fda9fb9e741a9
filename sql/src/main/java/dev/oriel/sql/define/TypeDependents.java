package dev.oriel.sql.define;

import static dev.oriel.sql.bind.OutsideDependence.TEXTS;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.OutsideDependence;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Refuses changes of a type that would make stored results wrong. An index or a generated column with such a
/// dependence comes from an earlier version; checks may have them.
final class TypeDependents {
    private final SqlText source;
    private final int position;
    private final Catalog catalog;
    private final @Nullable EnumType labels;
    private final Set<OutsideDependence> changed;

    /// @param position of the error
    /// @param catalog with the type as it was
    /// @param type as it was
    /// @param changed the dependences that the change would break
    TypeDependents(
            SqlText source,
            int position,
            Catalog catalog,
            UserType type,
            Set<OutsideDependence> changed) {
        this.source = source;
        this.position = position;
        this.catalog = catalog;
        this.labels = type instanceof EnumType own ? own : null;
        this.changed = changed;
    }

    /// Fails if there is a dependent.
    void refuse() {
        for (UserType other : catalog.userTypes()) {
            if (other instanceof DomainType domain) {
                refuse(domain);
            }
        }
        for (Table table : new TreeMap<>(catalog.byName()).values()) {
            refuseChecks(table);
            refuseColumns(table);
            refuseIndexes(table);
        }
    }

    /// Fails if an index converts values to `domain`, which becomes stricter: entries of rows could no longer be
    /// computed. Other expressions are computed for all rows by the change itself.
    void refuseConversions(DomainType domain) {
        for (Table table : new TreeMap<>(catalog.byName()).values()) {
            for (Index index : table.indexes()) {
                Index.Terms terms = index.terms();
                if (terms != null && converts(table, terms, domain)) {
                    throw source.error(
                            Kind.DEPENDENT,
                            position,
                            "Index \""
                                    + index.name()
                                    + "\" of table \""
                                    + table.name()
                                    + "\" converts values to the domain; drop it first, and make"
                                    + " it anew afterwards");
                }
            }
        }
    }

    private static boolean converts(Table table, Index.Terms terms, DomainType domain) {
        for (String text : terms.expressions()) {
            if (converts(TableExpressions.term(table, text), domain)) {
                return true;
            }
        }
        String condition = terms.condition();
        return condition != null && converts(TableExpressions.check(table, condition), domain);
    }

    private static boolean converts(Scalar scalar, DomainType domain) {
        if (scalar instanceof FunctionCall call
                && call.function() == Function.DOMAIN_VALUE
                && isOf(call.type(), domain)
                && !isOf(unconverted(call.arguments().getFirst()).type(), domain)) {
            return true;
        }
        return Scalar.operands(scalar).stream().anyMatch(operand -> converts(operand, domain));
    }

    /// `scalar` before its conversion within the same type, as from a domain to the type below.
    private static Scalar unconverted(Scalar scalar) {
        return scalar instanceof Conversion conversion
                        && conversion.type().name() == conversion.operand().type().name()
                ? conversion.operand()
                : scalar;
    }

    private static boolean isOf(Type type, DomainType domain) {
        DomainType own = type.domain();
        return own != null && (own.id() == domain.id() || isOf(own.base(), domain));
    }

    private void refuse(DomainType domain) {
        Table alone = domain.alone();
        for (Check check : domain.checks()) {
            Scalar bound = TableExpressions.check(alone, check.expression());
            refuse(
                    "The check \"" + check.name() + "\" of domain \"" + domain.name() + "\"",
                    broken(alone, check.expression(), bound));
        }
        String usual = domain.filling();
        if (usual != null) {
            Column value = new Column("value", domain.base(), true);
            refuseDefault(
                    "The default of domain \"" + domain.name() + "\"",
                    alone.withColumns(List.of(value)),
                    usual,
                    value);
        }
    }

    private void refuseChecks(Table table) {
        for (Check check : table.constraints().checks()) {
            Scalar bound = TableExpressions.check(table, check.expression());
            refuse(
                    "Constraint \"" + check.name() + "\" of table \"" + table.name() + "\"",
                    broken(table, check.expression(), bound));
        }
    }

    private void refuseColumns(Table table) {
        for (Column column : table.columns()) {
            String named = "\"" + column.name() + "\" of table \"" + table.name() + "\"";
            if (column.filling() instanceof ColumnDefault.Generated value) {
                Scalar bound = TableExpressions.value(table, value.expression(), column);
                refuse("Column " + named, broken(table, value.expression(), bound));
            } else if (column.filling() instanceof ColumnDefault.Default value) {
                refuseDefault("The default of column " + named, table, value.expression(), column);
            }
        }
    }

    /// A default is evaluated anew for each row, so it may become different, but not invalid.
    private void refuseDefault(String what, Table table, String text, Column column) {
        Scalar bound = TableExpressions.value(table, text, column);
        OutsideDependence found = broken(table, text, bound);
        refuse(what, found == TEXTS ? found : null);
    }

    private void refuseIndexes(Table table) {
        for (Index index : table.indexes()) {
            Index.Terms terms = index.terms();
            if (terms == null) {
                continue;
            }
            String what = "Index \"" + index.name() + "\" of table \"" + table.name() + "\"";
            for (String text : terms.expressions()) {
                refuse(what, broken(table, text, TableExpressions.term(table, text)));
            }
            String condition = terms.condition();
            if (condition != null) {
                Scalar bound = TableExpressions.check(table, condition);
                refuse(what, broken(table, condition, bound));
            }
        }
    }

    /// The first dependence of the expression that the change affects; null if there is none.
    private @Nullable OutsideDependence broken(Table table, String text, Scalar bound) {
        for (OutsideDependence found : TableExpressions.outside(table, text, bound, labels)) {
            if (changed.contains(found)) {
                return found;
            }
        }
        return null;
    }

    private void refuse(String what, @Nullable OutsideDependence found) {
        if (found != null) {
            throw source.error(
                    Kind.DEPENDENT,
                    position,
                    what + " depends on " + found.words() + "; drop it first");
        }
    }

    /// Fails if a check or default of a domain no longer fits the changed type in `after`.
    static void checkDomains(SqlText source, int position, Catalog after) {
        for (UserType other : after.userTypes()) {
            if (other instanceof DomainType domain) {
                for (Check check : domain.checks()) {
                    String what = "the check \"" + check.name() + "\"";
                    fits(source, position, domain, what, check.expression(), null);
                }
                String usual = domain.filling();
                if (usual != null) {
                    fits(source, position, domain, "the default", usual, domain.base());
                }
            }
        }
    }

    private static void fits(
            SqlText source,
            int position,
            DomainType domain,
            String what,
            String text,
            @Nullable Type target) {
        try {
            if (target == null) {
                TableExpressions.check(domain.alone(), text);
            } else {
                Column value = new Column("value", target, true);
                Table alone = domain.alone().withColumns(List.of(value));
                TableExpressions.value(alone, text, value);
            }
        } catch (SqlException lost) {
            if (lost.kind() == Kind.CANCELLED) {
                throw lost;
            }
            throw source.error(
                    Kind.DEPENDENT,
                    position,
                    "Domain \""
                            + domain.name()
                            + "\" needs the old definition, for "
                            + what
                            + "; drop that first");
        }
    }
}
