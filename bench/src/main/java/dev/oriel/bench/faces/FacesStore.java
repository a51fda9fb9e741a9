package dev.oriel.bench.faces;

/// An open store of rows, edges and entries, or what stands for them. Belongs to one thread.
public interface FacesStore extends AutoCloseable {
    /// Vertices that are there from the beginning; edges lead from one to another.
    int HOLDERS = 1_000;

    /// Commits what write `number` writes, as one transaction where the product can: the row (`number`, amount,
    /// text), an edge from one vertex to another with the amount, and the entry of the text under `number`.
    void write(long number);

    /// How many rows, edges and entries there are.
    long count();

    @Override
    void close();

    /// Of write `number`, the vertex that the edge comes from.
    static int source(long number) {
        return (int) (number * 7_919 % HOLDERS);
    }

    /// The vertex that the edge leads to.
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
