package dev.oriel.profiler;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// Asks the JVM to keep deeper stacks than its default of 64 frames. That is a setting of the whole Flight
/// Recorder, which can be changed only before its first use.
final class JfrStackDepth {
    private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

    private JfrStackDepth() {}

    static void raise(int depth, List<String> notes) {
        if (!Sampler.present("java.management") || !Sampler.present("jdk.management")) {
            notes.add("Stacks of samples end at 64 frames: the module jdk.management is missing.");
            return;
        }
        Commands.raise(depth, notes);
    }

    /// A class of its own, so that the outer class loads without the module `java.management`.
    private static final class Commands {
        static void raise(int depth, List<String> notes) {
            List<String> options = new ArrayList<>(JfrPlace.options());
            options.add("stackdepth=" + depth);
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            JfrPreparation.await();
            try {
                server.invoke(
                        new ObjectName(COMMANDS),
                        "jfrConfigure",
                        new Object[] {options.toArray(String[]::new)},
                        new String[] {String[].class.getName()});
            } catch (JMException e) {
                notes.add("Stacks of samples end at 64 frames: " + e);
            }
        }
    }
}
