package dev.oriel.graph;

import dev.oriel.graph.value.ValueCodec;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/// The features of a graph, as TinkerPop queries them.
public final class OrielFeatures implements Graph.Features {
    private final GraphFeatures graph;
    private final VertexFeatures vertex;
    private final EdgeFeatures edge = new OfEdges();

    /// @param persistent whether the graph is on a disk
    /// @param cardinality the cardinality of a key if the call does not give one
    OrielFeatures(boolean persistent, Function<String, Cardinality> cardinality) {
        this.graph = new OfGraph(persistent);
        this.vertex = new OfVertices(cardinality);
    }

    @Override
    public GraphFeatures graph() {
        return graph;
    }

    @Override
    public VertexFeatures vertex() {
        return vertex;
    }

    @Override
    public EdgeFeatures edge() {
        return edge;
    }

    @Override
    public String toString() {
        return StringFactory.featureString(this);
    }

    public record OfGraph(boolean persistent) implements GraphFeatures {
        @Override
        public boolean supportsPersistence() {
            return persistent;
        }

        /// Only one process can open a database.
        @Override
        public boolean supportsConcurrentAccess() {
            return false;
        }

        @Override
        public VariableFeatures variables() {
            return new OfVariables();
        }
    }

    public record OfVariables() implements VariableFeatures {
        @Override
        public boolean supportsSerializableValues() {
            return false;
        }
    }

    public record OfVertices(Function<String, Cardinality> cardinality) implements VertexFeatures {
        @Override
        public Cardinality getCardinality(String key) {
            return cardinality.apply(key);
        }

        @Override
        public boolean supportsNullPropertyValues() {
            return false;
        }

        @Override
        public boolean supportsCustomIds() {
            return false;
        }

        @Override
        public boolean supportsAnyIds() {
            return false;
        }

        @Override
        public boolean willAllowId(Object id) {
            return ValueCodec.isId(id);
        }

        @Override
        public VertexPropertyFeatures properties() {
            return new OfVertexProperties();
        }
    }

    public record OfVertexProperties() implements VertexPropertyFeatures {
        @Override
        public boolean supportsNullPropertyValues() {
            return false;
        }

        @Override
        public boolean supportsCustomIds() {
            return false;
        }

        @Override
        public boolean supportsAnyIds() {
            return false;
        }

        @Override
        public boolean willAllowId(Object id) {
            return ValueCodec.isId(id);
        }

        @Override
        public boolean supportsSerializableValues() {
            return false;
        }
    }

    public record OfEdges() implements EdgeFeatures {
        @Override
        public boolean supportsNullPropertyValues() {
            return false;
        }

        @Override
        public boolean supportsCustomIds() {
            return false;
        }

        @Override
        public boolean supportsAnyIds() {
            return false;
        }

        @Override
        public boolean willAllowId(Object id) {
            return ValueCodec.isId(id);
        }

        @Override
        public EdgePropertyFeatures properties() {
            return new OfEdgeProperties();
        }
    }

    public record OfEdgeProperties() implements EdgePropertyFeatures {
        @Override
        public boolean supportsSerializableValues() {
            return false;
        }
    }
}
