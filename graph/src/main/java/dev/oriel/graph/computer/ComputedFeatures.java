package dev.oriel.graph.computer;

import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/// Features of a graph computer's result: it can be read, by the next computer too.
final class ComputedFeatures implements Graph.Features {
    @Override
    public GraphFeatures graph() {
        return new OfGraph();
    }

    @Override
    public VertexFeatures vertex() {
        return new OfVertices();
    }

    @Override
    public EdgeFeatures edge() {
        return new OfEdges();
    }

    @Override
    public String toString() {
        return StringFactory.featureString(this);
    }

    private record OfGraph() implements GraphFeatures {
        @Override
        public boolean supportsPersistence() {
            return false;
        }

        @Override
        public boolean supportsConcurrentAccess() {
            return false;
        }

        @Override
        public boolean supportsTransactions() {
            return false;
        }

        @Override
        public boolean supportsThreadedTransactions() {
            return false;
        }

        @Override
        public boolean supportsIoRead() {
            return false;
        }
    }

    private record OfVertices() implements VertexFeatures {
        @Override
        public Cardinality getCardinality(String key) {
            return Cardinality.single;
        }

        @Override
        public boolean supportsAddVertices() {
            return false;
        }

        @Override
        public boolean supportsRemoveVertices() {
            return false;
        }

        @Override
        public boolean supportsAddProperty() {
            return false;
        }

        @Override
        public boolean supportsRemoveProperty() {
            return false;
        }
    }

    private record OfEdges() implements EdgeFeatures {
        @Override
        public boolean supportsAddEdges() {
            return false;
        }

        @Override
        public boolean supportsRemoveEdges() {
            return false;
        }

        @Override
        public boolean supportsAddProperty() {
            return false;
        }

        @Override
        public boolean supportsRemoveProperty() {
            return false;
        }
    }
}
