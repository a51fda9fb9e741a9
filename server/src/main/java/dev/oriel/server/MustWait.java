package dev.oriel.server;

/// Thrown by a request that would have to wait, on a thread that may not: nothing of it was done. It is
/// begun again where it may wait. It says nothing else, so there is one of it, without a stack.
final class MustWait extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("StaticAssignmentOfThrowable") // on purpose, see above
    static final MustWait INSTANCE = new MustWait();

    private MustWait() {
        super("The request has to wait", null, false, false);
    }
}
