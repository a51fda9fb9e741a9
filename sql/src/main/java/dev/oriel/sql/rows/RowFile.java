package dev.oriel.sql.rows;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;

/// A file of spilled rows: written sequentially, and read back by position.
public final class RowFile {
    private final RowCodec codec;
    private final SpillFile file;
    private final QueryMemory.Share share;

    public RowFile(QueryMemory.Share share, Type.Shape[] shapes) {
        this.share = share;
        this.codec = new RowCodec(shapes);
        this.file = share.memory().file();
    }

    /// Position of the next row.
    public long bytes() {
        return file.bytes();
    }

    /// Writes `row`; returns its position, a multiple of 8.
    public long append(Row row) {
        long position = file.bytes();
        int length = codec.encode(row);
        file.append(codec.bytes(), length);
        share.wrote(length);
        return position;
    }

    /// Flushes the writes; rows may be appended again later.
    public void finish() {
        file.finish();
    }

    public void delete() {
        file.delete();
    }

    /// A reader that reads on sequentially.
    public Reader reader(int windowBytes) {
        return new Reader(new SpillReader(file, 1, windowBytes));
    }

    /// A reader that returns to a few positions.
    public Reader reader(int pieces, int pieceBytes) {
        return new Reader(new SpillReader(file, pieces, pieceBytes));
    }

    /// Reads rows; to be closed.
    public final class Reader {
        private final SpillReader from;

        private Reader(SpillReader from) {
            this.from = from;
        }

        /// Reads the row at `position` into `into`; returns the position of the next one.
        public long read(long position, Tuple into) {
            int at = from.require(position, Integer.BYTES);
            int length = (int) RowCodec.INT.get(from.bytes(), at);
            at = from.require(position, length);
            codec.decode(from.bytes(), at, into);
            return position + length;
        }

        public void close() {
            from.close();
        }
    }
}
