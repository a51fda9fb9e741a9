package dev.oriel.store.engine;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.page.Page;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Opens the store in a folder, cuts its data file short like another program would, and reads on. Reports for each
/// read whether it failed, or returned something `wrong`; it need not come to its end.
public final class CutWhileOpen {
    private static final int PAGES_KEPT = 5;

    private CutWhileOpen() {}

    /// The folder is the one argument.
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Store store = Store.open(DiskDirectory.open(folder), StoreOptions.defaults());
        read(store, 0);
        System.out.println("opened");
        try (FileChannel file =
                FileChannel.open(folder.resolve("data"), StandardOpenOption.WRITE)) {
            file.truncate((long) PAGES_KEPT * Page.BYTES);
        }
        for (int i = 0; i < 2_000; i += 50) {
            try {
                read(store, i);
            } catch (DatabaseException | InternalError e) {
                System.out.println("failed: " + e.getClass().getSimpleName());
            }
        }
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.tree("t");
            if (tree != null) {
                transaction.put(tree, Slice.of("key 001000"), Slice.of("changed"));
                transaction.commit();
                System.out.println("committed");
            }
        } catch (DatabaseException | InternalError e) {
            System.out.println("commit failed: " + e.getClass().getSimpleName());
        }
        Runtime.getRuntime().halt(0); // a close would write
    }

    private static void read(Store store, int i) {
        Slice value = new Slice();
        try (Transaction transaction = store.beginRead()) {
            Tree tree = transaction.tree("t");
            boolean found =
                    tree != null && transaction.get(tree, Slice.of("key %06d".formatted(i)), value);
            if (!found || !value.toText().equals("value " + i)) {
                System.out.println("wrong: " + i);
            }
        }
    }
}
