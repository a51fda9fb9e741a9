package dev.oriel.graph.memory;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// A list of weakly referenced objects, which may also be finished (`over`). Whenever the list has doubled,
/// unreachable and finished objects are dropped. Used by one thread at a time.
public final class WeakList<T> {
    private static final int PURGE_FIRST = 16;

    private final Predicate<T> over;
    private final List<WeakReference<T>> all = new ArrayList<>();
    private int purgeAt = PURGE_FIRST;

    public WeakList(Predicate<T> over) {
        this.over = over;
    }

    public void add(T one) {
        if (all.size() >= purgeAt) {
            all.removeIf(this::isGone);
            purgeAt = Math.max(PURGE_FIRST, 2 * all.size());
        }
        all.add(new WeakReference<>(one));
    }

    private boolean isGone(WeakReference<T> one) {
        T known = one.get();
        return known == null || over.test(known);
    }

    /// Whether no live object is left. Dead objects at the end of the list are dropped, so frequent calls are
    /// cheap.
    public boolean isEmpty() {
        while (!all.isEmpty() && isGone(all.getLast())) {
            all.removeLast();
        }
        return all.isEmpty();
    }

    /// The live objects.
    public List<T> live() {
        List<T> live = new ArrayList<>();
        for (WeakReference<T> each : all) {
            T known = each.get();
            if (known != null && !over.test(known)) {
                live.add(known);
            }
        }
        return live;
    }

    public void clear() {
        all.clear();
        purgeAt = PURGE_FIRST;
    }
}
