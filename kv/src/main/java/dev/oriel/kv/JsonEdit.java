package dev.oriel.kv;

/// A lookup of one path in a JSON text, or an edit there.
///
/// A path is names and array positions: `owner.addresses[0].city`; `[-1]` is the last element. A name with other
/// characters stands in backticks. The empty path is the whole value.
///
/// ```java
/// bucket.mutateIn("u-1", List.of(JsonEdit.of(Operation.UPSERT, "address.city", "\"Ulm\"")), WriteOptions.none());
/// ```
///
/// @param value JSON text, or the delta of COUNTER in decimal digits; empty if the operation takes none
/// @param createParents whether missing objects on the path are created
@SuppressWarnings("ArrayRecordComponent") // copied into the text, and not before
public record JsonEdit(Operation operation, String path, byte[] value, boolean createParents) {
    /// Operation at the path.
    public enum Operation {
        /// Returns the value.
        GET(false),
        /// Whether there is a value.
        EXISTS(false),
        /// Number of members or elements of the value.
        COUNT(false),
        /// Adds a member that must be absent.
        INSERT(true),
        /// Adds or replaces a member.
        UPSERT(true),
        /// Replaces the value.
        REPLACE(true),
        /// Removes the value.
        REMOVE(true),
        /// Adds elements, separated by commas, after the last.
        ARRAY_APPEND(true),
        /// Adds elements, separated by commas, before the first.
        ARRAY_PREPEND(true),
        /// Adds elements before the position that the path ends with.
        ARRAY_INSERT(true),
        /// Adds an element that is neither object nor array, unless the array contains it.
        ARRAY_ADD_UNIQUE(true),
        /// Adds to an integer of 64 bits; a missing one counts as 0.
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

    /// An edit or lookup without a value.
    public static JsonEdit of(Operation operation, String path) {
        return new JsonEdit(operation, path, new byte[0], false);
    }

    /// An edit with a value, a JSON text; missing objects on the path are not created.
    public static JsonEdit of(Operation operation, String path, String json) {
        return new JsonEdit(
                operation, path, json.getBytes(java.nio.charset.StandardCharsets.UTF_8), false);
    }

    /// This edit, creating missing objects on the path.
    public JsonEdit withParents() {
        return new JsonEdit(operation, path, value, true);
    }

    /// Outcome of one edit or lookup.
    ///
    /// @param value result of GET, COUNT and COUNTER as JSON text; else empty
    @SuppressWarnings("ArrayRecordComponent") // a fresh array for the caller
    public record Outcome(Status status, byte[] value) {}
}
