package dev.oriel.server;

/// Thrown by a request that would wait on a thread that may not. The request has changed nothing. It is begun again on
/// a thread that may. It carries no information, so there is one instance, without a stack.
final class MustWait extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("StaticAssignmentOfThrowable") // on purpose, see above
    static final MustWait INSTANCE = new MustWait();

    private MustWait() {
        super("The request has to wait", null, false, false);
    }
}
