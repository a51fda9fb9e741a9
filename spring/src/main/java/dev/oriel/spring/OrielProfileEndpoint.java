package dev.oriel.spring;

import dev.oriel.profiler.ClassCode;
import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import dev.oriel.profiler.SummaryReport;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/// Profiles the application for some seconds, one request at a time.
@Endpoint(id = "orielprofile")
public final class OrielProfileEndpoint {
    private static final int SECONDS = 10;
    private static final int SECONDS_MAX = 300;

    /// For Spring.
    public OrielProfileEndpoint() {}

    /// The report on the next `seconds`.
    ///
    /// @throws IllegalStateException if another profile runs
    @ReadOperation(produces = "text/plain;charset=utf-8")
    public String profile(@Nullable Integer seconds) throws IOException, InterruptedException {
        int wanted = seconds == null ? SECONDS : seconds;
        if (wanted < 1 || wanted > SECONDS_MAX) {
            throw new IllegalArgumentException(
                    "seconds is " + wanted + "; give 1 to " + SECONDS_MAX);
        }
        try (Profile profile = Profile.start(ProfileOptions.everything())) {
            TimeUnit.SECONDS.sleep(wanted);
            StringBuilder text = new StringBuilder();
            new SummaryReport(ClassCode.ofThisProgram()).write(profile.stop(), text);
            return text.toString();
        }
    }
}
