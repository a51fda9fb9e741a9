package dev.oriel.sql.rows;

/// Reads a [SpillFile] by pieces, of which it has a few: one for who goes on from where it was, more for
/// who has several places that he goes on from. Not to be used while somebody appends.
public final class SpillReader {
    private final SpillFile file;
    private final byte[][] pieces;
    private final long[] starts;
    private final int[] lengths;
    private int current;
    private int held;

    public SpillReader(SpillFile file, int pieces, int pieceBytes) {
        this.file = file;
        this.pieces = new byte[pieces][pieceBytes];
        this.starts = new long[pieces];
        this.lengths = new int[pieces];
        this.held = pieces * pieceBytes;
        file.memory().add(held);
    }

    /// Has `length` bytes from `position` on in [#bytes]; returns where they begin in there.
    public int require(long position, int length) {
        if (holds(current, position, length)) {
            return (int) (position - starts[current]);
        }
        for (int i = 0; i < pieces.length; i++) {
            if (holds(i, position, length)) {
                current = i;
                return (int) (position - starts[i]);
            }
        }
        current = (current + 1) % pieces.length;
        load(position, length);
        return 0;
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

    /// The piece that was asked for last.
    public byte[] bytes() {
        return pieces[current];
    }

    /// Lets go of its pieces; to be called once.
    public void close() {
        file.memory().take(held);
        held = 0;
    }
}
