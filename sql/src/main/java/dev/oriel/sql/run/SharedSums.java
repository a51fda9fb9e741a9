package dev.oriel.sql.run;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.FixedDecimalProgram;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.syntax.AggregateFunction;
import java.util.List;

/// Shares the state of aggregates that differ only in their result: SUM and AVG of the same decimals, whose digits
/// are deterministic. Holds the program that computes the arguments of all sums.
final class SharedSums {
    /// Number of the state, by call; the first call of a state creates it.
    private final int[] stateOf;

    private final boolean[] average;
    private final int states;

    /// Register of the argument by state, or -1.
    private final int[] registers;

    private final FixedDecimalProgram program = new FixedDecimalProgram();

    private SharedSums(List<AggregateCall> calls, int[] stateOf, boolean[] average, int states) {
        this.stateOf = stateOf;
        this.average = average;
        this.states = states;
        this.registers = new int[states];
        for (int i = 0; i < stateOf.length; i++) {
            AggregateCall call = calls.get(i);
            registers[stateOf[i]] =
                    isSum(call) ? program.register(call.arguments().getFirst()) : -1;
        }
    }

    static SharedSums of(List<AggregateCall> calls) {
        int[] stateOf = new int[calls.size()];
        boolean[] average = new boolean[calls.size()];
        int states = 0;
        for (int i = 0; i < stateOf.length; i++) {
            stateOf[i] = states;
            average[i] = calls.get(i).kind() == AggregateFunction.AVG;
            for (int j = 0; j < i; j++) {
                if (isShared(calls.get(j), calls.get(i))) {
                    stateOf[i] = stateOf[j];
                    break;
                }
            }
            states += stateOf[i] == states ? 1 : 0;
        }
        return new SharedSums(calls, stateOf, average, states);
    }

    private static boolean isShared(AggregateCall a, AggregateCall b) {
        return isSum(a)
                && isSum(b)
                && ScalarText.identity(a.arguments().getFirst())
                        .equals(ScalarText.identity(b.arguments().getFirst()));
    }

    private static boolean isSum(AggregateCall call) {
        boolean sums = call.kind() == AggregateFunction.SUM || call.kind() == AggregateFunction.AVG;
        return sums
                && !call.distinct()
                && call.filter() == null
                && call.order().isEmpty()
                && call.arguments().getFirst().digitsScale() != Scalar.NO_SCALE;
    }

    /// The program to run on a row before it is added to the states.
    FixedDecimalProgram program() {
        return program;
    }

    /// Empty states, each once.
    Accumulator[] states(List<AggregateCall> calls, Execution execution, QueryMemory.Share share) {
        Accumulator[] made = new Accumulator[states];
        int next = 0;
        for (int i = 0; i < stateOf.length; i++) {
            if (stateOf[i] == next) {
                Accumulator state = Accumulator.of(calls.get(i), execution, share);
                if (registers[next] >= 0 && state instanceof Accumulator.DecimalSum sum) {
                    sum.read(program, registers[next]);
                }
                made[next++] = state;
            }
        }
        return made;
    }

    /// Accumulator with the result of each call, made of the states of [#states].
    Accumulator[] results(Accumulator[] made) {
        if (made.length == stateOf.length) {
            return made;
        }
        Accumulator[] results = new Accumulator[stateOf.length];
        for (int i = 0; i < results.length; i++) {
            Accumulator state = made[stateOf[i]];
            results[i] = state instanceof Accumulator.DecimalSum sum ? sum.as(average[i]) : state;
        }
        return results;
    }
}
