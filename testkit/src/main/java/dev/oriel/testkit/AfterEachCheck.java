package dev.oriel.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Checks the whole structure of a test's objects after every test, and closes them.
///
/// ```java
/// @RegisterExtension final AfterEachCheck check = new AfterEachCheck();
///
/// private Store open() {
///     Store store = check.closing(Store.open(directory, options));
///     check.also("store", store::check);
///     return store;
/// }
/// ```
///
/// All checks run, then everything registered is closed, the latest first. The test fails with all
/// the sentences they report; if it had failed before, they are added to that failure. For the
/// thread of the test alone.
public final class AfterEachCheck implements AfterEachCallback {
    private final Map<String, Supplier<List<String>>> checks = new LinkedHashMap<>();
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();

    /// Without checks.
    public AfterEachCheck() {}

    /// Checks the object named `what` after the test. A later check of the same name replaces this one, as after
    /// closing and opening again.
    ///
    /// @param wrong the errors found, a sentence each; empty if there are none
    public void also(String what, Supplier<List<String>> wrong) {
        checks.put(what, wrong);
    }

    /// Drops the check of `what`: the test has closed it itself.
    public void forget(String what) {
        checks.remove(what);
    }

    /// Closes `resource` after the test and its checks; returns it.
    public <T extends AutoCloseable> T closing(T resource) {
        closing.push(resource);
        return resource;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        AssertionError problems = run();
        if (problems == null) {
            return;
        }
        context.getExecutionException()
                .ifPresentOrElse(
                        failure -> failure.addSuppressed(problems),
                        () -> {
                            throw problems;
                        });
    }

    /// Checks and closes; null if there are no errors.
    @Nullable AssertionError run() {
        List<String> wrong = new ArrayList<>();
        List<Throwable> causes = new ArrayList<>();
        checks.forEach((what, check) -> {
            try {
                check.get().forEach(sentence -> wrong.add(what + ": " + sentence));
            } catch (RuntimeException | AssertionError failure) {
                wrong.add(what + ": its check failed with " + failure);
                causes.add(failure);
            }
        });
        checks.clear();
        while (!closing.isEmpty()) {
            AutoCloseable resource = closing.pop();
            try {
                resource.close();
            } catch (Exception | AssertionError failure) {
                wrong.add("closing " + resource + " failed with " + failure);
                causes.add(failure);
            }
        }
        if (wrong.isEmpty()) {
            return null;
        }
        AssertionError problems = new AssertionError("after the test\n" + String.join("\n", wrong));
        causes.forEach(problems::addSuppressed);
        return problems;
    }
}
