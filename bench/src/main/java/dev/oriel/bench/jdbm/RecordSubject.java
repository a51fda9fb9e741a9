package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A store of records.
public interface RecordSubject extends Subject {
    /// The durability classes it can be opened in.
    Set<Durability> durabilities();

    /// Opens the store in `folder`, or makes an empty one of one collection of records.
    ///
    /// @param recordsMax greatest number of its records, for stores that must be told a size
    RecordStore open(Path folder, Durability durability, long recordsMax) throws IOException;

    /// Opens it without transactions, as far as the product trades safety for speed; null if it has no such mode.
    default @Nullable RecordStore openWithoutTransactions(Path folder, long recordsMax)
            throws IOException {
        return null;
    }

    /// Whether the caller chooses ids. If not, they are 0, 1, 2 and so on as records come.
    default boolean takesAnyId() {
        return true;
    }

    /// Whether it is meant for loading in bulk alone.
    default boolean bulkOnly() {
        return false;
    }
}
