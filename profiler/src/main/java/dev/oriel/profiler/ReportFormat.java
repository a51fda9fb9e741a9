package dev.oriel.profiler;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The formats that a result can be written in, by the names and file endings that users type.
public enum ReportFormat {
    /// [SummaryReport].
    SUMMARY("summary", "", "verdict, advice and the first rows of everything, as text"),
    /// [HtmlReport].
    HTML("html", ".html", "one page that needs no network: flame graphs, tree, tables"),
    /// [RunFile].
    RUN("run", ".orun", "the profiler's own file, which holds everything"),
    /// [TreeReport].
    TREE("tree", ".tree.txt", "the exact call tree as text"),
    /// [TreeReport], inverted.
    INVERTED("inverted", ".inverted.txt", "from methods to their callers, as text"),
    /// [MethodReport].
    METHODS("methods", ".methods.txt", "methods with the columns of Eclipse Profiler"),
    /// [MethodReport] of classes.
    CLASSES("classes", ".classes.txt", "the same by class"),
    /// [MethodReport] of packages.
    PACKAGES("packages", ".packages.txt", "the same by package"),
    /// [SampleReport].
    SAMPLES("samples", ".samples.txt", "methods by samples of one kind"),
    /// [Advice#report].
    ADVICE("advice", ".advice.txt", "what is worth looking at, with the evidence"),
    /// [HprofReport].
    HPROF("hprof", ".hprof", "the text format of hprof"),
    /// [JsonReport].
    JSON("json", ".json", "everything as one JSON object"),
    /// [WatchedReport].
    WATCHED("watched", ".watched.json", "the JSON of HugeGraph's @Watched profiler"),
    /// [EchartsReport] of rings.
    RINGS("rings", ".rings.json", "an option of ECharts: nested pies"),
    /// [EchartsReport] of a sunburst.
    SUNBURST("sunburst", ".sunburst.json", "an option of ECharts: a sunburst"),
    /// [CollapsedReport].
    COLLAPSED("collapsed", ".collapsed", "collapsed stacks, for flame graph tools"),
    /// [SpeedscopeReport].
    SPEEDSCOPE("speedscope", ".speedscope.json", "for speedscope"),
    /// [PprofReport].
    PPROF("pprof", ".pb.gz", "for pprof"),
    /// [ChromeTraceReport].
    TRACE("trace", ".trace.json", "for Chrome's tracing and Perfetto"),
    /// [MethodReport] as CSV.
    CSV("csv", ".csv", "the table of methods as comma-separated values"),
    /// [MethodReport] as Markdown.
    MARKDOWN("markdown", ".md", "the table of methods in Markdown");

    private static final int ROWS_MAX = 40;

    private final String word;
    private final String ending;
    private final String description;

    ReportFormat(String word, String ending, String description) {
        this.word = word;
        this.ending = ending;
        this.description = description;
    }

    /// The format's name on the command line.
    public String word() {
        return word;
    }

    /// The ending of file names; empty if the format has none.
    public String ending() {
        return ending;
    }

    /// A short description.
    public String description() {
        return description;
    }

    /// The format that a user named; null if there is none of that name.
    public static @Nullable ReportFormat named(String word) {
        for (ReportFormat format : values()) {
            if (format.word.equals(word)) {
                return format;
            }
        }
        return null;
    }

    /// The format with the longest ending that matches a file's name; null if none does.
    public static @Nullable ReportFormat of(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        ReportFormat found = null;
        for (ReportFormat format : values()) {
            boolean fits = !format.ending.isEmpty() && name.endsWith(format.ending);
            if (fits && (found == null || format.ending.length() > found.ending.length())) {
                found = format;
            }
        }
        if (found == null) {
            found = name.endsWith(".htm") ? HTML : name.endsWith(".txt") ? TREE : null;
        }
        return found;
    }

    /// The names of all formats.
    public static List<String> words() {
        List<String> words = new ArrayList<>();
        for (ReportFormat format : values()) {
            words.add(format.word);
        }
        return words;
    }

    /// The report in this format.
    ///
    /// @param title the heading, if the format has one
    /// @param kind the samples to report, if the format is about one kind. Null is the exact tree if there
    ///     is one, and otherwise the kind that there are samples of
    /// @param code class files of the program, for advice
    public Report report(
            ProfileResult result, String title, @Nullable SampleKind kind, ClassCode code) {
        SampleKind sampled = kind != null ? kind : sampled(result);
        SampleKind either = kind == null && !result.roots().isEmpty() ? null : sampled;
        boolean bySamples = either != null;
        return switch (this) {
            case SUMMARY -> new SummaryReport(code);
            case HTML -> new HtmlReport(title).withCode(code);
            case RUN -> new RunReport();
            case TREE -> new TreeReport();
            case INVERTED -> new TreeReport(true, 0);
            case METHODS -> new MethodReport(ROWS_MAX);
            case CLASSES -> methods(MethodReport.Grouping.CLASSES, MethodReport.Layout.TEXT);
            case PACKAGES -> methods(MethodReport.Grouping.PACKAGES, MethodReport.Layout.TEXT);
            case SAMPLES -> new SampleReport(sampled, ROWS_MAX);
            case ADVICE -> Advice.report(code);
            case HPROF -> new HprofReport();
            case JSON -> new JsonReport();
            case WATCHED -> new WatchedReport();
            case RINGS -> new EchartsReport(EchartsReport.Style.RINGS);
            case SUNBURST -> new EchartsReport(EchartsReport.Style.SUNBURST);
            case COLLAPSED -> new CollapsedReport(either);
            case SPEEDSCOPE -> new SpeedscopeReport();
            case PPROF -> kind == null ? PprofReport.ofAll() : new PprofReport(kind);
            case TRACE -> new ChromeTraceReport();
            case CSV -> table(bySamples, sampled, MethodReport.Layout.CSV);
            case MARKDOWN -> table(bySamples, sampled, MethodReport.Layout.MARKDOWN);
        };
    }

    private static Report table(boolean bySamples, SampleKind kind, MethodReport.Layout layout) {
        return bySamples
                ? new SampleReport(kind, layout, Integer.MAX_VALUE)
                : methods(MethodReport.Grouping.METHODS, layout);
    }

    private static Report methods(MethodReport.Grouping grouping, MethodReport.Layout layout) {
        return new MethodReport(grouping, layout, Integer.MAX_VALUE);
    }

    /// The first kind with samples.
    static SampleKind sampled(ProfileResult result) {
        // Processor seconds tell more than shares of the threads that were looked at.
        if (result.weight(SampleKind.CPU_TIME) > 0) {
            return SampleKind.CPU_TIME;
        }
        for (SampleKind kind : SampleKind.values()) {
            if (result.weight(kind) > 0) {
                return kind;
            }
        }
        return SampleKind.CPU;
    }
}
