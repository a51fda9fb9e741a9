package dev.oriel.bench.jdbm;

/// An open store: records of bytes under 64-bit ids, ordered by id as a signed number.
public interface RecordStore extends AutoCloseable {
    /// The session of one thread.
    Session session();

    /// Closes the store; everything is on disk afterwards.
    @Override
    void close();

    /// Belongs to one thread. A transaction writes or reads, not both.
    interface Session extends AutoCloseable {
        /// Begins to write; waits for another writer if the store has one at a time.
        void begin();

        /// Stores a record by the store's put, without asking whether there is one. The caller may reuse `value`
        /// afterwards.
        void insert(long id, byte[] value);

        /// Stores a record whose id is greater than all before it, by the store's path for loading in order if it
        /// has one. All records of a transaction come by one of the two.
        default void append(long id, byte[] value) {
            insert(id, value);
        }

        /// Commits in the store's durability class.
        void commit();

        /// Begins to read one snapshot.
        void beginRead();

        /// Finds a record and reads each byte of its value by [dev.oriel.bench.measure.Sums].
        ///
        /// @return the sum of the value, or [dev.oriel.bench.measure.Sums#ABSENT]
        long get(long id);

        /// Reads every record in the order of ids: adds up `sum(value) ^ id`.
        long scan();

        /// Ends the snapshot.
        void endRead();

        @Override
        void close();
    }
}
