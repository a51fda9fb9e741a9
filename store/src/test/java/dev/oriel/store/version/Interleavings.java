package dev.oriel.store.version;

import dev.oriel.store.model.HeapPrint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// All interleavings of the steps of a few actors, depth first. A state reached before, on any path, is not
/// explored again: the continuation depends on the state alone.
///
/// The world cannot be copied, so a branch begins with a new one and the steps that led there.
final class Interleavings {
    /// Actors, each of which takes one step at a time. All state that affects later steps is in fields, so that
    /// [HeapPrint] sees it.
    interface World {
        int actors();

        boolean canStep(int actor);

        /// Takes the next step of `actor` and returns its name.
        ///
        /// @throws AssertionError if a step observes a forbidden state
        String step(int actor);
    }

    private final Supplier<World> begin;
    private final Map<HeapPrint.Print, Long> orders = new HashMap<>();
    private final List<Integer> path = new ArrayList<>();

    Interleavings(Supplier<World> begin) {
        this.begin = begin;
    }

    /// Explores all interleavings and returns their number.
    ///
    /// @throws AssertionError with the steps that led there if one of them goes wrong
    long run() {
        return from(begin.get());
    }

    /// Number of different states met.
    int states() {
        return orders.size();
    }

    private long from(World world) {
        HeapPrint.Print print = HeapPrint.of(world);
        Long known = orders.get(print);
        if (known != null) {
            return known;
        }
        List<Integer> able = new ArrayList<>();
        for (int actor = 0; actor < world.actors(); actor++) {
            if (world.canStep(actor)) {
                able.add(actor);
            }
        }
        long count = able.isEmpty() ? 1 : 0;
        World here = world;
        for (int actor : able) {
            here = here == null ? again() : here;
            step(here, actor);
            path.add(actor);
            count = Math.addExact(count, from(here));
            path.removeLast();
            here = null;
        }
        orders.put(print, count);
        return count;
    }

    private World again() {
        World world = begin.get();
        for (int actor : path) {
            world.step(actor);
        }
        return world;
    }

    private void step(World world, int actor) {
        try {
            world.step(actor);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + story(actor), e);
        }
    }

    /// The names of the steps, the one that went wrong last.
    private String story(int last) {
        World world = begin.get();
        List<String> names = new ArrayList<>();
        for (int actor : path) {
            names.add(actor + " " + world.step(actor));
        }
        names.add(last + " !");
        return "\n" + String.join("\n", Collections.unmodifiableList(names));
    }
}
