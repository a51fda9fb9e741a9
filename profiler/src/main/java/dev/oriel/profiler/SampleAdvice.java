package dev.oriel.profiler;

import dev.oriel.profiler.Advice.Rule;
import dev.oriel.profiler.Sample.StackFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The rules over samples. A sample's site is the innermost frame of the program, and its entry the frame of the
/// JDK that the site calls: `site > entry > ... > innermost`. Samples that a rule applies to are added up by site.
/// Confined to one thread.
final class SampleAdvice {
    private static final Pattern JDK = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");
    private static final Pattern REFLECTION =
            Pattern.compile(
                    "java\\.lang\\.Class\\.(getSimpleName|getCanonicalName|getTypeName|forName"
                            + "|get(Declared)?(Method|Field|Constructor)s?|getAnnotation\\w*"
                            + "|getInterfaces|getEnumConstants|toGenericString)"
                            + "|java\\.lang\\.reflect\\..*");
    private static final Pattern COPY =
            Pattern.compile(
                    "java\\.util\\.Arrays\\.copyOf(Range)?|.*\\.toArray|.*\\.toCharArray"
                            + "|java\\.lang\\.String\\.getBytes|java\\.util\\.(List|Set)\\.copyOf");
    private static final Pattern SEARCH =
            Pattern.compile(
                    "java\\.util\\.(ArrayList|LinkedList|Vector|AbstractCollection|AbstractList"
                            + "|Arrays\\$ArrayList|ImmutableCollections\\$.*"
                            + "|concurrent\\.CopyOnWriteArrayList)"
                            + "\\.(indexOf\\w*|lastIndexOf|contains|remove|containsAll)"
                            + "|java\\.util\\.LinkedList\\.(get|node)");
    private static final Set<String> BOXES =
            Set.of(
                    "java.lang.Integer",
                    "java.lang.Long",
                    "java.lang.Double",
                    "java.lang.Float",
                    "java.lang.Short",
                    "java.lang.Byte",
                    "java.lang.Character",
                    "java.lang.Boolean");
    private static final Pattern VIEW =
            Pattern.compile(
                    ".*(Iterator|Itr|SubList|SubMap|SubSet|Spliterator|SingletonList|SingletonSet"
                            + "|Pipeline(\\$Head)?)(\\$\\d+)?|java\\.util\\.Collections\\$1");
    private static final Pattern LOGGED =
            Pattern.compile("publish|append|println|doLog|write|callAppenders");
    private static final int LARGE_BYTES = 4096;

    /// Calls below which a buffer is not made for each call.
    private static final long CALLS_MIN = 16;

    private final ProfileResult result;
    private final ClassCode code;
    private final List<Advice> advice = new ArrayList<>();
    private final SampleKind cpu;

    private SampleAdvice(ProfileResult result, ClassCode code) {
        this.result = result;
        this.code = code;
        cpu = result.weight(SampleKind.CPU_TIME) > 0 ? SampleKind.CPU_TIME : SampleKind.CPU;
    }

    /// A sample as the rules see it.
    private record Seen(Sample sample, int at, StackFrame site, String entry) {}

    static List<Advice> of(ProfileResult result, ClassCode code) {
        SampleAdvice rules = new SampleAdvice(result, code);
        rules.locks();
        rules.largeBuffers();
        rules.arrayCopies();
        rules.either(Rule.REFLECTION, 0.05, 0.08, seen -> REFLECTION.matcher(seen.entry).matches());
        rules.messages();
        rules.boxes();
        rules.views();
        rules.searches();
        GrowingMaps.look(result, rules.advice);
        return rules.advice;
    }

    private void locks() {
        Waits waits = Waits.of(result);
        Map<StackFrame, long[]> sites = new HashMap<>();
        for (Sample sample : result.samples()) {
            Seen seen = waits.of(sample) == WaitKind.LOCK ? seen(sample) : null;
            if (seen != null) {
                long[] sums = sites.computeIfAbsent(seen.site, key -> new long[2]);
                sums[0] += sample.weight();
                sums[1] += sample.count();
            }
        }
        long whole = Math.max(result.wallNanos(), 1);
        sites.forEach((site, sums) -> {
            if (sums[0] >= 0.05 * whole) {
                String evidence =
                        String.format(
                                Locale.ROOT,
                                "%s waits of a millisecond or more, together %s in %s of"
                                        + " wall-clock time.",
                                Figures.count(sums[1]),
                                Figures.time(sums[0]),
                                Figures.time(result.wallNanos()));
                double share = Math.min(1, (double) sums[0] / whole);
                advice.add(new Advice(Rule.LOCK, site.toString(), share, evidence));
            }
        });
    }

    private void largeBuffers() {
        sites(SampleKind.ALLOCATION, seen -> isBuffer(seen.sample))
                .forEach((site, weight) -> {
                    int length = code.arrayLength(site);
                    long calls = calls(site);
                    long bytes = Math.max(length, calls > 0 ? weight / calls : 0);
                    boolean each = calls < 0 || calls >= CALLS_MIN;
                    if (weight >= 0.2 * whole(SampleKind.ALLOCATION)
                            && bytes >= LARGE_BYTES
                            && each) {
                        String size =
                                length >= LARGE_BYTES
                                        ? "The line makes arrays of " + Figures.count(length)
                                        : "About " + Figures.bytes(bytes) + " for each call";
                        add(
                                Rule.LARGE_BUFFER,
                                SampleKind.ALLOCATION,
                                site,
                                weight,
                                size + madeBy(site));
                    }
                });
    }

    /// The most frequent caller of a constructor that allocates, as a phrase; otherwise empty.
    private String madeBy(StackFrame site) {
        if (!site.method().equals("<init>")) {
            return "";
        }
        Map<StackFrame, Long> callers = new HashMap<>();
        for (Sample sample : result.samples(SampleKind.ALLOCATION)) {
            int at = sample.stack().indexOf(site);
            while (at >= 0
                    && at < sample.stack().size()
                    && sample.stack().get(at).method().equals("<init>")) {
                at++;
            }
            if (at > 0 && at < sample.stack().size()) {
                callers.merge(sample.stack().get(at), sample.weight(), Math::addExact);
            }
        }
        return callers.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(caller -> ", mostly for " + caller.getKey())
                .orElse("");
    }

    private static boolean isBuffer(Sample sample) {
        String type = sample.detail();
        return type.equals("byte[]")
                || type.equals("char[]")
                || type.equals("int[]")
                || type.equals("long[]")
                || type.equals("double[]")
                || type.startsWith("java.nio.");
    }

    /// The calls of a site's method, if the exact tree knows it; otherwise -1.
    private long calls(StackFrame site) {
        for (MethodCost method : result.methods()) {
            if (method.name().equals(site.name()) && method.calls() > 0) {
                return method.calls();
            }
        }
        return -1;
    }

    private void arrayCopies() {
        either(
                Rule.ARRAY_COPY,
                0.05,
                0.08,
                seen -> COPY.matcher(seen.entry).matches() || seen.entry.endsWith(".values"));
    }

    private void messages() {
        for (SampleKind kind : List.of(cpu, SampleKind.ALLOCATION)) {
            Map<StackFrame, Long> sites = sites(kind, seen -> isText(seen.entry, seen.sample));
            sites.forEach((site, weight) -> {
                String check = code.checkOfMessage(site);
                if (check != null
                        && weight >= (kind == cpu ? 0.05 : 0.08) * whole(kind)
                        && !isLogged(site)
                        && advised(Rule.UNUSED_MESSAGE, site) == null) {
                    add(
                            Rule.UNUSED_MESSAGE,
                            kind,
                            site,
                            weight,
                            "The text is handed to " + check + ", and no output was seen there");
                }
            });
        }
    }

    private static boolean isText(String entry, Sample sample) {
        return entry.startsWith("java.lang.String")
                || entry.startsWith("java.text.MessageFormat.")
                || entry.startsWith("java.lang.invoke.")
                || (entry.isEmpty()
                        && (sample.detail().equals("byte[]")
                                || sample.detail().equals("java.lang.String")));
    }

    /// Whether an enabled log was seen below that line.
    private boolean isLogged(StackFrame site) {
        for (Sample sample : result.samples()) {
            int at = sample.stack().indexOf(site);
            for (int i = 0; i < at; i++) {
                StackFrame frame = sample.stack().get(i);
                if (LOGGED.matcher(frame.method()).matches()
                        && !frame.owner().startsWith("java.lang.String")
                        && !frame.owner().equals("java.lang.AbstractStringBuilder")
                        && !frame.owner().equals("java.util.Formatter")) {
                    return true;
                }
            }
        }
        return false;
    }

    private void boxes() {
        Map<StackFrame, Long> sites =
                sites(
                        SampleKind.ALLOCATION,
                        seen ->
                                BOXES.contains(seen.sample.detail())
                                        || seen.sample.detail().contains("$$Lambda"));
        sites.forEach((site, weight) -> {
            boolean known = code.knows(site.owner());
            double least = known ? 0.05 : 0.15;
            if (weight >= least * whole(SampleKind.ALLOCATION) && (!known || code.inLoop(site))) {
                String where = known ? "The line is in a loop" : "The class file was not there";
                add(Rule.BOXING, SampleKind.ALLOCATION, site, weight, where);
            }
        });
    }

    /// Views created in a loop, at its own line or in a method called there.
    private void views() {
        Map<StackFrame, Long> sites = new HashMap<>();
        for (Sample sample : result.samples(SampleKind.ALLOCATION)) {
            Seen seen = VIEW.matcher(sample.detail()).matches() ? seen(sample) : null;
            StackFrame loop = seen == null ? null : loop(seen);
            if (loop != null) {
                sites.merge(loop, sample.weight(), Math::addExact);
            }
        }
        sites.forEach((site, weight) -> {
            if (weight >= 0.2 * whole(SampleKind.ALLOCATION)) {
                add(
                        Rule.VIEW_PER_ELEMENT,
                        SampleKind.ALLOCATION,
                        site,
                        weight,
                        "The line is in a loop, and makes iterators, views or what they need");
            }
        });
    }

    private @Nullable StackFrame loop(Seen seen) {
        List<StackFrame> stack = seen.sample.stack();
        for (int i = seen.at; i < stack.size() && i <= seen.at + 1; i++) {
            StackFrame frame = stack.get(i);
            if (!isJdk(frame) && code.inLoop(frame)) {
                return frame;
            }
        }
        return null;
    }

    private void searches() {
        sites(cpu, seen -> SEARCH.matcher(seen.entry).matches())
                .forEach((site, weight) -> {
                    if (weight >= 0.1 * whole(cpu)) {
                        add(
                                Rule.LINEAR_SEARCH,
                                cpu,
                                site,
                                weight,
                                "It searches a list from its beginning");
                    }
                });
    }

    /// Sites of CPU samples or of allocation, whichever passes its limit first.
    private void either(Rule rule, double ofCpu, double ofBytes, Predicate<Seen> applies) {
        for (SampleKind kind : List.of(cpu, SampleKind.ALLOCATION)) {
            double least = kind == cpu ? ofCpu : ofBytes;
            Map<StackFrame, String> entries = new HashMap<>();
            sites(
                            kind,
                            seen -> {
                                boolean yes = applies.test(seen);
                                if (yes) {
                                    entries.put(seen.site, seen.entry);
                                }
                                return yes;
                            })
                    .forEach((site, weight) -> {
                        if (weight >= least * whole(kind) && advised(rule, site) == null) {
                            String entry = entries.getOrDefault(site, "");
                            add(rule, kind, site, weight, "It calls " + entry);
                        }
                    });
        }
    }

    private @Nullable Advice advised(Rule rule, StackFrame site) {
        for (Advice known : advice) {
            if (known.rule() == rule && known.place().equals(site.toString())) {
                return known;
            }
        }
        return null;
    }

    private void add(Rule rule, SampleKind kind, StackFrame site, long weight, String what) {
        double share = (double) weight / Math.max(1, whole(kind));
        String of = kind == SampleKind.ALLOCATION ? "the bytes allocated" : "the CPU samples";
        String evidence = String.format(Locale.ROOT, "%s: %.0f %% of %s.", what, 100 * share, of);
        advice.add(new Advice(rule, site.toString(), share, evidence));
    }

    private long whole(SampleKind kind) {
        return result.weight(kind);
    }

    private Map<StackFrame, Long> sites(SampleKind kind, Predicate<Seen> applies) {
        Map<StackFrame, Long> sites = new HashMap<>();
        for (Sample sample : result.samples(kind)) {
            Seen seen = seen(sample);
            if (seen != null && applies.test(seen)) {
                sites.merge(seen.site, sample.weight(), Math::addExact);
            }
        }
        return sites;
    }

    /// Finds the site. An enum's `values`, which the compiler wrote, is an entry like a frame of the JDK. Null if
    /// no frame is of the program.
    private static @Nullable Seen seen(Sample sample) {
        List<StackFrame> stack = sample.stack();
        String entry = "";
        for (int i = 0; i < stack.size(); i++) {
            StackFrame frame = stack.get(i);
            boolean values =
                    frame.method().equals("values") && i + 1 < stack.size() && entry.isEmpty();
            if (!isJdk(frame) && !values) {
                return new Seen(sample, i, frame, entry);
            }
            entry = frame.name();
        }
        return null;
    }

    static boolean isJdk(StackFrame frame) {
        return JDK.matcher(frame.owner()).matches();
    }
}
