package dev.oriel.bench.graph;

/// Schemas of the empty graph of a case. All have people (name: text, city: text, age: int) and edges `knows`
/// between them, without properties.
public enum GraphShape {
    /// The graph gives ids; a name is a property like the others.
    ALLOTTED,
    /// The name is the primary key: a person is found by it, and there is one of each.
    KEYED,
    /// Like [#KEYED], with the city indexed for equal values and the age for ranges.
    INDEXED
}
