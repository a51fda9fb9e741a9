import org.jspecify.annotations.NullMarked;

/// The oriel command.
@NullMarked
module dev.oriel.cli {
    requires static org.jspecify;
    requires dev.oriel;
    requires dev.oriel.compare;
    requires dev.oriel.server;
    requires info.picocli;
    requires java.sql;
    requires org.jline.reader;
    requires org.jline.terminal;

    exports dev.oriel.cli;

    opens dev.oriel.cli to
            info.picocli;
}
