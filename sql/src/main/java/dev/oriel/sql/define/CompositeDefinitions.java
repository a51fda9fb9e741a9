package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TypeStatement;
import dev.oriel.sql.syntax.TypeStatement.AttributeChange;
import dev.oriel.sql.syntax.TypeStatement.NewAttribute;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.CompositeType.Attribute;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs CREATE TYPE and ALTER TYPE of composite types. A stored value has the attributes that its type had when it was
/// written, so attributes of a type that a table uses keep their number and types.
final class CompositeDefinitions {
    private final SqlText source;
    private final TableTransaction transaction;
    private final TypeDefinitions types;

    CompositeDefinitions(SqlText source, TableTransaction transaction, TypeDefinitions types) {
        this.source = source;
        this.transaction = transaction;
        this.types = types;
    }

    void create(TypeStatement.CreateComposite create) {
        types.checkFree(create.name());
        Catalog catalog = transaction.catalog();
        if (catalog.table(create.name().path()) != null) {
            throw source.error(
                    Kind.DUPLICATE_OBJECT,
                    create.name().position(),
                    "There is a table \""
                            + create.name().name()
                            + "\", which is the name of its rows' type too: choose another name");
        }
        List<Attribute> attributes = new ArrayList<>();
        for (NewAttribute attribute : create.attributes()) {
            checkFree(attributes, attribute.name());
            attributes.add(attribute(attribute));
        }
        transaction.create(new CompositeType(0, create.name().name(), attributes));
    }

    private Attribute attribute(NewAttribute attribute) {
        if (attribute.type().isOfExpression()) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    attribute.name().position(),
                    "An attribute cannot be a row of a table; CREATE TYPE for it");
        }
        if (attribute.type().domain() != null) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    attribute.name().position(),
                    "An attribute cannot be of a domain; use its base type, and make a domain over"
                            + " the composite type");
        }
        return new Attribute(
                attribute.name().name(), InlineTypes.stored(attribute.type(), transaction));
    }

    private void checkFree(List<Attribute> attributes, Identifier name) {
        for (Attribute other : attributes) {
            if (other.name().equalsIgnoreCase(name.name())) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        name.position(),
                        "The type has an attribute \""
                                + name.name()
                                + "\" already: choose another name");
            }
        }
    }

    void alter(TypeStatement.AlterAttributes alter) {
        types.checkSchema(alter.name());
        UserType type = transaction.catalog().userType(alter.name().name());
        if (!(type instanceof CompositeType composite)) {
            throw types.unknown(alter.name(), "composite type");
        }
        List<Attribute> attributes = new ArrayList<>(composite.attributes());
        boolean moves = false;
        for (AttributeChange change : alter.changes()) {
            moves |= !(change instanceof AttributeChange.Rename);
            switch (change) {
                case AttributeChange.Add add -> {
                    checkFree(attributes, add.attribute().name());
                    attributes.add(attribute(add.attribute()));
                }
                case AttributeChange.Drop drop -> {
                    int at = composite.withAttributes(attributes).indexOf(drop.name().name());
                    if (at < 0 && !drop.ifExists()) {
                        throw unknown(composite, drop.name());
                    } else if (at >= 0) {
                        attributes.remove(at);
                    }
                }
                case AttributeChange.Rename rename -> {
                    int at = position(composite, attributes, rename.name());
                    if (!rename.to().name().equalsIgnoreCase(rename.name().name())) {
                        checkFree(attributes, rename.to());
                    }
                    Type own = attributes.get(at).type();
                    attributes.set(at, new Attribute(rename.to().name(), own));
                }
                case AttributeChange.Retype retype -> {
                    int at = position(composite, attributes, retype.attribute().name());
                    Attribute other = attribute(retype.attribute());
                    attributes.set(at, new Attribute(attributes.get(at).name(), other.type()));
                }
            }
        }
        CompositeType changed = composite.withAttributes(attributes);
        if (moves) {
            checkUnused(changed, alter.name());
        }
        if (attributes.stream()
                .anyMatch(each -> TypeDefinitions.with(each.type(), changed) != null)) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    alter.name().position(),
                    "A composite type cannot contain itself");
        }
        types.replace(changed, alter.name());
    }

    private int position(CompositeType type, List<Attribute> attributes, Identifier name) {
        int at = type.withAttributes(attributes).indexOf(name.name());
        if (at < 0) {
            throw unknown(type, name);
        }
        return at;
    }

    private SqlException unknown(CompositeType type, Identifier name) {
        List<String> names = type.attributes().stream().map(Attribute::name).toList();
        return source.error(
                Kind.UNKNOWN_COLUMN,
                name.position(),
                "Type \""
                        + type.name()
                        + "\" has no attribute \""
                        + name.name()
                        + "\""
                        + Nearest.hint(name.name(), names));
    }

    /// Checks that no table stores values of `type`.
    private void checkUnused(CompositeType type, Identifier name) {
        for (Table table : transaction.catalog().byName().values()) {
            for (Column column : table.columns()) {
                if (TypeDefinitions.with(column.type(), type) != null) {
                    throw used(name, "Column \"" + column.name() + "\" of table", table);
                }
            }
            for (Index index : table.indexes()) {
                Index.Terms terms = index.terms();
                for (Type term : terms == null ? List.<Type>of() : terms.types()) {
                    if (TypeDefinitions.with(term, type) != null) {
                        throw used(name, "Index \"" + index.name() + "\" of table", table);
                    }
                }
            }
        }
    }

    private SqlException used(Identifier name, String what, Table table) {
        return source.error(
                Kind.NOT_SUPPORTED,
                name.position(),
                what
                        + " \""
                        + table.name()
                        + "\" stores values of the type, which keep their attributes; only"
                        + " RENAME ATTRIBUTE is possible");
    }

    /// `type` with `changed` in the types of its attributes; null if it does not contain it.
    static @Nullable CompositeType with(CompositeType type, UserType changed) {
        List<Attribute> attributes = new ArrayList<>();
        boolean any = false;
        for (Attribute attribute : type.attributes()) {
            Type other = TypeDefinitions.with(attribute.type(), changed);
            any |= other != null;
            attributes.add(
                    new Attribute(
                            attribute.name(), Objects.requireNonNullElse(other, attribute.type())));
        }
        return any ? type.withAttributes(attributes) : null;
    }
}
