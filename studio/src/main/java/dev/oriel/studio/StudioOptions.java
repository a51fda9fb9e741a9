package dev.oriel.studio;

/// Options of a studio.
///
/// @param host address to listen at; elsewhere than on the loopback address a studio needs [StudioUsers]
/// @param port TCP port; 0 for any free one
/// @param readOnly whether every query runs in a read-only transaction
/// @param rowsMax greatest number of rows that a statement returns, 1 to 1,000,000
/// @param timeoutSeconds time that a statement may take, 1 to 86,400 seconds
public record StudioOptions(
        String host, int port, boolean readOnly, int rowsMax, int timeoutSeconds) {
    private static final int PORT_MAX = 65_535;
    private static final int ROWS_MAX = 1_000_000;
    private static final int DAY_SECONDS = 86_400;

    public StudioOptions {
        within("port", port, 0, PORT_MAX);
        within("rowsMax", rowsMax, 1, ROWS_MAX);
        within("timeoutSeconds", timeoutSeconds, 1, DAY_SECONDS);
    }

    /// Defaults: the loopback address, any free port, reading and writing, 10,000 rows, one minute.
    public static StudioOptions defaults() {
        return new StudioOptions("127.0.0.1", 0, false, 10_000, 60);
    }

    public StudioOptions withHost(String host) {
        return new StudioOptions(host, port, readOnly, rowsMax, timeoutSeconds);
    }

    public StudioOptions withPort(int port) {
        return new StudioOptions(host, port, readOnly, rowsMax, timeoutSeconds);
    }

    public StudioOptions withReadOnly(boolean readOnly) {
        return new StudioOptions(host, port, readOnly, rowsMax, timeoutSeconds);
    }

    public StudioOptions withRowsMax(int rowsMax) {
        return new StudioOptions(host, port, readOnly, rowsMax, timeoutSeconds);
    }

    public StudioOptions withTimeoutSeconds(int timeoutSeconds) {
        return new StudioOptions(host, port, readOnly, rowsMax, timeoutSeconds);
    }

    private static void within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; it must be from " + least + " to " + most + ".");
        }
    }
}
