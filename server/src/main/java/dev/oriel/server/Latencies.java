package dev.oriel.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Latencies of commands, a histogram for each protocol and command: from the whole request until its answer is
/// ready to be sent. Waits for locks, disk and memory are included. Safe for use by any number of threads.
final class Latencies {
    /// Upper bounds of the classes but the last one, which has none.
    static final long[] BOUNDS_NANOS = {
        50_000,
        100_000,
        250_000,
        500_000,
        1_000_000,
        2_500_000,
        5_000_000,
        10_000_000,
        25_000_000,
        50_000_000,
        100_000_000,
        250_000_000,
        1_000_000_000,
        5_000_000_000L
    };

    /// One command of one protocol.
    static final class Command {
        final String protocol;
        final String name;
        private final LongAdder[] counts = new LongAdder[BOUNDS_NANOS.length + 1];
        private final LongAdder nanos = new LongAdder();

        private Command(String protocol, String name) {
            this.protocol = protocol;
            this.name = name;
            for (int i = 0; i < counts.length; i++) {
                counts[i] = new LongAdder();
            }
        }

        void add(long took) {
            int at = 0;
            while (at < BOUNDS_NANOS.length && took > BOUNDS_NANOS[at]) {
                at++;
            }
            counts[at].increment();
            nanos.add(took);
        }

        /// Number of calls in the class `at`.
        long count(int at) {
            return counts[at].sum();
        }

        long nanos() {
            return nanos.sum();
        }

        /// Whether the command was never sent.
        boolean isUnused() {
            for (LongAdder count : counts) {
                if (count.sum() > 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private static final int OPCODES = 256;

    private final Map<String, Command> text = new HashMap<>();
    private final Command textOther = new Command("text", "other");
    private final Command[] binary = ofOpcodes("binary");
    private final Command[] couchbase = ofOpcodes("couchbase");
    private final Map<Route, Command> http = new HashMap<>();
    private final Command httpOther = new Command("http", "other");

    Latencies() {
        for (String name : TextProtocol.ACCESS.keySet()) {
            text.put(name, new Command("text", name));
        }
        for (Route route : Route.values()) {
            http.put(route, new Command("http", route.name().toLowerCase(Locale.ROOT)));
        }
    }

    private static Command[] ofOpcodes(String protocol) {
        Command[] commands = new Command[OPCODES];
        Map<String, Command> byName = new HashMap<>();
        for (int i = 0; i < OPCODES; i++) {
            String name = Opcode.name(i);
            commands[i] = byName.computeIfAbsent(name, known -> new Command(protocol, known));
        }
        return commands;
    }

    /// The text protocol's command of that name, or the one for all unknown names.
    Command ofText(String name) {
        Command known = text.get(name);
        return known == null ? textOther : known;
    }

    /// The command with a number of the binary protocol; a quiet command counts as its loud form.
    Command ofOpcode(int opcode, Listener listener) {
        return (listener == Listener.COUCHBASE ? couchbase : binary)[opcode & 0xFF];
    }

    /// Requests of HTTP to a path.
    Command ofRoute(@Nullable Route route) {
        Command known = route == null ? null : http.get(route);
        return known == null ? httpOther : known;
    }

    /// The commands that were sent, by protocol and name.
    List<Command> used() {
        List<Command> all = new ArrayList<>(text.values());
        all.add(textOther);
        all.addAll(List.of(binary));
        all.addAll(List.of(couchbase));
        all.addAll(http.values());
        all.add(httpOther);
        return all.stream()
                .distinct()
                .filter(command -> !command.isUnused())
                .sorted((a, b) -> (a.protocol + " " + a.name).compareTo(b.protocol + " " + b.name))
                .toList();
    }
}
