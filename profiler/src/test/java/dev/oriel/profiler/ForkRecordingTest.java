package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class ForkRecordingTest {
    private final List<String> complaints = new ArrayList<>();

    /// The Flight Recorder may end before a start that it was asked for.
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theEndOfAProgramDoesNotWaitForAStartThatNeverReturns(@TempDir Path folder)
            throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        ForkRecording recording =
                new ForkRecording(
                        folder,
                        () -> {
                            starting.countDown();
                            awaitQuietly(released);
                            Profile started = Profile.start(ProfileOptions.exactOnly());
                            started.close();
                            return started;
                        },
                        complaints::add);
        Thread warmedUp = new Thread(recording::begin);
        warmedUp.start();
        assertTrue(starting.await(30, TimeUnit.SECONDS));
        recording.end();
        assertEquals(List.of(), onlyRun(folder).roots());
        assertEquals(List.of(), complaints);
        released.countDown();
        warmedUp.join();
    }

    private static ProfileResult onlyRun(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return RunFile.read(files.toList().getFirst());
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
