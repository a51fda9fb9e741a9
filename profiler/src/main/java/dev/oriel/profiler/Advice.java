package dev.oriel.profiler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// One finding of a profile: its cause, its place, and the evidence in the profile.
///
/// @param rule the known cause
/// @param place `class.method:line`, without the line if it is not known
/// @param share the part of the measured cost that it explains, between 0 and 1
/// @param evidence a sentence with the figures
public record Advice(Rule rule, String place, double share, String evidence) {
    /// Usual causes of slow programs.
    public enum Rule {
        /// A method is called very often for each call of its caller, with the same arguments.
        CALL_IN_LOOP(
                "The same call again and again in a loop", "Do the work once, before the loop."),
        /// A database is asked for each element.
        QUERY_IN_LOOP(
                "A statement for each turn of a loop",
                "Ask once for all of them: by a join, a list, or a batch."),
        /// Calls grow with the number of elements.
        LINEAR_SEARCH(
                "A search that looks at every element",
                "Look it up in a map, a set or a sorted array instead."),
        /// Threads wait for each other.
        LOCK(
                "A lock that threads wait for",
                "Hold it for less, split it, or publish an immutable state that needs none."),
        /// Arrays or buffers of many bytes are allocated for each call.
        LARGE_BUFFER(
                "A large buffer for each call",
                "Keep one for each thread or owner, or make it as large as it has to be."),
        /// Arrays are copied for each call.
        ARRAY_COPY(
                "An array copied for each call",
                "Keep the array, as a constant where it never changes, and read it in place."),
        /// Reflection on a hot path.
        REFLECTION(
                "Reflection on a hot path",
                "Look it up once and keep it: a field, a map, a method handle."),
        /// Texts that no code reads.
        UNUSED_MESSAGE(
                "A message built for a check that passes or a log that is off",
                "Build it only when it is needed: test first, or pass a supplier or the parts."),
        /// Boxed objects in place of primitive numbers.
        BOXING(
                "Boxes or lambdas in an inner loop",
                "Use primitives and arrays of them; make the lambda once, outside the loop."),
        /// Iterators, views and streams of one element or a few each.
        VIEW_PER_ELEMENT(
                "An iterator or a view made for each element of a loop",
                "Walk over all elements with one cursor, and make nothing for those that are not"
                        + " read."),
        /// A map that only grows.
        GROWING_MAP(
                "A map that never shrinks",
                "Bound it, expire its entries, or remove what is done with.");

        private final String title;
        private final String suggestion;

        Rule(String title, String suggestion) {
            this.title = title;
            this.suggestion = suggestion;
        }

        /// Title of the rule.
        public String title() {
            return title;
        }

        /// The usual remedy.
        public String suggestion() {
            return suggestion;
        }
    }

    /// The text of one finding: title, place, evidence and suggestion.
    public String text() {
        return String.format(
                Locale.ROOT,
                "%s\n  at %s\n  %s\n  %s",
                rule.title(),
                place,
                evidence,
                rule.suggestion());
    }

    /// The advice for a profile, in falling order of share. Class files of the program, as far as the code finds
    /// them, make it more certain.
    public static List<Advice> of(ProfileResult result, ClassCode code) {
        List<Advice> advice = new ArrayList<>();
        advice.addAll(TreeAdvice.of(result, code));
        advice.addAll(SampleAdvice.of(result, code));
        advice.sort(
                Comparator.comparingDouble(Advice::share)
                        .reversed()
                        .thenComparing(Advice::rule)
                        .thenComparing(Advice::place));
        return List.copyOf(advice);
    }

    /// A report of the verdict and all advice.
    public static Report report(ClassCode code) {
        return new Report() {
            @Override
            public void write(ProfileResult result, Appendable out) throws IOException {
                out.append(Bottleneck.of(result).line()).append('\n');
                List<Advice> all = of(result, code);
                for (Advice advice : all) {
                    out.append('\n').append(advice.text()).append('\n');
                }
                if (all.isEmpty()) {
                    out.append("\nNone of the known causes shows in this profile.\n");
                }
            }
        };
    }
}
