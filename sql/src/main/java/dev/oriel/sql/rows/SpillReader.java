package dev.oriel.sql.rows;

/// Reads a [SpillFile] through a few buffered pieces: one for sequential reading, more for a caller that reads on
/// at several positions. The least recently used piece is replaced. Not to be used during appends.
public final class SpillReader {
    private final SpillFile file;
    private final byte[][] pieces;
    private final long[] starts;
    private final int[] lengths;

    /// Tick of the last use, by piece.
    private final long[] turns;

    private long turn;
    private int current;
    private int held;

    public SpillReader(SpillFile file, int pieces, int pieceBytes) {
        this.file = file;
        this.pieces = new byte[pieces][pieceBytes];
        this.starts = new long[pieces];
        this.lengths = new int[pieces];
        this.turns = new long[pieces];
        this.held = pieces * pieceBytes;
        file.memory().add(held);
    }

    /// Buffers `length` bytes from `position` on in [#bytes]; returns their offset in it.
    public int require(long position, int length) {
        if (holds(current, position, length)) {
            return (int) (position - starts[current]);
        }
        for (int i = 0; i < pieces.length; i++) {
            if (holds(i, position, length)) {
                turnTo(i);
                return (int) (position - starts[i]);
            }
        }
        int oldest = 0;
        for (int i = 1; i < pieces.length; i++) {
            oldest = turns[i] < turns[oldest] ? i : oldest;
        }
        turnTo(oldest);
        load(position, length);
        return 0;
    }

    private void turnTo(int piece) {
        current = piece;
        turns[piece] = ++turn;
    }

    private boolean holds(int piece, long position, int length) {
        return position >= starts[piece] && position + length <= starts[piece] + lengths[piece];
    }

    private void load(long position, int length) {
        if (length > pieces[current].length) {
            int more = Math.max(length, 2 * pieces[current].length) - pieces[current].length;
            pieces[current] = new byte[pieces[current].length + more];
            held += more;
            file.memory().add(more);
        }
        lengths[current] = 0;
        int part = (int) Math.min(pieces[current].length, file.bytes() - position);
        if (part < length) {
            throw new IllegalStateException("nothing was written at " + position);
        }
        file.read(position, pieces[current], part);
        starts[current] = position;
        lengths[current] = part;
    }

    /// The piece of the last call of [#require].
    public byte[] bytes() {
        return pieces[current];
    }

    /// Releases the pieces; to be called once.
    public void close() {
        file.memory().take(held);
        held = 0;
    }
}
