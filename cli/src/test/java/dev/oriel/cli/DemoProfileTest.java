package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.cli.DemoProfiles.Shares;
import dev.oriel.profiler.ProfileOptions.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// What our profile of the demo calls hot, async-profiler calls hot.
class DemoProfileTest {
    private static final int HOT = 10;

    /// The more samples, the nearer they come to each other, if they see the same.
    private static final int TRIES = 8;

    @TempDir private Path folder;

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void bothProfilersNameTheSameMethods() throws Exception {
        DemoProfiles profiles = new DemoProfiles(folder, new Demo.Size(5_000, 60_000, 5));
        Shares ours = profiles.run(Engine.JFR);
        Shares theirs = profiles.run(Engine.ASYNC);
        for (int i = 1; i < TRIES && !agree(ours, theirs); i++) {
            ours = ours.and(profiles.run(Engine.JFR));
            theirs = theirs.and(profiles.run(Engine.ASYNC));
        }
        assertAgree(ours, theirs);
    }

    private static boolean agree(Shares ours, Shares theirs) {
        try {
            assertAgree(ours, theirs);
            return true;
        } catch (AssertionError e) {
            System.out.println("more samples: " + e.getMessage());
            return false;
        }
    }

    private static void assertAgree(Shares ours, Shares theirs) {
        assertTrue(ours.samples() >= 40 && theirs.samples() >= 40, ours + " " + theirs);
        List<String> hot = Shares.hottest(theirs.total(), 2 * HOT);
        List<String> found = new ArrayList<>(hot);
        found.retainAll(Shares.hottest(ours.total(), 3 * HOT));
        assertTrue(
                found.size() >= 1.5 * HOT,
                () -> "only " + found + " of " + hot + " are hot in " + ours.total());
        String hottest = Shares.hottest(theirs.self(), 1).getFirst();
        assertTrue(
                Shares.hottest(ours.self(), HOT).contains(hottest),
                () -> hottest + " is not among the hottest of " + ours.self());
        for (String method : hot) {
            double share = theirs.total().getOrDefault(method, 0.0);
            if (share > 0.4) {
                double own = ours.total().getOrDefault(method, 0.0);
                assertEquals(share, own, 0.25, method);
            }
        }
    }
}
