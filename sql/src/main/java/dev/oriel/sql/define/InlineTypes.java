package dev.oriel.sql.define;

import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.ColumnDefinition;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.UserType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Creates the enumerations that columns declare by their labels, as in `suit ENUM('hearts', 'spades')` of MySQL and
/// H2. Columns with the same labels share one, which stays when they are dropped.
final class InlineTypes {
    private final TableTransaction transaction;

    private InlineTypes(TableTransaction transaction) {
        this.transaction = transaction;
    }

    /// Whether `type` is an enumeration that does not exist yet, or an array of such.
    static boolean isNew(Type type) {
        Type single = type.element() == null ? type : type.element();
        return single.user() instanceof EnumType labels && labels.id() == 0;
    }

    /// Whether `statement` declares such a type.
    static boolean any(Statement.Definition statement) {
        return switch (statement) {
            case Statement.CreateTable create ->
                    create.columns().stream().anyMatch(column -> isNew(column.type()));
            case Statement.CreateTableAs create ->
                    create.declared() != null && any(create.declared());
            case Statement.AlterTable alter ->
                    alter.changes().stream().anyMatch(InlineTypes::declares);
            default -> false;
        };
    }

    private static boolean declares(Alteration change) {
        return switch (change) {
            case Alteration.AddColumn add -> isNew(add.column().type());
            case Alteration.ChangeType type -> isNew(type.type());
            case Alteration.IfColumnExists column -> declares(column.change());
            default -> false;
        };
    }

    /// `statement` with types that exist.
    static Statement.Definition created(
            Statement.Definition statement, TableTransaction transaction) {
        InlineTypes types = new InlineTypes(transaction);
        return switch (statement) {
            case Statement.CreateTable create -> types.created(create);
            case Statement.CreateTableAs create ->
                    new Statement.CreateTableAs(
                            create.position(),
                            create.ifNotExists(),
                            create.table(),
                            create.columns(),
                            create.query(),
                            create.empty(),
                            create.temporary(),
                            types.created(Objects.requireNonNull(create.declared())));
            case Statement.AlterTable alter ->
                    new Statement.AlterTable(
                            alter.position(),
                            alter.ifExists(),
                            alter.table(),
                            alter.changes().stream().map(types::created).toList());
            default -> statement;
        };
    }

    /// `type`, which is created if it does not exist yet.
    static Type stored(Type type, TableTransaction transaction) {
        boolean mayBeNew = type.user() != null || type.element() != null;
        return mayBeNew ? new InlineTypes(transaction).created(type) : type;
    }

    private Statement.CreateTable created(Statement.CreateTable create) {
        List<ColumnDefinition> columns = new ArrayList<>();
        create.columns().forEach(column -> columns.add(created(column)));
        return new Statement.CreateTable(
                create.position(),
                create.ifNotExists(),
                create.table(),
                List.copyOf(columns),
                create.constraints(),
                create.likes(),
                create.temporary(),
                create.partitioned());
    }

    private ColumnDefinition created(ColumnDefinition column) {
        return new ColumnDefinition(
                column.name(),
                created(column.type()),
                column.nullable(),
                column.filling(),
                column.comment(),
                column.update(),
                column.fillsNull(),
                column.sequence(),
                column.role());
    }

    private Alteration created(Alteration change) {
        return switch (change) {
            case Alteration.AddColumn add ->
                    new Alteration.AddColumn(
                            add.ifNotExists(),
                            created(add.column()),
                            add.constraints(),
                            add.place());
            case Alteration.ChangeType type -> created(type);
            case Alteration.IfColumnExists column ->
                    new Alteration.IfColumnExists(column.column(), created(column.change()));
            default -> change;
        };
    }

    private Alteration created(Alteration.ChangeType change) {
        Type type = created(change.type());
        Expression using =
                change.using() instanceof Expression.Cast cast && cast.type().equals(change.type())
                        ? new Expression.Cast(cast.position(), cast.operand(), type)
                        : change.using();
        return new Alteration.ChangeType(change.column(), type, using);
    }

    private Type created(Type type) {
        if (!isNew(type)) {
            return type;
        } else if (type.element() != null) {
            return Type.array(created(type.element()));
        }
        EnumType labels = type.labels();
        UserType known = transaction.catalog().userType(labels.name());
        if (known == null) {
            transaction.create(labels);
            known = transaction.catalog().userType(labels.name());
        }
        if (known == null) {
            throw new IllegalStateException("a type that was created does not exist");
        }
        return Type.of(known);
    }
}
