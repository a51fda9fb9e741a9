package dev.oriel.testkit.history;

import java.util.List;

/// A phenomenon in a history that its level forbids.
///
/// @param kind its kind
/// @param transactions its transactions, by their numbers in the history; of a cycle in its order
/// @param text a description, a line for each step
public record Anomaly(Kind kind, List<Integer> transactions, String text) {
    /// Names from Adya and the papers after him, if they have one.
    public enum Kind {
        /// G0: a cycle of overwritten versions, or versions in another order than real time.
        DIRTY_WRITE("G0: writes of transactions are mixed"),
        /// G1a.
        ABORTED_READ("G1a: what an aborted transaction wrote was read"),
        /// G1b.
        INTERMEDIATE_READ("G1b: a value was read that its writer replaced before it committed"),
        /// G1c: a cycle of reads and overwrites, without anti-dependencies.
        CIRCULAR_INFORMATION_FLOW("G1c: transactions saw each other's writes in a circle"),
        /// G-single: a cycle with one anti-dependency.
        READ_SKEW("G-single: a transaction saw a part of another's effects"),
        /// Two transactions read one version and both replaced it.
        LOST_UPDATE("Lost update: two transactions replaced the version that both had read"),
        /// G-nonadjacent: a cycle with several anti-dependencies, no two of them consecutive.
        LONG_FORK("G-nonadjacent: snapshots that fit no one order of commits"),
        /// G2: a cycle with two consecutive anti-dependencies.
        WRITE_SKEW("G2: transactions did not see each other's writes in a circle"),
        /// A transaction read a key twice, wrote nothing to it, and saw different values.
        NON_REPEATABLE_READ("A transaction read a key twice and saw different values"),
        /// A transaction did not read its own latest write, or read its own later write.
        OWN_WRITE_NOT_SEEN("A transaction did not read what it had written itself"),
        /// As READ_SKEW or LONG_FORK, with a step of real time in the cycle.
        STALE_READ("A transaction did not see what was committed before it began"),
        /// A value that no transaction wrote.
        UNWRITTEN_READ("A value was read that nobody wrote"),
        /// An element that occurs in a list twice.
        DUPLICATE_ELEMENT("A list held an element twice"),
        /// Two reads of a list of which neither is a prefix of the other.
        INCOMPATIBLE_READS("Two reads of a list contradict each other");

        private final String sentence;

        Kind(String sentence) {
            this.sentence = sentence;
        }

        String sentence() {
            return sentence;
        }
    }

    @Override
    public String toString() {
        return kind.sentence() + "\n" + text;
    }
}
