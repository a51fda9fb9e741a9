package dev.oriel.graph.tables;

import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/// Features of a property graph over tables; its rows and typed columns limit them.
final class TableGraphFeatures implements Graph.Features {
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
        public boolean supportsComputer() {
            return false;
        }

        @Override
        public boolean supportsThreadedTransactions() {
            return false;
        }

        @Override
        public boolean supportsConcurrentAccess() {
            return false;
        }
    }

    private record OfVertices() implements VertexFeatures {
        @Override
        public Cardinality getCardinality(String key) {
            return Cardinality.single;
        }

        @Override
        public boolean supportsMultiProperties() {
            return false;
        }

        @Override
        public boolean supportsDuplicateMultiProperties() {
            return false;
        }

        @Override
        public boolean supportsMetaProperties() {
            return false;
        }

        @Override
        public boolean supportsUserSuppliedIds() {
            return false;
        }

        @Override
        public boolean supportsNullPropertyValues() {
            return false;
        }
    }

    private record OfEdges() implements EdgeFeatures {
        @Override
        public boolean supportsUserSuppliedIds() {
            return false;
        }

        @Override
        public boolean supportsNullPropertyValues() {
            return false;
        }
    }
}
