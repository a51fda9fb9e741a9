package dev.oriel.sql.define;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SequenceFunctions;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.SequenceOptions;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Limit;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// CREATE and ALTER SEQUENCE: evaluates their options.
final class Sequences {
    private static final List<Type.Name> INTEGERS =
            List.of(Type.Name.TINYINT, Type.Name.SMALLINT, Type.Name.INTEGER, Type.Name.BIGINT);

    private Sequences() {}

    /// A new sequence.
    ///
    /// @param usual type of its numbers if the options have none
    static Sequence made(
            SqlText source, int position, String name, SequenceOptions options, Type usual) {
        Type type = options.type() == null ? usual : options.type();
        long increment = or(options.increment(), 1);
        boolean up = increment > 0;
        long least = limit(options.least(), least(up, type));
        long most = limit(options.most(), most(up, type));
        long start = or(options.start(), up ? least : most);
        boolean cycle = options.cycle() != null && options.cycle();
        Sequence sequence = new Sequence(0, name, start, increment, least, most, cycle, 0);
        check(source, position, sequence, start, type);
        return sequence;
    }

    private static long limit(@Nullable Limit given, long usual) {
        return given == null ? usual : or(given.number(), usual);
    }

    private static long least(boolean up, Type type) {
        return up ? 1 : -greatest(type) - 1;
    }

    private static long most(boolean up, Type type) {
        return up ? greatest(type) : -1;
    }

    /// The greatest number of an integer type.
    private static long greatest(Type type) {
        return switch (type.name()) {
            case TINYINT -> Byte.MAX_VALUE;
            case SMALLINT -> Short.MAX_VALUE;
            case INTEGER -> Integer.MAX_VALUE;
            default -> Long.MAX_VALUE;
        };
    }

    /// `sequence` changed from one integer type to another; a limit at the old type's bound moves to the new bound.
    static Sequence retyped(Sequence sequence, Type from, Type to) {
        boolean lowest = sequence.least() == -greatest(from) - 1;
        boolean highest = sequence.most() == greatest(from);
        return new Sequence(
                sequence.id(),
                sequence.name(),
                sequence.start(),
                sequence.increment(),
                lowest ? -greatest(to) - 1 : sequence.least(),
                highest ? greatest(to) : sequence.most(),
                sequence.cycle(),
                sequence.owner(),
                sequence.schema());
    }

    private static long or(@Nullable Long given, long otherwise) {
        return given == null ? otherwise : given;
    }

    /// Rejects limits that contradict each other or the type of the numbers.
    ///
    /// @param from next number
    static void check(SqlText source, int position, Sequence sequence, long from, Type type) {
        long greatest = greatest(type);
        String wrong = "";
        if (!Typing.isInteger(type)) {
            wrong = "its numbers are of an integer type, not " + type;
        } else if (sequence.increment() == 0) {
            wrong = "INCREMENT cannot be 0";
        } else if (sequence.most() > greatest || sequence.least() < -greatest - 1) {
            wrong = "MINVALUE and MAXVALUE must be numbers of type " + type;
        } else if (sequence.least() >= sequence.most()) {
            wrong = "MINVALUE must be less than MAXVALUE";
        } else if (from < sequence.least() || from > sequence.most()) {
            wrong = "it cannot start with " + from + ", outside of MINVALUE and MAXVALUE";
        }
        if (!wrong.isEmpty()) {
            throw source.error(
                    Kind.INVALID_PARAMETER,
                    position,
                    "Sequence \"" + sequence.name() + "\": " + wrong);
        }
    }

    /// Runs ALTER SEQUENCE.
    static void alter(
            SqlText source,
            TableTransaction transaction,
            Sequence before,
            Statement.AlterSequence alter) {
        SequenceOptions options = alter.options();
        Type own = type(transaction.catalog(), before);
        Type type = options.type() == null ? own : options.type();
        Sequence typed = options.type() == null ? before : retyped(before, type);
        long increment = or(options.increment(), before.increment());
        boolean up = increment > 0;
        Limit least = options.least();
        Limit most = options.most();
        Sequence after =
                new Sequence(
                        before.id(),
                        before.name(),
                        or(options.start(), before.start()),
                        increment,
                        least == null ? typed.least() : limit(least, least(up, type)),
                        most == null ? typed.most() : limit(most, most(up, type)),
                        options.cycle() == null ? before.cycle() : options.cycle(),
                        owner(
                                source.at(alter.name().position()),
                                transaction.catalog(),
                                before,
                                options.owned()),
                        before.schema());
        int position = alter.name().position();
        check(source, position, after, after.start(), type);
        transaction.create(after);
        Statement.Restart restart = options.restart();
        if (restart != null) {
            long from = or(restart.with(), after.start());
            check(source, position, after, from, type);
            transaction.restart(after, from);
        } else {
            // START affects only a later RESTART: the first number stays as it was.
            boolean within = before.start() >= after.least() && before.start() <= after.most();
            transaction.passOver(within ? before : after);
        }
    }

    /// Gives `table` the sequences that H2's `DEFAULT NEXT VALUE FOR s NULL_TO_DEFAULT SEQUENCE s` names.
    static void adopt(
            SqlText source,
            TableTransaction transaction,
            Table table,
            List<Statement.ColumnDefinition> columns) {
        for (Statement.ColumnDefinition column : columns) {
            Statement.Identifier name = column.sequence();
            if (name == null) {
                continue;
            }
            Catalog catalog = transaction.catalog();
            Sequence sequence = catalog.sequence(name.path());
            if (sequence == null) {
                throw source.error(
                        Kind.UNKNOWN_TABLE,
                        name.position(),
                        "There is no sequence \"" + name.text() + "\"; create it first");
            }
            Statement.Owned owned =
                    new Statement.Owned(
                            new Statement.Identifier(name.position(), table.name(), table.schema()),
                            column.name());
            long owner = owner(source.at(name.position()), catalog, sequence, owned);
            transaction.create(sequence.withOwner(owner));
        }
    }

    /// Number of the table that `sequence` goes with after OWNED BY.
    ///
    /// @param place position of its name
    static long owner(
            SqlText.Place place,
            Catalog catalog,
            Sequence sequence,
            Statement.@Nullable Owned owned) {
        if (owned == null) {
            return sequence.owner();
        }
        Statement.Identifier name = owned.table();
        Statement.Identifier column = owned.column();
        Table table = name == null ? null : SelectBinder.ordinary(place.source(), catalog, name);
        if (table != null && column != null) {
            int _ = Compiler.column(place.source(), table, column);
        }
        Table before = catalog.table(sequence.owner());
        boolean identity =
                before != null
                        && before.columns().stream()
                                .anyMatch(own ->
                                        own.filling() instanceof ColumnDefault.Identity filling
                                                && filling.sequence() == sequence.id());
        if (identity && (table == null || table.id() != sequence.owner())) {
            throw place.error(
                    Kind.NOT_SUPPORTED,
                    "Sequence \""
                            + sequence.name()
                            + "\" belongs to an identity column; DROP IDENTITY makes it free");
        }
        if (table != null && !table.schema().equals(sequence.schema())) {
            throw place.error(
                    Kind.OBJECT_STATE,
                    "A sequence goes with a table of its own schema; move one of them first");
        }
        return table == null ? 0 : table.id();
    }

    /// Type of the numbers of `sequence`: its identity column's, else the widest, since a sequence stores only its
    /// limits.
    private static Type type(Catalog catalog, Sequence sequence) {
        Table owner = catalog.table(sequence.owner());
        for (Column column : owner == null ? List.<Column>of() : owner.columns()) {
            if (column.filling() instanceof ColumnDefault.Identity identity
                    && identity.sequence() == sequence.id()) {
                return column.type();
            }
        }
        return Typing.BIGINT;
    }

    /// `sequence` with the type `to`, if its old type is unknown.
    private static Sequence retyped(Sequence sequence, Type to) {
        Sequence typed = sequence;
        for (Type.Name from : INTEGERS) {
            typed = retyped(typed, Type.of(from), to);
        }
        return typed;
    }

    /// The expression that draws from `sequence`.
    static String drawing(Sequence sequence) {
        String name = SequenceFunctions.written(sequence);
        return "NEXTVAL('" + name.replace("'", "''") + "')";
    }

    /// Whether `sequence` belongs to a column of `table`.
    static boolean belongs(Table table, Column column, Sequence sequence) {
        return switch (column.filling()) {
            case null -> false;
            case ColumnDefault.Identity identity -> identity.sequence() == sequence.id();
            case ColumnDefault.Default value ->
                    sequence.owner() == table.id() && draws(table, column, value, sequence);
            case ColumnDefault.Generated _ -> false;
        };
    }

    /// Whether a default draws from `sequence`.
    static boolean draws(
            Table table, Column column, ColumnDefault.Default filling, Sequence sequence) {
        return draws(TableExpressions.value(table, filling.expression(), column), sequence);
    }

    private static boolean draws(Scalar scalar, Sequence sequence) {
        if (scalar instanceof FunctionCall call
                && call.function() == Function.NEXTVAL
                && call.arguments().getFirst() instanceof Scalar.Constant constant
                && SequenceFunctions.means(String.valueOf(constant.reference()), sequence)) {
            return true;
        }
        return Scalar.operands(scalar).stream().anyMatch(operand -> draws(operand, sequence));
    }

    /// Names of the sequences that a default draws from.
    static List<String> drawn(Table table, Column column, ColumnDefault.Default filling) {
        List<String> names = new ArrayList<>();
        draw(TableExpressions.value(table, filling.expression(), column), names);
        return names;
    }

    private static void draw(Scalar scalar, List<String> names) {
        if (scalar instanceof FunctionCall call
                && call.function() == Function.NEXTVAL
                && call.arguments().getFirst() instanceof Scalar.Constant constant) {
            names.add(String.valueOf(constant.reference()));
        }
        Scalar.operands(scalar).forEach(operand -> draw(operand, names));
    }
}
