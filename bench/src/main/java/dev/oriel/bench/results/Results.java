package dev.oriel.bench.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The results of an invocation: the shape of the JSON file.
///
/// @param workload the names of the workloads, between commas
/// @param machine processor, cores, memory, disk, system, JVM
/// @param date of the end, ISO 8601 with zone
/// @param commit of the working tree, with `+` if it had changes
/// @param command that was typed
/// @param scale `quick` or `full`
/// @param seed of data and order
/// @param rounds number of rounds of each scenario: scenario to rounds
/// @param settings the subjects' own descriptions of their settings: subject to text
/// @param notes cases that were not measured and why
/// @param results the figures
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Results(
        String workload,
        String machine,
        String date,
        String commit,
        String command,
        String scale,
        long seed,
        Map<String, Integer> rounds,
        Map<String, String> settings,
        List<Note> notes,
        List<Result> results) {

    /// One figure over all rounds: the geometric mean, and its 95 % interval if there were at least two.
    ///
    /// @param caseName the measured case, `workload/...`; its subjects are comparable
    /// @param samples one value per round, in the order of rounds, so that subjects can be paired; null for a round
    ///     that failed
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Result(
            @JsonProperty("case") String caseName,
            String subject,
            String metric,
            String unit,
            double value,
            @Nullable Double low,
            @Nullable Double high,
            @JsonProperty("cpu_per_op") @Nullable Double cpuPerOp,
            @JsonProperty("bytes_per_op") @Nullable Double bytesPerOp,
            String durability,
            List<@Nullable Double> samples) {
        /// Whether more is better.
        public boolean higherIsBetter() {
            return unit.endsWith("/s");
        }

        /// Whether it is one of ours.
        public boolean ours() {
            return subject.startsWith("oriel");
        }
    }

    /// A case that a subject does not support or failed.
    public record Note(@JsonProperty("case") String caseName, String subject, String text) {}
}
