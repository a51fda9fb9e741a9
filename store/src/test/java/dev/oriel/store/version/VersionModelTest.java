package dev.oriel.store.version;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.version.VersionWorld.Change;
import dev.oriel.store.version.VersionWorld.Rule;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Publishing, checkpoint and freeing against readers, in every order of their steps (docs/mvcc.md).
/// `-Ddeep=true`, which `-Pconcurrency` sets, adds a third transaction.
final class VersionModelTest {
    private static final int BOTH = 3;
    private static final int FIRST = 1;

    private static final boolean DEEP = Boolean.getBoolean("deep");

    /// Two commits; the second one reuses the frames freed by the first one. The deep run has one more, with both
    /// pages.
    private static final Change[] COMMITS = {
        new Change(BOTH, true), new Change(FIRST, true), new Change(BOTH, true)
    };

    /// A transaction that is rolled back after a commit; the deep run has one more commit.
    private static final Change[] ROLLBACK = {
        new Change(FIRST, true), new Change(BOTH, false), new Change(BOTH, true)
    };

    private static long explore(String what, Rule rule, Change[] changes, int... pages) {
        Change[] some = Arrays.copyOf(changes, DEEP ? changes.length : 2);
        Interleavings all = new Interleavings(() -> new VersionWorld(rule, some, pages));
        long start = System.nanoTime();
        long orders = all.run();
        System.out.printf(
                "%s: %,d interleavings, %,d states, %d ms%n",
                what, orders, all.states(), (System.nanoTime() - start) / 1_000_000);
        assertTrue(orders > 1_000_000_000_000L, () -> "only " + orders);
        return orders;
    }

    @Test
    @EnabledIfSystemProperty(named = "deep", matches = "true")
    void readersOfOnePageSeeTheirSnapshotInEveryOrder() {
        explore("both read the page of all commits", Rule.AS_BUILT, COMMITS, 0, 0);
    }

    @Test
    void readersOfTwoPagesSeeTheirSnapshotInEveryOrder() {
        explore("each reads another page", Rule.AS_BUILT, COMMITS, 0, 1);
    }

    @Test
    void readersSeeTheirSnapshotInEveryOrderWithARollback() {
        explore("each reads another page, rollback", Rule.AS_BUILT, ROLLBACK, 0, 1);
    }

    /// Each rule is needed: without it some order violates the invariants.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AS_BUILT", value = Rule.class)
    void aBrokenRuleIsFound(Rule broken) {
        AssertionError e =
                assertThrows(
                        AssertionError.class, () -> explore(broken.name(), broken, COMMITS, 0, 1));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains(" found "), message);
        System.out.println(broken + ": " + message.replace('\n', ';'));
    }
}
