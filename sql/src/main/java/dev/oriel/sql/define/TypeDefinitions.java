package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.OutsideDependence;
import dev.oriel.sql.bind.Partitions;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TableConstraint.CheckDefinition;
import dev.oriel.sql.syntax.TypeParser;
import dev.oriel.sql.syntax.TypeStatement;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Runs CREATE, ALTER and DROP of enumerations, domains and composite types. Each column stores the whole definition
/// of its type, so a change of a type changes all tables with such columns, in one transaction.
final class TypeDefinitions {
    private static final int LABEL_CHARS_MAX = 63;

    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;

    /// The definitions before the statement.
    private final Catalog former;

    private final Definitions definitions;

    TypeDefinitions(SqlText source, Execution execution, Definitions definitions) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.former = transaction.catalog();
        this.definitions = definitions;
    }

    void run(TypeStatement statement) {
        switch (statement) {
            case TypeStatement.CreateEnum create -> create(create);
            case TypeStatement.CreateDomain create -> create(create);
            case TypeStatement.Conditional conditional -> {
                boolean exists = catalog().userType(conditional.name().name()) != null;
                if (exists == conditional.exists()) {
                    run(conditional.statement());
                }
            }
            case TypeStatement.CreateComposite create -> composites().create(create);
            case TypeStatement.AlterAttributes alter -> composites().alter(alter);
            case TypeStatement.AddLabel add -> add(add);
            case TypeStatement.RenameLabel rename -> rename(rename);
            case TypeStatement.RenameType rename -> rename(rename);
            case TypeStatement.SetDomainDefault set -> {
                DomainType domain = domain(set.name());
                FillingClause.Default filling = set.filling();
                checkFilling(domain, filling);
                replace(domain.withFilling(filling == null ? null : filling.text()), set.name());
            }
            case TypeStatement.SetDomainRequired set -> {
                DomainType domain = domain(set.name());
                if (set.required()) {
                    dependents(set.name(), domain, Set.of()).refuseConversions(domain);
                }
                replace(domain.withRequired(set.required()), set.name());
            }
            case TypeStatement.AddDomainCheck add -> {
                DomainType domain = domain(add.name());
                dependents(add.name(), domain, Set.of()).refuseConversions(domain);
                List<Check> checks = new ArrayList<>(domain.checks());
                checks.add(check(domain, add.check(), checks));
                replace(domain.withChecks(checks), add.name());
            }
            case TypeStatement.DropDomainCheck drop -> drop(drop);
            case TypeStatement.RenameDomainCheck rename -> rename(rename);
            case TypeStatement.DropTypes drop -> drop.names().forEach(name -> drop(name, drop));
        }
    }

    private Catalog catalog() {
        return transaction.catalog();
    }

    private CompositeDefinitions composites() {
        return new CompositeDefinitions(source, transaction, this);
    }

    /// Types are in PUBLIC, which may qualify their names.
    private static boolean isInPublic(Identifier name) {
        return name.schema().isEmpty() || name.schema().equalsIgnoreCase(SearchPath.PUBLIC);
    }

    void checkSchema(Identifier name) {
        if (!isInPublic(name)) {
            String schema = SchemaDefinitions.of(source, catalog(), name, false);
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "Types are in public, for the tables of all schemas: leave out \""
                            + schema
                            + "\"");
        }
    }

    void checkFree(Identifier name) {
        checkSchema(name);
        boolean built = TypeParser.isName(name.name());
        if (built || catalog().userType(name.name()) != null) {
            throw source.error(
                    Kind.DUPLICATE_OBJECT,
                    name.position(),
                    "There is a type \"" + name.name() + "\" already: choose another name");
        }
    }

    private void create(TypeStatement.CreateEnum create) {
        checkFree(create.name());
        List<String> labels = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (Identifier label : create.labels()) {
            checkLabel(label);
            if (!known.add(label.name())) {
                throw source.error(
                        Kind.DUPLICATE_OBJECT,
                        label.position(),
                        "The label '" + label.name() + "' is declared twice");
            }
            labels.add(label.name());
        }
        transaction.create(EnumType.of(create.name().name(), labels));
    }

    private void checkLabel(Identifier label) {
        boolean fits = !label.name().isEmpty() && label.name().length() <= LABEL_CHARS_MAX;
        if (!fits) {
            throw source.error(
                    Kind.INVALID_PARAMETER,
                    label.position(),
                    "A label has 1 to " + LABEL_CHARS_MAX + " characters");
        }
    }

    private void create(TypeStatement.CreateDomain create) {
        checkFree(create.name());
        Type base = InlineTypes.stored(create.base(), transaction);
        DomainType domain =
                new DomainType(0, create.name().name(), base, create.required(), null, List.of());
        checkFilling(domain, create.filling());
        List<Check> checks = new ArrayList<>();
        for (CheckDefinition check : create.checks()) {
            checks.add(check(domain, check, checks));
        }
        FillingClause.Default filling = create.filling();
        transaction.create(
                domain.withChecks(checks).withFilling(filling == null ? null : filling.text()));
    }

    private Check check(DomainType domain, CheckDefinition written, List<Check> others) {
        Scalar condition = TableExpressions.check(domain.alone(), source, written.condition());
        TableExpressions.refuseZone(source, written.condition(), condition);
        TableExpressions.check(domain.alone(), written.text()); // parsed again as stored
        Identifier given = written.name();
        String name = given == null ? domain.name() + "_check" : given.name();
        for (int i = 1; given == null && named(others, name) >= 0; i++) {
            name = domain.name() + "_check" + i;
        }
        if (named(others, name) >= 0) {
            throw source.error(
                    Kind.DUPLICATE_OBJECT,
                    written.position(),
                    "The domain has a check \"" + name + "\" already: choose another name");
        }
        return new Check(name, written.text());
    }

    private static int named(List<Check> checks, String name) {
        for (int i = 0; i < checks.size(); i++) {
            if (checks.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    private void checkFilling(DomainType domain, FillingClause.@Nullable Default filling) {
        if (filling != null) {
            Column value = new Column("value", domain.base(), true);
            Table alone = new Table(0, domain.name(), List.of(value), List.of(), List.of());
            TableExpressions.value(alone, source, filling.expression(), value);
            TableExpressions.value(alone, filling.text(), value);
        }
    }

    SqlException unknown(Identifier name, String what) {
        UserType other = catalog().userType(name.name());
        if (other != null) {
            return source.error(
                    Kind.WRONG_OBJECT,
                    name.position(),
                    "\""
                            + name.name()
                            + "\" is "
                            + kind(other)
                            + ", where another kind of type is needed");
        }
        List<String> names = catalog().userTypes().stream().map(UserType::name).toList();
        return source.error(
                Kind.UNKNOWN_OBJECT,
                name.position(),
                "There is no "
                        + what
                        + " \""
                        + name.name()
                        + "\""
                        + Nearest.hint(name.name(), names));
    }

    private static String kind(UserType type) {
        return switch (type) {
            case DomainType _ -> "a domain";
            case EnumType _ -> "an enumeration";
            case CompositeType _ -> "a composite type";
        };
    }

    private DomainType domain(Identifier name) {
        checkSchema(name);
        if (catalog().userType(name.name()) instanceof DomainType domain) {
            return domain;
        }
        throw unknown(name, "domain");
    }

    private EnumType labels(Identifier name) {
        checkSchema(name);
        if (catalog().userType(name.name()) instanceof EnumType labels) {
            return labels;
        }
        throw unknown(name, "enumeration");
    }

    private void add(TypeStatement.AddLabel add) {
        EnumType type = labels(add.name());
        checkLabel(add.label());
        String label = add.label().name();
        if (type.indexOf(label) >= 0) {
            if (add.ifNotExists()) {
                return;
            }
            throw source.error(
                    Kind.DUPLICATE_OBJECT,
                    add.label().position(),
                    "The type has a label '" + label + "' already");
        }
        int at = type.labels().size();
        if (add.neighbour() != null) {
            at = index(type, add.neighbour()) + (add.before() ? 0 : 1);
        }
        EnumType more = type.with(label, at);
        if (more == null) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    add.label().position(),
                    "Too many labels were added at this place: create the type again");
        }
        dependents(add.name(), type, Set.of(OutsideDependence.LABELS)).refuse();
        replace(more, add.name());
    }

    private int index(EnumType type, Identifier label) {
        int at = type.indexOf(label.name());
        if (at < 0) {
            throw source.error(
                    Kind.INVALID_PARAMETER,
                    label.position(),
                    "The type has no label '" + label.name() + "'");
        }
        return at;
    }

    private void rename(TypeStatement.RenameLabel rename) {
        EnumType type = labels(rename.name());
        int at = index(type, rename.from());
        checkLabel(rename.to());
        if (type.indexOf(rename.to().name()) >= 0) {
            throw source.error(
                    Kind.DUPLICATE_OBJECT,
                    rename.to().position(),
                    "The type has a label '" + rename.to().name() + "' already");
        }
        dependents(rename.from(), type, Set.of(OutsideDependence.TEXTS, OutsideDependence.LABELS))
                .refuse();
        String partition =
                catalog().hasPartitions()
                        ? Partitions.naming(catalog(), type, rename.from().name())
                        : null;
        if (partition != null) {
            throw source.error(
                    Kind.DEPENDENT,
                    rename.from().position(),
                    "A bound of partition \""
                            + partition
                            + "\" needs the label; detach the partition first");
        }
        replace(type.renamed(at, rename.to().name()), rename.from());
    }

    private void rename(TypeStatement.RenameType rename) {
        checkSchema(rename.name());
        UserType type = catalog().userType(rename.name().name());
        if (type == null || (rename.domain() && !(type instanceof DomainType))) {
            throw unknown(rename.name(), rename.domain() ? "domain" : "type");
        }
        checkFree(rename.to());
        dependents(rename.name(), type, Set.of(OutsideDependence.NAMES)).refuse();
        replace(type.withName(rename.to().name()), rename.name());
    }

    private TypeDependents dependents(
            Identifier place, UserType type, Set<OutsideDependence> changed) {
        return new TypeDependents(source, place.position(), catalog(), type, changed);
    }

    private void drop(TypeStatement.DropDomainCheck drop) {
        DomainType domain = domain(drop.name());
        List<Check> checks = new ArrayList<>(domain.checks());
        int at = named(checks, drop.check().name());
        if (at < 0) {
            if (drop.ifExists()) {
                return;
            }
            throw noCheck(drop.check());
        }
        checks.remove(at);
        replace(domain.withChecks(checks), drop.name());
    }

    private SqlException noCheck(Identifier check) {
        return source.error(
                Kind.UNKNOWN_OBJECT,
                check.position(),
                "The domain has no check \"" + check.name() + "\"");
    }

    private void rename(TypeStatement.RenameDomainCheck rename) {
        DomainType domain = domain(rename.name());
        List<Check> checks = new ArrayList<>(domain.checks());
        int at = named(checks, rename.from().name());
        if (at < 0) {
            throw noCheck(rename.from());
        }
        if (named(checks, rename.to().name()) >= 0) {
            throw source.error(
                    Kind.DUPLICATE_OBJECT,
                    rename.to().position(),
                    "The domain has a check \"" + rename.to().name() + "\" already");
        }
        checks.set(at, new Check(rename.to().name(), checks.get(at).expression()));
        replace(domain.withChecks(checks), rename.name());
    }

    /// Replaces the definition that has the number of `changed`, in the catalog and in all domains and columns.
    /// Fails if a view or a column's default no longer fits.
    void replace(UserType changed, Identifier place) {
        transaction.create(changed);
        for (UserType other : List.copyOf(catalog().userTypes())) {
            Type type = other.id() == changed.id() ? null : with(Type.of(other), changed);
            if (type != null && type.user() != null) {
                transaction.create(type.user());
            }
        }
        for (SqlFunction function : List.copyOf(catalog().functions())) {
            if (function.types().stream().anyMatch(type -> with(type, changed) != null)) {
                transaction.create(function.withTypes(type -> with(type, changed)));
            }
        }
        for (Table table : new TreeMap<>(catalog().byName()).values()) {
            List<Column> columns = new ArrayList<>();
            boolean any = false;
            for (Column column : table.columns()) {
                Type type = with(column.type(), changed);
                any |= type != null;
                columns.add(type == null ? column : column.withType(type));
            }
            List<Index> indexes = new ArrayList<>();
            for (Index index : table.indexes()) {
                indexes.add(with(index, changed));
            }
            if (any || !indexes.equals(table.indexes())) {
                transaction.redefine(table.withColumns(columns).withIndexes(indexes), null);
            }
        }
        TypeDependents.checkDomains(source, place.position(), catalog());
        Views.check(source, place.position(), transaction, former, false);
        for (Table table : catalog().byName().values()) {
            checkFillings(table, place);
        }
    }

    /// Checks the defaults of columns: a renamed label may be one.
    private void checkFillings(Table table, Identifier place) {
        for (Column column : table.columns()) {
            boolean of = column.type().name() == Type.Name.ENUM;
            if (of && column.filling() instanceof ColumnDefault.Default value) {
                try {
                    var _ = TableExpressions.value(table, value.expression(), column);
                } catch (SqlException lost) {
                    throw source.error(
                            Kind.DEPENDENT,
                            place.position(),
                            "Column \""
                                    + column.name()
                                    + "\" of table \""
                                    + table.name()
                                    + "\" has a default that needs it");
                }
            }
        }
    }

    /// `index` with `changed` in the types of its expressions.
    private static Index with(Index index, UserType changed) {
        Index.Terms terms = index.terms();
        if (terms == null) {
            return index;
        }
        List<Type> types = new ArrayList<>();
        for (Type type : terms.types()) {
            Type other = with(type, changed);
            types.add(other == null ? type : other);
        }
        return index.withTerms(new Index.Terms(terms.expressions(), types, terms.condition()));
    }

    /// `type` with `changed` for the definition of its number; null if it does not contain it.
    static @Nullable Type with(Type type, UserType changed) {
        UserType user = type.user();
        if (user == null) {
            Type element = type.element() == null ? null : with(type.element(), changed);
            return element == null ? null : Type.array(element);
        }
        if (user.id() == changed.id()) {
            return Type.of(changed);
        }
        if (user instanceof DomainType domain) {
            Type base = with(domain.base(), changed);
            return base == null ? null : Type.of(domain.withBase(base));
        }
        CompositeType composite =
                user instanceof CompositeType own ? CompositeDefinitions.with(own, changed) : null;
        return composite == null ? null : Type.of(composite);
    }

    private void drop(Identifier name, TypeStatement.DropTypes drop) {
        if (!drop.ifExists()) {
            checkSchema(name);
        }
        UserType type = isInPublic(name) ? catalog().userType(name.name()) : null;
        if (type == null || (drop.domain() && !(type instanceof DomainType))) {
            if (drop.ifExists()) {
                return;
            }
            throw unknown(name, drop.domain() ? "domain" : "type");
        }
        for (UserType other : List.copyOf(catalog().userTypes())) {
            if (other.id() != type.id() && with(Type.of(other), type) != null) {
                String what = other instanceof DomainType ? "Domain" : "An attribute of";
                refuseUnless(drop.cascade(), name, what + " \"" + other.name() + "\"");
                drop(
                        new Identifier(name.position(), other.name()),
                        new TypeStatement.DropTypes(
                                drop.position(),
                                other instanceof DomainType,
                                true,
                                List.of(),
                                true));
            }
        }
        for (SqlFunction function : List.copyOf(catalog().functions())) {
            if (function.types().stream().anyMatch(each -> with(each, type) != null)) {
                refuseUnless(
                        drop.cascade(), name, "A value of function \"" + function.name() + "\"");
                transaction.drop(function);
            }
        }
        for (Table table : new TreeMap<>(catalog().byName()).values()) {
            Table current = catalog().table(table.id()); // without foreign keys that are gone
            Table now = current == null ? table : current;
            for (Column column : table.columns()) {
                if (with(column.type(), type) != null) {
                    refuseUnless(
                            drop.cascade(),
                            name,
                            "Column \"" + column.name() + "\" of table \"" + table.name() + "\"");
                    Identifier gone = new Identifier(name.position(), column.name());
                    now =
                            new Alterations(source, execution, definitions)
                                    .run(
                                            now,
                                            new Alteration.DropColumn(true, gone, true),
                                            name.position());
                }
            }
        }
        transaction.drop(type);
        Views.check(source, name.position(), transaction, former, drop.cascade());
    }

    private void refuseUnless(boolean cascade, Identifier name, String what) {
        if (!cascade) {
            throw source.error(
                    Kind.DEPENDENT,
                    name.position(),
                    what + " is of this type: drop that first, or use CASCADE");
        }
    }
}
