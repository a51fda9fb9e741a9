package dev.oriel.kv;

/// One look at a place in a JSON text, or one change there.
///
/// A path is names and array positions: `owner.addresses[0].city`; `[-1]` is the last; a name with other
/// characters stands in backticks. The empty path is the whole value.
///
/// @param value JSON text, or the delta of COUNTER in decimal digits; empty where the operation has none
/// @param createParents whether objects that are missing on the way are made
@SuppressWarnings("ArrayRecordComponent") // copied into the text, and not before
public record JsonEdit(Operation operation, String path, byte[] value, boolean createParents) {
    /// What is done at the path.
    public enum Operation {
        /// The value there.
        GET(false),
        /// Whether there is one.
        EXISTS(false),
        /// How many members or elements it has.
        COUNT(false),
        /// Adds a member that must not be there.
        INSERT(true),
        /// Adds or replaces a member.
        UPSERT(true),
        /// Replaces what is there.
        REPLACE(true),
        /// Removes what is there.
        REMOVE(true),
        /// Adds elements, separated by commas, behind the last.
        ARRAY_APPEND(true),
        /// Adds elements, separated by commas, before the first.
        ARRAY_PREPEND(true),
        /// Adds elements before the position that the path ends with.
        ARRAY_INSERT(true),
        /// Adds an element that is neither object nor array, unless the array has it.
        ARRAY_ADD_UNIQUE(true),
        /// Adds to a whole number of 64 bits; one that is missing is 0.
        COUNTER(true);

        private final boolean changes;

        Operation(boolean changes) {
            this.changes = changes;
        }

        /// Whether it may change the text.
        public boolean changes() {
            return changes;
        }
    }

    /// One without a value.
    public static JsonEdit of(Operation operation, String path) {
        return new JsonEdit(operation, path, new byte[0], false);
    }

    /// One with a value, a JSON text; missing objects on the way are not made.
    public static JsonEdit of(Operation operation, String path, String json) {
        return new JsonEdit(
                operation, path, json.getBytes(java.nio.charset.StandardCharsets.UTF_8), false);
    }

    /// The same, making objects that are missing on the way.
    public JsonEdit withParents() {
        return new JsonEdit(operation, path, value, true);
    }

    /// What came of one.
    ///
    /// @param value what GET, COUNT and COUNTER found, as JSON text; else empty
    @SuppressWarnings("ArrayRecordComponent") // made for whoever asked
    public record Outcome(Status status, byte[] value) {}
}
