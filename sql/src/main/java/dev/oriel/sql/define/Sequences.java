package dev.oriel.sql.define;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.SequenceOptions;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.Column;
import dev.oriel.table.Filling;
import dev.oriel.table.Sequence;
import dev.oriel.table.Table;
import dev.oriel.table.TableTransaction;
import org.jspecify.annotations.Nullable;

/// What CREATE and ALTER SEQUENCE make of their options.
final class Sequences {
    private Sequences() {}

    /// A new sequence.
    ///
    /// @param most its greatest value where the options do not say it
    static Sequence made(
            SqlText source, int position, String name, SequenceOptions options, long most) {
        long increment = or(options.increment(), 1);
        boolean up = increment > 0;
        long least = or(options.least(), up ? 1 : -most);
        long greatest = or(options.most(), up ? most : -1);
        long start = or(options.start(), up ? least : greatest);
        boolean cycle = options.cycle() != null && options.cycle();
        Sequence sequence = new Sequence(0, name, start, increment, least, greatest, cycle, 0);
        check(source, position, sequence, start);
        return sequence;
    }

    private static long or(@Nullable Long given, long otherwise) {
        return given == null ? otherwise : given;
    }

    private static void check(SqlText source, int position, Sequence sequence, long from) {
        String wrong = "";
        if (sequence.increment() == 0) {
            wrong = "INCREMENT cannot be 0";
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
        Sequence after =
                new Sequence(
                        before.id(),
                        before.name(),
                        or(options.start(), before.start()),
                        or(options.increment(), before.increment()),
                        or(options.least(), before.least()),
                        or(options.most(), before.most()),
                        options.cycle() == null ? before.cycle() : options.cycle(),
                        before.owner());
        check(source, alter.name().position(), after, after.start());
        transaction.create(after);
        Statement.Restart restart = options.restart();
        if (restart != null) {
            long from = or(restart.with(), after.start());
            check(source, alter.name().position(), after, from);
            transaction.setValue(after, from, false);
        } else {
            transaction.passOver(after);
        }
    }

    /// Whether a default takes its value from `sequence`.
    static boolean draws(Table table, Column column, Filling.Default filling, Sequence sequence) {
        return draws(TableExpressions.value(table, filling.expression(), column), sequence);
    }

    private static boolean draws(Scalar scalar, Sequence sequence) {
        if (scalar instanceof FunctionCall call
                && call.function() == Function.NEXTVAL
                && call.arguments().getFirst() instanceof Scalar.Constant constant
                && sequence.name().equalsIgnoreCase(String.valueOf(constant.reference()))) {
            return true;
        }
        return Scalar.operands(scalar).stream().anyMatch(operand -> draws(operand, sequence));
    }
}
