package dev.oriel.server;

import dev.oriel.kv.Status;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// SASL in the binary protocol: PLAIN, and SCRAM with three hashes. PLAIN sends the password in the clear. So it
/// is accepted only from clients on this machine and over TLS, and offered last.
final class Login {
    private static final String MECHANISMS = "SCRAM-SHA512 SCRAM-SHA256 SCRAM-SHA1";
    private static final byte[] NOTHING = {};

    private final Client client;
    private final BinaryProtocol protocol;
    private @Nullable Scram scram;

    Login(Client client, BinaryProtocol protocol) {
        this.client = client;
        this.protocol = protocol;
    }

    /// Answers the request if it is one of these.
    boolean takes(int opcode) {
        boolean ours =
                opcode == Opcode.SASL_LIST
                        || opcode == Opcode.SASL_AUTH
                        || opcode == Opcode.SASL_STEP;
        if (!ours) {
            return false;
        }
        if (client.server().accounts().isOpen()) {
            protocol.answer(Status.UNKNOWN_COMMAND);
        } else if (opcode == Opcode.SASL_LIST) {
            String offered = client.isUnheard() ? MECHANISMS + " PLAIN" : MECHANISMS;
            protocol.answer(Status.SUCCESS, NOTHING, BinaryProtocol.text(offered), 0);
        } else {
            authenticate(opcode, protocol.request());
        }
        return true;
    }

    private void authenticate(int opcode, Request request) {
        String mechanism = request.keyText();
        byte[] message = request.value();
        if (mechanism.equals("PLAIN") && client.isUnheard()) {
            plain(new String(message, StandardCharsets.UTF_8));
            return;
        }
        if (opcode == Opcode.SASL_AUTH) {
            scram = Scram.of(mechanism, client.server().accounts());
        }
        Scram exchange = scram;
        if (exchange == null) {
            fail("", known(mechanism));
            return;
        }
        String text = new String(message, StandardCharsets.UTF_8);
        if (opcode == Opcode.SASL_AUTH) {
            String challenge = exchange.first(text);
            if (challenge == null) {
                fail("", mechanism);
            } else {
                byte[] bytes = BinaryProtocol.text(challenge);
                protocol.answer(Status.AUTH_CONTINUE, NOTHING, bytes, 0);
            }
            return;
        }
        String proof = client.mayTry(exchange.user()) ? exchange.last(text) : null;
        Account account = exchange.account();
        if (proof == null || account == null) {
            fail(exchange.user(), exchange.mechanism());
            return;
        }
        client.login(account, exchange.mechanism());
        scram = null;
        protocol.answer(Status.SUCCESS, NOTHING, BinaryProtocol.text(proof), 0);
    }

    /// The mechanism as the log shows it: a client may send anything in its place.
    private static String known(String mechanism) {
        boolean ours =
                mechanism.equals("PLAIN") || List.of(MECHANISMS.split(" ", -1)).contains(mechanism);
        return ours ? mechanism : "unknown";
    }

    private void fail(String user, String mechanism) {
        scram = null;
        client.refused(user, mechanism);
        protocol.answer(Status.AUTH_ERROR);
    }

    /// `[authzid] NUL name NUL password`.
    private void plain(String message) {
        int first = message.indexOf(0);
        int second = message.indexOf(0, first + 1);
        boolean known =
                first >= 0
                        && second > 0
                        && client.login(
                                message.substring(first + 1, second),
                                message.substring(second + 1),
                                "PLAIN");
        if (known) {
            protocol.answer(Status.SUCCESS, NOTHING, BinaryProtocol.text("Authenticated"), 0);
        } else {
            protocol.answer(Status.AUTH_ERROR);
        }
    }
}
