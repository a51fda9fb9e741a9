package dev.oriel.graph.value;

import dev.oriel.table.value.SearchTerms;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.PBiPredicate;

/// Predicates on the words of a text: runs of letters and digits, case-insensitive. An index label of the kind
/// `search` serves them.
///
/// ```java
/// g.V().has("article", "text", Words.containing("graph database"))
/// ```
public enum Words implements PBiPredicate<Object, Object> {
    /// Whether a text contains all words of another one, in any order.
    CONTAIN;

    /// Matches texts that contain all words of `words`, in any order; nothing if it has no words.
    public static P<Object> containing(String words) {
        return new P<>(CONTAIN, words);
    }

    @Override
    public boolean test(Object text, Object words) {
        if (!(text instanceof String has) || !(words instanceof String wanted)) {
            return false;
        }
        List<String> terms = SearchTerms.of(wanted);
        return !terms.isEmpty() && SearchTerms.of(has).containsAll(terms);
    }

    @Override
    public String getPredicateName() {
        return "containingWords";
    }
}
