package dev.oriel.sql.syntax;

import java.util.ArrayList;
import java.util.List;

/// The names of sequences as arguments of NEXTVAL, CURRVAL and SETVAL.
final class SequenceNames {
    private SequenceNames() {}

    /// Whether the first argument of `function` is the name of a sequence.
    static boolean takes(String function) {
        Function called = Function.of(function);
        return called == Function.NEXTVAL
                || called == Function.CURRVAL
                || called == Function.SETVAL;
    }

    /// The `arguments` of `function`, with a sequence's name without its cast to REGCLASS, as in
    /// `NEXTVAL('s'::regclass)`. The function itself finds the sequence by its name.
    static List<Expression> uncast(String function, List<Expression> arguments) {
        if (!(arguments.getFirst() instanceof Expression.Call cast)
                || !cast.name().equals(Function.REGCLASS.called())
                || !takes(function)) {
            return arguments;
        }
        List<Expression> uncast = new ArrayList<>(arguments);
        uncast.set(0, cast.arguments().getFirst());
        return List.copyOf(uncast);
    }
}
