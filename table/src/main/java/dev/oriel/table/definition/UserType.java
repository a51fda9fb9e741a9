package dev.oriel.table.definition;

/// A user-defined type, complete: a [Type] made of it needs nothing else. Two definitions of one number are the
/// same type, whatever has been changed in between.
public sealed interface UserType extends Note permits CompositeType, EnumType, DomainType {
    String name();

    @Override
    UserType withId(long other);

    UserType withName(String other);
}
