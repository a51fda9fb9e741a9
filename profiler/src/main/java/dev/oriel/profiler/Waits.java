package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Tells the reasons of waits from the stacks of a profile's samples.
///
/// A read of a socket waits for a client only in a server. A server listens at a port ([ProcessWatch]), or a thread of
/// it was seen accepting connections. Its clients' ports were chosen by their system, and are none of the server's own.
/// Any other read waits for a server, and is input. Immutable.
public final class Waits {
    /// Name of the fact with the ports at which the process listened; absent if unknown, empty if at none.
    static final String LISTENS = "listens";

    /// Least port that operating systems choose for the connecting side.
    private static final int CHOSEN_PORT_MIN = 32_768;

    /// Calls by which threads of pools wait for the next task.
    private static final Set<String> POOLS =
            Set.of(
                    "java.util.concurrent.ThreadPoolExecutor.getTask",
                    "java.util.concurrent.ForkJoinPool.awaitWork",
                    "java.util.concurrent.ForkJoinPool.runWorker",
                    "java.util.TimerThread.mainLoop");

    /// Calls that wait for a connection, or for the next request of any.
    private static final Set<String> ACCEPTS =
            Set.of(
                    "java.net.ServerSocket.accept",
                    "sun.nio.ch.NioSocketImpl.accept",
                    "sun.nio.ch.ServerSocketChannelImpl.accept");

    private static final Set<String> SELECTS =
            Set.of("sun.nio.ch.SelectorImpl.select", "io.netty.channel.epoll.Native.epollWait");

    private final boolean serves;
    private final boolean selects;
    private final Set<Integer> ports;

    private Waits(boolean serves, boolean selects, Set<Integer> ports) {
        this.serves = serves;
        this.selects = selects;
        this.ports = Set.copyOf(ports);
    }

    /// For the samples of a profile.
    public static Waits of(ProfileResult result) {
        String listens = result.facts().get(LISTENS);
        Set<Integer> ports = new TreeSet<>();
        for (String port : listens == null ? new String[0] : listens.split(" ", -1)) {
            if (!port.isEmpty()) {
                ports.add(Integer.parseInt(port));
            }
        }
        boolean serves = listens == null ? calls(result, ACCEPTS) : !ports.isEmpty();
        return new Waits(serves, serves && calls(result, SELECTS), ports);
    }

    private static boolean calls(ProfileResult result, Set<String> names) {
        return result.samples().stream()
                .flatMap(sample -> sample.stack().stream())
                .anyMatch(frame -> names.contains(frame.name()));
    }

    /// Whether threads wait for requests without a read of a socket that would tell it: by a selector.
    boolean selects() {
        return selects;
    }

    /// The kind of wait of a sample.
    public WaitKind of(Sample sample) {
        return switch (sample.kind()) {
            case MONITOR -> WaitKind.LOCK;
            case FILE_FORCE -> WaitKind.SYNC;
            case FILE_READ, FILE_WRITE, SOCKET_WRITE -> WaitKind.IO;
            case SOCKET_READ -> isOfAClient(sample) ? WaitKind.CLIENT : WaitKind.IO;
            case PARK, WAIT -> wait(sample);
            case CPU, CPU_TIME, NATIVE, WALL, ALLOCATION, SURVIVOR, GC, OTHER -> WaitKind.NONE;
        };
    }

    /// The detail is `host:port` of the other side; older files have the host alone.
    private boolean isOfAClient(Sample sample) {
        if (!serves) {
            return false;
        }
        String peer = sample.detail();
        String port = peer.substring(peer.lastIndexOf(':') + 1);
        if (port.isEmpty() || port.length() > 5 || !port.chars().allMatch(Character::isDigit)) {
            return true;
        }
        int number = Integer.parseInt(port);
        return number >= CHOSEN_PORT_MIN && !ports.contains(number);
    }

    private static WaitKind wait(Sample sample) {
        List<StackFrame> stack = sample.stack();
        if (isLock(stack)) {
            return WaitKind.LOCK;
        }
        return isIdle(sample) ? WaitKind.IDLE : isSleep(sample) ? WaitKind.SLEEP : WaitKind.HANDOFF;
    }

    /// Whether a background thread waits in the method that it began with, or in a pool's. The main thread has no
    /// turns: it ends.
    private static boolean isIdle(Sample sample) {
        StackFrame outermost = null;
        for (StackFrame frame : sample.stack().reversed()) {
            if (outermost == null && POOLS.contains(frame.name())) {
                return frame.method().equals("getTask") || below(sample, frame) == 0;
            }
            if (WaitKind.isOfTheJdk(frame)) {
                continue;
            }
            if (outermost != null && !outermost.name().equals(frame.name())) {
                return false;
            }
            outermost = frame;
        }
        return !sample.stack().isEmpty() && (outermost == null || !sample.thread().equals("main"));
    }

    /// Number of frames of the program within the calls of `frame`.
    private static int below(Sample sample, StackFrame frame) {
        int count = 0;
        for (StackFrame each : sample.stack()) {
            if (each.equals(frame)) {
                break;
            }
            count += WaitKind.isOfTheJdk(each) ? 0 : 1;
        }
        return count;
    }

    /// Whether a thread waits for time to pass, and not for another thread. The Flight Recorder leaves the frames of
    /// `Thread.sleep` out, but only a sleep has no monitor.
    private static boolean isSleep(Sample sample) {
        boolean parks = sample.kind() == SampleKind.WAIT && sample.detail().isEmpty();
        for (StackFrame frame : sample.stack()) {
            String owner = frame.owner();
            if (!WaitKind.isOfTheJdk(frame)) {
                break;
            }
            if (owner.equals("java.lang.Thread") && frame.method().startsWith("sleep")) {
                return true;
            }
            if (owner.equals("java.util.concurrent.locks.LockSupport")) {
                parks = true;
            } else if (owner.startsWith("java.util.concurrent.")
                    || owner.equals("java.lang.Object")
                    || frame.method().equals("join")) {
                return false;
            }
        }
        return parks;
    }

    /// Whether a thread was parked by a lock that another thread held. A thread parked by a queue, a pool or a
    /// condition waits for work instead.
    private static boolean isLock(List<StackFrame> stack) {
        boolean acquires = false;
        for (StackFrame frame : stack) {
            if (!frame.owner().startsWith("java.util.concurrent.")) {
                if (frame.owner().startsWith("java.") || frame.owner().startsWith("jdk.")) {
                    continue;
                }
                break;
            }
            if (frame.method().startsWith("await") || frame.method().equals("take")) {
                return false;
            }
            acquires |=
                    frame.method().startsWith("acquire")
                            || frame.method().equals("lock")
                            || frame.method().startsWith("tryLock");
        }
        return acquires;
    }
}
