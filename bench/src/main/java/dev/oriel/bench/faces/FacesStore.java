package dev.oriel.bench.faces;

/// An open store of rows, edges and entries, or their equivalents. Belongs to one thread.
public interface FacesStore extends AutoCloseable {
    /// Number of vertices in a new store; edges lead from one to another.
    int HOLDERS = 1_000;

    /// Commits write `number`, as one transaction if the product can. It writes the row (`number`, amount, text),
    /// an edge from one vertex to another with the amount, and the entry of the text under `number`.
    void write(long number);

    /// Number of rows, of edges and of entries.
    long count();

    @Override
    void close();

    /// The source vertex of the edge of write `number`.
    static int source(long number) {
        return (int) (number * 7_919 % HOLDERS);
    }

    /// The target vertex of the edge.
    static int target(long number) {
        return (int) ((number * 104_729 + 1) % HOLDERS);
    }

    /// The amount of the row and of the edge.
    static long amount(long number) {
        return number * 31 % 1_000;
    }

    /// The text of the row and of the entry, 25 characters.
    static String text(long number) {
        return "the thing numbered " + Long.toString(1_000_000 + number % 1_000_000).substring(1);
    }
}
