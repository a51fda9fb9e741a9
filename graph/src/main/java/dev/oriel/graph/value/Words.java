package dev.oriel.graph.value;

import dev.oriel.table.SearchTerms;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.PBiPredicate;

/// Predicates on the words of a text: runs of letters and digits, whatever their case. An index label of the
/// kind `search` serves them.
///
/// ```java
/// g.V().has("article", "text", Words.containing("graph database"))
/// ```
public enum Words implements PBiPredicate<Object, Object> {
    /// Whether a text has all words of another one, in whatever order.
    CONTAIN;

    /// Texts that have all words of `words`, in whatever order; none where it has none.
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
