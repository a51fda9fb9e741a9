package dev.oriel.server;

import io.netty.util.internal.logging.AbstractInternalLogger;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.MessageFormatter;
import org.jspecify.annotations.Nullable;

/// Writes Netty's warnings and errors to the server's log. It writes the types of an error, never its message,
/// which may hold bytes of a client. It throws nothing: the caller may be the network thread, which has no caller
/// to catch it.
final class NettyLog extends InternalLoggerFactory {
    private final ServerLog log;

    NettyLog(ServerLog log) {
        this.log = log;
    }

    @Override
    protected InternalLogger newInstance(String name) {
        return new Logger(name, log);
    }

    private static final class Logger extends AbstractInternalLogger {
        private static final long serialVersionUID = 1;

        private final transient ServerLog log;

        Logger(String name, ServerLog log) {
            super(name);
            this.log = log;
        }

        private void write(@Nullable String message, @Nullable Throwable cause) {
            try {
                writeIfPossible(message, cause);
            } catch (Throwable e) { // memory may lack; the caller has none to catch it
                log.lost();
            }
        }

        private void writeIfPossible(@Nullable String message, @Nullable Throwable cause) {
            StringBuilder types = new StringBuilder();
            Throwable at = cause;
            for (int depth = 0; at != null && depth < 5; depth++) {
                types.append(depth == 0 ? "" : " < ").append(at.getClass().getName());
                at = at.getCause();
            }
            log.warned(
                    "The network library has a warning",
                    "logger",
                    name(),
                    "message",
                    String.valueOf(message),
                    "error",
                    types.toString());
        }

        /// Logs without the arguments: they may be input of a client.
        private void write(@Nullable String format, @Nullable Object... arguments) {
            try {
                writeIfPossible(format, MessageFormatter.arrayFormat("", arguments).getThrowable());
            } catch (Throwable e) {
                log.lost();
            }
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return false;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        public void trace(String message) {}

        @Override
        public void trace(String format, Object argument) {}

        @Override
        public void trace(String format, Object first, Object second) {}

        @Override
        public void trace(String format, Object... arguments) {}

        @Override
        public void trace(String message, Throwable cause) {}

        @Override
        public void debug(String message) {}

        @Override
        public void debug(String format, Object argument) {}

        @Override
        public void debug(String format, Object first, Object second) {}

        @Override
        public void debug(String format, Object... arguments) {}

        @Override
        public void debug(String message, Throwable cause) {}

        @Override
        public void info(String message) {}

        @Override
        public void info(String format, Object argument) {}

        @Override
        public void info(String format, Object first, Object second) {}

        @Override
        public void info(String format, Object... arguments) {}

        @Override
        public void info(String message, Throwable cause) {}

        @Override
        public void warn(String message) {
            write(message, (Throwable) null);
        }

        @Override
        public void warn(String format, Object argument) {
            write(format, argument instanceof Throwable cause ? cause : null);
        }

        @Override
        public void warn(String format, Object first, Object second) {
            write(format, second instanceof Throwable cause ? cause : null);
        }

        @Override
        public void warn(String format, Object... arguments) {
            write(format, arguments);
        }

        @Override
        public void warn(String message, Throwable cause) {
            write(message, cause);
        }

        @Override
        public void error(String message) {
            write(message, (Throwable) null);
        }

        @Override
        public void error(String format, Object argument) {
            write(format, argument instanceof Throwable cause ? cause : null);
        }

        @Override
        public void error(String format, Object first, Object second) {
            write(format, second instanceof Throwable cause ? cause : null);
        }

        @Override
        public void error(String format, Object... arguments) {
            write(format, arguments);
        }

        @Override
        public void error(String message, Throwable cause) {
            write(message, cause);
        }
    }
}
