package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A page in a browser without a window.
///
/// A test never acts on an element that it has found before, since the page may have replaced it: [#act] finds and acts
/// in one step, again and again until the page is ready for it. Nor does it read an answer once: it waits for it.
abstract class RemoteBrowser implements AutoCloseable {
    /// Whether a person could press `x`: it is in sight, can be pressed, and is no part of an answer that is being
    /// replaced.
    private static final String READY =
            "x.checkVisibility() && !x.disabled && !x.closest('[aria-busy=true]')";

    private static final long PAUSE_MILLIS_MAX = 50;

    private final RemoteSocket socket;

    /// Messages of the console and errors of scripts.
    final List<String> messages = new CopyOnWriteArrayList<>();

    RemoteBrowser(URI address) throws Exception {
        socket = new RemoteSocket(address, this::heard);
    }

    private void heard(JsonNode message) {
        String said = news(message);
        if (said != null) {
            messages.add(said);
        }
    }

    /// The result of a method of the protocol.
    final JsonNode ask(String method, ObjectNode parameters) throws Exception {
        return socket.ask(method, parameters);
    }

    final JsonNode ask(String method) throws Exception {
        return socket.ask(method);
    }

    abstract void go(String address) throws Exception;

    /// The value of an expression, which may be a promise.
    abstract JsonNode run(String script) throws Exception;

    /// Gives the page a size in pixels of CSS.
    abstract void size(int width, int height) throws Exception;

    /// Types text into the element that has the focus.
    abstract void type(String text) throws Exception;

    /// Presses a key, such as `Tab`.
    ///
    /// @param code the key's number in DOM events
    /// @param modifiers 2 for Ctrl, 8 for Shift, 0 for none
    abstract void press(String key, int code, int modifiers) throws Exception;

    /// A picture of the page as PNG.
    abstract byte[] picture() throws Exception;

    /// Whether a script has failed since its page was being replaced by another one.
    abstract boolean isReplaced(IllegalStateException failure);

    /// What a message that is no answer says; null if it is of no concern.
    abstract @Nullable String news(JsonNode message);

    /// Closes the page.
    abstract void end();

    static String json(String text) throws Exception {
        return Exchange.JSON.writeValueAsString(text);
    }

    /// Waits until an expression is true; one that throws is not yet.
    final void await(String script) throws Exception {
        repeat("(() => { try { return !!(" + script + "); } catch { return false; } })()", script);
    }

    /// Acts on the first element of `selector` that fits, once there is one that a person could press. It then waits
    /// until the page shows the address that the act has led to, if it has led to one.
    ///
    /// @param fits an expression of the element `x`
    /// @param act a statement about the element `it`
    final void act(String selector, String fits, String act) throws Exception {
        String script =
                """
                (() => {
                  const it = [...document.querySelectorAll(%s)].find((x) => (%s) && %s);
                  if (!it) return false;
                  const before = location.hash;
                  %s;
                  return location.hash === before || new Promise((done) => addEventListener("hashchange", () => done(true), { once: true }));
                })()
                """
                        .formatted(json(selector), fits, READY, act);
        repeat(script, act + " for " + selector + " with " + fits);
    }

    /// Presses the first element of `selector`.
    final void click(String selector) throws Exception {
        click(selector, "");
    }

    /// Presses the first element of `selector` whose text begins so.
    final void click(String selector, String text) throws Exception {
        act(
                selector,
                "x.textContent.trim().startsWith(" + json(text) + ")",
                "it.focus({ preventScroll: true }); it.click()");
    }

    /// Gives the focus to the first element of `selector`.
    final void focus(String selector) throws Exception {
        act(selector, "true", "it.focus()");
    }

    /// Chooses an option of a field by its value or by its number.
    final void choose(String selector, String property, String value) throws Exception {
        act(
                selector,
                "true",
                "it.%s = %s; it.dispatchEvent(new Event('change'))".formatted(property, value));
    }

    /// Shows the view of a place, such as `explore`, and waits for its sign. The view before it is gone then.
    final void show(String place, String sign) throws Exception {
        run(
                """
                new Promise((done) => {
                  const before = location.hash;
                  location.hash = %s;
                  if (location.hash === before) done(0);
                  else addEventListener("hashchange", () => done(0), { once: true });
                })
                """
                        .formatted(json("#/" + place)));
        await(sign);
    }

    /// Goes back in the history, or forward, to another view of the page.
    ///
    /// @param steps -1 for back, 1 for forward
    final void goThroughHistory(int steps) throws Exception {
        run(
                "new Promise((done) => { addEventListener('hashchange', () => done(0), { once: true }); history.go("
                        + steps
                        + "); })");
    }

    /// Runs a script until it is true.
    private void repeat(String script, String meaning) throws Exception {
        long deadline = System.nanoTime() + RemoteSocket.PATIENCE_NANOS;
        for (long pause = 2; !holds(script); pause = Math.min(2 * pause, PAUSE_MILLIS_MAX)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        meaning + " stays false on " + run("document.body.innerText") + messages);
            }
            TimeUnit.MILLISECONDS.sleep(pause);
        }
    }

    /// A page that is being replaced gives no answer.
    private boolean holds(String asked) throws Exception {
        try {
            return run(asked).asBoolean();
        } catch (IllegalStateException e) {
            if (isReplaced(e)) {
                return false;
            }
            throw e;
        }
    }

    /// Closes the page and its connection.
    @Override
    public final void close() {
        try {
            end();
        } finally {
            socket.close();
        }
    }
}
