package dev.oriel.server;

import dev.oriel.store.DatabaseException;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The server's log: a line of JSON an event, with the fields `time`, `level`, `event`, the facts of the event,
/// and of an error `error` and `at`. An error of the database that has a cause has a `reason` too. All facts are
/// text.
///
/// The same event is written 20 times at once and then 20 times a minute. Its next line counts the lines left out
/// (`left_out`), or a line of its own does ([#tellLeftOut]). Safe for use by any number of threads.
public final class ServerLog {
    /// Importance of a line.
    public enum Level {
        INFO,
        WARN,
        ERROR
    }

    private static final int ERROR_CHARS_MAX = 500;

    /// Output of a whole line; null drops it.
    private final @Nullable Consumer<String> out;

    private final LongSupplier nanos;
    private final ConcurrentMap<String, LineRate> rates = new ConcurrentHashMap<>();
    private final AtomicLong lost = new AtomicLong();
    private volatile Level least = Level.INFO;

    /// @param out output of the lines; null drops them
    public ServerLog(@Nullable PrintStream out) {
        this(out, System::nanoTime);
    }

    ServerLog(@Nullable PrintStream out, LongSupplier nanos) {
        this(
                out == null
                        ? null
                        : line -> {
                            out.println(line);
                            out.flush();
                        },
                nanos);
    }

    private ServerLog(@Nullable Consumer<String> out, LongSupplier nanos) {
        this.out = out;
        this.nanos = nanos;
    }

    /// A log whose lines go to `out`.
    public static ServerLog to(PrintWriter out) {
        Consumer<String> lines =
                line -> {
                    out.println(line);
                    out.flush();
                };
        return new ServerLog(lines, System::nanoTime);
    }

    /// Redirects Netty's warnings and errors to this log, for all of this process that uses Netty. To be called
    /// before its first use.
    public void takeNettys() {
        InternalLoggerFactory.setDefaultFactory(new NettyLog(this));
    }

    /// Writes lines of `level` and above from now on.
    public void level(Level level) {
        least = level;
    }

    public Level level() {
        return least;
    }

    /// Writes that the server could not start. Nothing is left out, whatever the level.
    ///
    /// @param reason a sentence for the operator
    public void notStarted(String reason) {
        print(Level.ERROR, "The server could not start", 0, null, "error", reason);
    }

    /// Writes that the server did not end in time, so that the process was ended.
    public void notEnded(long millis) {
        print(
                Level.ERROR,
                "The end took too long and was cut short; the next start recovers from the log",
                0,
                null,
                "millis",
                Long.toString(millis));
    }

    /// Writes that server or database failed to close.
    public void endFailed(Throwable failure) {
        print(Level.ERROR, "The end failed; the next start recovers from the log", 0, failure);
    }

    void said(String event, String... facts) {
        write(Level.INFO, event, null, facts);
    }

    void warned(String event, String... facts) {
        write(Level.WARN, event, null, facts);
    }

    void failed(String event, Throwable cause, String... facts) {
        write(Level.ERROR, event, cause, facts);
    }

    /// Counts a line that could not be written. Allocates nothing: the reason may be a lack of memory.
    void lost() {
        lost.incrementAndGet();
    }

    /// Writes the number of omitted lines of events that are rare again, and of lost lines.
    void tellLeftOut() {
        long gone = lost.getAndSet(0);
        if (gone > 0) {
            print(Level.ERROR, "lines were lost", 0, null, "count", gone + "");
        }
        rates.forEach((event, rate) -> {
            long count = rate.takeLeftOut(nanos.getAsLong());
            if (count > 0) {
                print(Level.WARN, "lines were left out", 0, null, "of", event, "count", count + "");
            }
        });
    }

    private void write(Level level, String event, @Nullable Throwable cause, String... facts) {
        if (out == null || level.compareTo(least) < 0) {
            return;
        }
        LineRate rate = rates.computeIfAbsent(event, name -> new LineRate(nanos.getAsLong()));
        long leftOut = rate.take(nanos.getAsLong());
        if (leftOut >= 0) {
            print(level, event, leftOut, cause, facts);
        }
    }

    private void print(
            Level level, String event, long leftOut, @Nullable Throwable cause, String... facts) {
        Consumer<String> lines = out;
        if (lines == null) {
            return;
        }
        StringBuilder line = new StringBuilder(128);
        line.append("{\"time\":\"").append(Instant.now()).append("\",\"level\":\"");
        line.append(level.name().toLowerCase(Locale.ROOT));
        line.append("\",\"event\":");
        Json.quote(event, line);
        for (int i = 0; i + 1 < facts.length; i += 2) {
            field(facts[i], facts[i + 1], line);
        }
        if (leftOut > 0) {
            field("left_out", Long.toString(leftOut), line);
        }
        if (cause != null) {
            String text = cause.toString();
            field("error", text.substring(0, Math.min(text.length(), ERROR_CHARS_MAX)), line);
            Throwable reason = cause instanceof DatabaseException ? cause.getCause() : null;
            if (reason != null) { // of other errors it may quote a client
                String why = reason.toString();
                field("reason", why.substring(0, Math.min(why.length(), ERROR_CHARS_MAX)), line);
            }
            StackTraceElement[] stack = cause.getStackTrace();
            if (stack.length > 0) {
                field("at", stack[0].toString(), line);
            }
        }
        lines.accept(line.append('}').toString());
    }

    private static void field(String name, String value, StringBuilder line) {
        line.append(',');
        Json.quote(name, line);
        line.append(':');
        Json.quote(value, line);
    }
}
