package dev.oriel.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;

/// A random traversal: a start, conditions, hops, and a final question. Its answer does not depend on the order of
/// a graph's elements.
@SuppressWarnings("unchecked") // varargs and traversals of TinkerPop
final class RandomTraversal {
    static final String[] LABELS = {"person", "thing", "place"};
    static final String[] EDGES = {"knows", "has"};

    private final SplittableRandom random;
    private final StringBuilder text = new StringBuilder("g");
    private final List<UnaryOperator<GraphTraversal<?, ?>>> steps = new ArrayList<>();
    private final LongFunction<Object> ids;
    private Function<GraphTraversalSource, GraphTraversal<?, ?>> start = g -> g.V();

    /// @param idMax ids of vertices are 1 to this
    RandomTraversal(SplittableRandom random, int idMax) {
        this(random, idMax, id -> id);
    }

    /// @param ids the ids of the vertices 1 to `idMax`
    RandomTraversal(SplittableRandom random, int idMax, LongFunction<Object> ids) {
        this.random = random;
        this.ids = ids;
        boolean edges = random.nextInt(6) == 0;
        start(edges, idMax);
        if (edges) {
            edges();
        } else {
            vertices();
        }
    }

    /// The results, in an order that does not depend on the graph.
    List<String> ask(GraphTraversalSource of) {
        GraphTraversal<?, ?> traversal = start.apply(of);
        for (UnaryOperator<GraphTraversal<?, ?>> step : steps) {
            traversal = step.apply(traversal);
        }
        List<String> results = new ArrayList<>();
        traversal.forEachRemaining(each -> results.add(String.valueOf(each)));
        results.sort(null);
        return results;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private void add(String words, UnaryOperator<GraphTraversal<?, ?>> step) {
        text.append('.').append(words);
        steps.add(step);
    }

    private void start(boolean edges, int idMax) {
        if (edges) {
            text.append(".E()");
            start = g -> g.E();
        } else if (random.nextInt(4) == 0) {
            Object a = ids.apply(1L + random.nextInt(idMax));
            Object b = ids.apply(1L + random.nextInt(idMax));
            text.append(".V(%s, %s)".formatted(a, b));
            start = a.equals(b) ? g -> g.V(a) : g -> g.V(a, b);
        } else {
            text.append(".V()");
        }
    }

    private String label() {
        return LABELS[random.nextInt(LABELS.length)];
    }

    private String name() {
        return "n" + random.nextInt(6);
    }

    private void vertices() {
        for (int i = random.nextInt(3); i > 0; i--) {
            condition();
        }
        int hops = random.nextInt(4);
        for (int i = 0; i < hops; i++) {
            hop();
            if (random.nextInt(5) == 0) {
                condition();
            }
        }
        end();
    }

    private void edges() {
        String edge = EDGES[random.nextInt(EDGES.length)];
        if (random.nextInt(2) == 0) {
            add("hasLabel(" + edge + ")", t -> t.hasLabel(edge));
        }
        if (random.nextInt(2) == 0) {
            P<Double> weight = number(random.nextInt(20) / 4.0, random.nextInt(8) / 4.0);
            add("has(weight, " + weight + ")", t -> t.has("weight", weight));
        }
        switch (random.nextInt(4)) {
            case 0 -> add("count()", t -> t.count());
            case 1 -> add("inV().id()", t -> t.inV().id());
            case 2 -> add("values(weight)", t -> t.values("weight"));
            default -> {
                int most = 1 + random.nextInt(40);
                add(
                        "order().by(weight, desc).limit(" + most + ").values(weight)",
                        t -> t.order().by("weight", Order.desc).limit(most).values("weight"));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private <N extends Number> P<N> number(N low, N width) {
        Object high =
                low instanceof Integer
                        ? (Object) (low.intValue() + width.intValue())
                        : (Object) (low.doubleValue() + width.doubleValue());
        return switch (random.nextInt(9)) {
            case 0 -> P.eq(low);
            case 1 -> P.gt(low);
            case 2 -> P.gte(low);
            case 3 -> P.lt(low);
            case 4 -> P.lte(low);
            case 5 -> P.between(low, (N) high);
            case 6 -> P.inside(low, (N) high);
            case 7 -> P.within(low, (N) high);
            default -> P.neq(low);
        };
    }

    private void condition() {
        String label = label();
        String name = name();
        P<Integer> age = number(random.nextInt(20), random.nextInt(8));
        switch (random.nextInt(9)) {
            case 0 -> add("hasLabel(" + label + ")", t -> t.hasLabel(label));
            case 1, 2 -> add("has(age, " + age + ")", t -> t.has("age", age));
            case 3 -> add("has(" + label + ", age, " + age + ")", t -> t.has(label, "age", age));
            case 4 -> add("has(name, " + name + ")", t -> t.has("name", name));
            case 5 -> {
                String other = name();
                add(
                        "has(name, within(" + name + ", " + other + "))",
                        t -> t.has("name", P.within(name, other)));
            }
            case 6 -> {
                String prefix = random.nextInt(3) == 0 ? name : "n";
                add(
                        "has(name, startingWith(" + prefix + "))",
                        t -> t.has("name", TextP.startingWith(prefix)));
            }
            case 7 -> {
                add(
                        "has(name, " + name + ").has(age, " + age + ")",
                        t -> t.has("name", name).has("age", age));
            }
            default ->
                    add(
                            "where(outE().count().is(gt(1)))",
                            t -> t.where(__.outE().count().is(P.gt(1))));
        }
    }

    private void hop() {
        String edge = EDGES[random.nextInt(EDGES.length)];
        switch (random.nextInt(8)) {
            case 0, 1 -> add("out(" + edge + ")", t -> ((GraphTraversal<?, ?>) t).out(edge));
            case 2 -> add("in()", t -> t.in());
            case 3 -> add("both(" + edge + ")", t -> t.both(edge));
            case 4 -> add("out()", t -> t.out());
            case 5 -> add("repeat(out()).times(2)", t -> t.repeat(cast(__.out())).times(2));
            case 6 -> add("dedup()", t -> t.dedup());
            default -> add("outE(" + edge + ").inV()", t -> t.outE(edge).inV());
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static GraphTraversal cast(GraphTraversal<?, ?> of) {
        return of;
    }

    private void end() {
        int most = 1 + random.nextInt(40);
        boolean descending = random.nextBoolean();
        Order order = descending ? Order.desc : Order.asc;
        switch (random.nextInt(11)) {
            case 0, 1 -> add("count()", t -> t.count());
            case 2 -> add("id()", t -> t.id());
            case 3 -> add("values(age)", t -> t.values("age"));
            case 4 -> add("dedup().count()", t -> t.dedup().count());
            case 5 -> add("out().count()", t -> t.out().count());
            case 6 ->
                    add(
                            "order().by(age, " + order + ").limit(" + most + ").values(age)",
                            t -> t.order().by("age", order).limit(most).values("age"));
            case 7 -> add("groupCount().by(label)", t -> t.groupCount().by(T.label));
            case 8 ->
                    add(
                            "map(both().count())",
                            t -> ((GraphTraversal<?, ?>) t).map(__.both().count()));
            case 9 -> add("values(age).sum()", t -> t.values("age").sum());
            default -> {
                int path = random.nextInt(2);
                add(
                        path == 0 ? "path().by(id).dedup().count()" : "tail(100000).id()",
                        t -> path == 0 ? t.path().by(T.id).dedup().count() : t.tail(100_000).id());
            }
        }
    }
}
