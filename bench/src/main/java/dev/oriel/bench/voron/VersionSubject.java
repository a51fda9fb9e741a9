package dev.oriel.bench.voron;

import dev.oriel.bench.Subject;
import java.util.function.Function;
import java.util.function.LongFunction;

/// A design of a page table. All are ours to run, so none is a peer that must be asked for.
///
/// @param maker makes an empty map; its argument makes the key of a page, if the design has key objects
/// @param hasKeys whether it has key objects
record VersionSubject(
        String name,
        String settings,
        boolean hasKeys,
        Function<LongFunction<Object>, VersionMap> maker)
        implements Subject {
    @Override
    public String product() {
        return "oriel";
    }

    VersionMap open(LongFunction<Object> keyOf) {
        return maker.apply(keyOf);
    }
}
