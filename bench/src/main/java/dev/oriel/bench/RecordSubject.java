package dev.oriel.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/// A store of records.
public interface RecordSubject extends Subject {
    /// The classes it can be opened in.
    Set<Durability> durabilities();

    /// Opens the store in `folder`, or makes an empty one of one collection of records.
    ///
    /// @param recordsMax how many records it will hold, for those that must be told a size
    RecordStore open(Path folder, Durability durability, long recordsMax) throws IOException;
}
