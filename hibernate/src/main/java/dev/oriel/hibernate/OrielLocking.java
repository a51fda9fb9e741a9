package dev.oriel.hibernate;

import jakarta.persistence.Timeout;
import org.hibernate.Timeouts;
import org.hibernate.dialect.RowLockStrategy;
import org.hibernate.dialect.lock.spi.ConnectionLockTimeoutStrategy;
import org.hibernate.dialect.lock.spi.LockTimeoutType;
import org.hibernate.dialect.lock.spi.LockingSupport;
import org.hibernate.dialect.lock.spi.OuterJoinLockingType;

/// `FOR UPDATE OF alias`, `FOR SHARE OF alias`, NOWAIT and SKIP LOCKED. The timeout of other lock waits is a
/// setting of the database.
enum OrielLocking implements LockingSupport, LockingSupport.Metadata {
    INSTANCE;

    @Override
    public Metadata getMetadata() {
        return this;
    }

    @Override
    public RowLockStrategy getWriteRowLockStrategy() {
        return RowLockStrategy.TABLE;
    }

    @Override
    public LockTimeoutType getLockTimeoutType(Timeout timeout) {
        return switch (timeout.milliseconds()) {
            case Timeouts.NO_WAIT_MILLI, Timeouts.SKIP_LOCKED_MILLI -> LockTimeoutType.QUERY;
            default -> LockTimeoutType.NONE;
        };
    }

    @Override
    public OuterJoinLockingType getOuterJoinLockingType() {
        return OuterJoinLockingType.UNSUPPORTED;
    }

    @Override
    public ConnectionLockTimeoutStrategy getConnectionLockTimeoutStrategy() {
        return ConnectionLockTimeoutStrategy.NONE;
    }
}
