package dev.oriel.graph;

/// Which vertex an id in a file means, of those that are being loaded. Ids that are whole numbers are kept as
/// such, all others as their bytes.
final class LoadedIds {
    private final LongMap numbers;
    private final BytesMap texts;

    LoadedIds(Budget budget) {
        this.numbers = new LongMap(budget);
        this.texts = new BytesMap(budget);
    }

    /// Keeps `vertex` under the id in a field; false where there is one.
    boolean putNew(CsvSource in, int field, long vertex) throws RejectedRow {
        if (in.isWhole(field)) {
            return numbers.putNew(in.whole(field), vertex);
        }
        checkLength(in.end(field) - in.start(field));
        return texts.putNew(in.buffer(), in.start(field), in.end(field), vertex);
    }

    /// The same for an id that is not a field.
    boolean putNew(byte[] id, long vertex) throws RejectedRow {
        checkLength(id.length);
        return texts.putNew(id, 0, id.length, vertex);
    }

    private static void checkLength(int length) throws RejectedRow {
        if (length > BytesMap.KEY_BYTES_MAX) {
            throw new RejectedRow("an id is longer than " + BytesMap.KEY_BYTES_MAX + " bytes");
        }
    }

    /// The vertex of an id that is no field, or 0.
    long get(byte[] id) {
        return texts.get(id, 0, id.length, 0);
    }

    /// The vertex of the id in a field, or 0.
    long get(CsvSource in, int field) {
        return in.isWhole(field)
                ? numbers.get(in.whole(field), 0)
                : texts.get(in.buffer(), in.start(field), in.end(field), 0);
    }
}
