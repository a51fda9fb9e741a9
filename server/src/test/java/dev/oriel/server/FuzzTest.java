package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Requests in order, damaged, cut and invented, in pieces of any size, straight into the decoders: no
/// exception, no endless loop, whole answers, and the same ones however the bytes are cut. `-Dfuzz=` says
/// how many; [JazzerTest] does the same with an eye on the code that is reached.
final class FuzzTest {
    @RegisterExtension final Served served = new Served();

    private static final int ROUNDS = Integer.getInteger("fuzz", 3_000);

    @ParameterizedTest
    @EnumSource(FuzzTargets.Target.class)
    void nothingThatIsSentBreaksADecoder(FuzzTargets.Target target) {
        Gen gen = new Gen(Seed.of("FuzzTest." + target, 11));
        boolean slow = target == FuzzTargets.Target.LOGIN; // it is meant to take long
        for (int i = slow ? ROUNDS / 10 : ROUNDS; i > 0; i--) {
            byte[] input = FuzzInputs.of(target, gen);
            try {
                target.run(input);
            } catch (RuntimeException e) {
                String base64 = Base64.getEncoder().encodeToString(input);
                throw new AssertionError(target + " with " + base64, e);
            }
        }
        FuzzTargets.close();
    }

    private OrielServer server() {
        return served.start(
                ServerOptions.defaults().withPorts(-1, -1, -1).withUsers(Map.of("u", "p")));
    }

    @Test
    void answersAreTheSameHoweverTheBytesAreCut() {
        OrielServer server = server();
        byte[] bytes =
                String.join(
                                "\r\n",
                                "set a 1 0 3",
                                "abc",
                                "get a b",
                                "incr a 1",
                                "mg a v s",
                                "ms c 2 q",
                                "hi",
                                "delete a",
                                "foo",
                                "set z 0 0 1",
                                "xy",
                                "")
                        .getBytes(StandardCharsets.UTF_8);
        String whole = answers(server, bytes, bytes.length);
        assertTrue(whole.startsWith("STORED\r\nVALUE a 1 3\r\nabc\r\nEND\r\n"), whole);
        for (int piece = 1; piece < bytes.length; piece++) {
            assertEquals(whole, answers(server, bytes, piece), "pieces of " + piece);
        }
    }

    private static String answers(OrielServer server, byte[] bytes, int piece) {
        Client client = new Client(server, Listener.MEMCACHED, new Peer("", true));
        Account account = server.accounts().of("u");
        assertTrue(account != null);
        client.login(account, "test");
        TextProtocol protocol = new TextProtocol(client);
        Input in = new Input();
        Output out = new Output();
        for (int at = 0; at < bytes.length; at += piece) {
            in.add(Unpooled.copiedBuffer(bytes, at, Math.min(piece, bytes.length - at)));
            protocol.run(in, out, true);
        }
        protocol.close();
        ByteBuf all = out.take(UnpooledByteBufAllocator.DEFAULT, Integer.MAX_VALUE);
        assertTrue(all != null);
        String text = all.toString(StandardCharsets.UTF_8);
        all.release();
        return text;
    }
}
