package dev.oriel.store.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.data.Pages;
import dev.oriel.store.engine.Store;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.transaction.StoreTransaction;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/// [Check] reports nodes that break a rule: each test breaks one in memory.
final class CheckTest {
    private interface Forgery {
        void forge(MemorySegment segment, long at);
    }

    /// Changes the root of a tree of three leaves, or its first leaf, behind the store's back.
    private static List<String> forge(boolean leaf, Forgery forgery) {
        try (Store store = Store.inMemory(StoreOptions.defaults())) {
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = transaction.createTree("t");
                for (int i = 0; i < 10; i++) {
                    Slice value = Slice.of("v".repeat(1800));
                    transaction.put(tree, Slice.of("same " + i), value);
                }
                Pages pages = ((StoreTransaction) transaction).pages();
                pages.locate(tree.root());
                assertEquals(2, Page.count(pages.segment, pages.at));
                if (leaf) {
                    pages.locate(Node.child(pages.segment, pages.at, 1));
                }
                forgery.forge(pages.segment, pages.at);
                transaction.commit();
            }
            return store.check();
        }
    }

    private static void assertTold(String rule, List<String> wrong) {
        assertTrue(wrong.stream().anyMatch(sentence -> sentence.contains(rule)), wrong::toString);
    }

    @Test
    void nothingForgedIsNothingTold() {
        assertEquals(List.of(), forge(true, (segment, at) -> {}));
    }

    @Test
    void rootWithOneChildIsTold() {
        assertTold(
                "has a single child",
                forge(false, (segment, at) -> Page.setShort(segment, at + Page.COUNT, 0)));
    }

    @Test
    void prefixThatTheFencesDoNotShareIsTold() {
        assertTold(
                "prefix",
                forge(true, (segment, at) -> Page.setShort(segment, at + Node.PREFIX, 6)));
    }

    @Test
    void entriesThatWereNotCountedAreTold() {
        assertTold(
                "counts its bytes wrongly",
                forge(true, (segment, at) -> Page.setShort(segment, at + Node.DEAD, 8)));
    }

    @Test
    void cellsThatOverlapAreTold() {
        assertTold(
                "lie where others do",
                forge(
                        true,
                        (segment, at) ->
                                Node.setCellOffset(
                                        segment,
                                        at,
                                        1,
                                        (int) (Node.cell(segment, at, 0) - at) + 1)));
    }

    @Test
    void leafThatLinksPastItsNeighbourIsTold() {
        assertTold(
                "does not link to leaf",
                forge(true, (segment, at) -> Page.setLink(segment, at, 2)));
    }
}
