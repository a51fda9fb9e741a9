package dev.oriel.hibernate;

import org.hibernate.dialect.sequence.SequenceSupport;

/// Sequences, queried as PostgreSQL's are.
final class OrielSequences implements SequenceSupport {
    @Override
    public String getSelectSequenceNextValString(String name) {
        return "nextval('" + name + "')";
    }

    @Override
    public String getSelectSequencePreviousValString(String name) {
        return "currval('" + name + "')";
    }

    @Override
    public String getDropSequenceString(String name) {
        return "drop sequence if exists " + name;
    }

    @Override
    public boolean sometimesNeedsStartingValue() {
        return true;
    }
}
