// Records a run that knows its statements: of the whole program, of one session or of one kind of statement.

import { h, fill, problem, say } from "./dom.js";
import { get, post } from "./api.js";
import { recordingsPanel } from "./recordings.js";

const KINDS = ["cpu", "alloc", "locks", "parks", "io", "gc", "tree"];
const STATEMENTS_MAX = 50;

/** @typedef {{session?: string, statement?: string}} Part */

/**
 * Shows the recorder in `body`; returns what ends it.
 *
 * @param {HTMLElement} body
 * @param {any[]} runs
 * @param {Part} [part] the session or the statement to record at first
 */
export function recorder(body, runs, part = {}) {
  const boxes = KINDS.map((kind) => {
    const input = h("input", { type: "checkbox", id: `kind-${kind}`, checked: kind === "cpu" || kind === "tree" });
    return { kind, input };
  });
  const seconds = h("input", { type: "number", value: "10", min: "1", max: "600", "aria-label": "Seconds", size: 5 });
  const state = h("p", { role: "status" });
  const start = h("button.primary", { type: "button", onclick: record }, "Record");
  const end = h("button", { type: "button", disabled: true, onclick: () => stop() }, "Stop");
  const parts = partChoice(part, allowed);
  let timer = 0;
  let run = 0;
  let left = false;

  /** The exact tree is of all sessions. */
  function allowed() {
    const tree = boxes.find((box) => box.kind === "tree").input;
    tree.disabled = Boolean(parts.element.value);
    if (tree.disabled) tree.checked = false;
  }

  async function record() {
    start.disabled = true;
    try {
      const most = Math.min(Number(seconds.value), Number(seconds.max));
      const what = boxes.filter((b) => b.input.checked).map((b) => b.kind).join(",");
      const started = await post("profile/start", { what, seconds: most + 5, ...parts.chosen() });
      run = started.run;
      if (left) {
        await post("profile/stop", { run });
        return;
      }
      end.disabled = false;
      const until = performance.now() + 1000 * most;
      const tell = () => {
        const rest = Math.ceil((until - performance.now()) / 1000);
        if (rest <= 0) stop();
        else fill(state, `Recording: ${rest} s left. Let the program work meanwhile.`);
      };
      timer = setInterval(tell, 1000);
      tell();
    } catch (error) {
      if (left) say(error.message);
      fill(state, problem(error));
      start.disabled = false;
    }
  }

  /** Ends the recording and shows it, unless the view was left meanwhile. */
  async function stop() {
    clearInterval(timer);
    timer = 0;
    end.disabled = true;
    try {
      await post("profile/stop", { run });
      if (!left) location.hash = `#/profile/${run}`;
    } catch (error) {
      fill(state, problem(error));
      start.disabled = false;
    }
  }

  /** A recording ends with its view, and with the page. One that has not begun yet ends when it has. */
  function leave() {
    left = true;
    if (!timer) return;
    clearInterval(timer);
    timer = 0;
    post("profile/stop", { run }).catch((error) => say(error.message));
  }

  function closed() {
    if (timer) navigator.sendBeacon("/api/v1/profile/stop", JSON.stringify({ run }));
  }

  const panel = recordingsPanel();
  const statements = h("section.panel", {}, h("h2", {}, "Which statement, which method?"),
    h("p", {}, "One run that knows the statements of its samples."),
    h("p", {}, h("label", {}, "of ", parts.element)),
    h("p", {}, boxes.map((b) => [h("span.together", {}, b.input, h("label", { for: b.input.id }, ` ${b.kind}`)), "  "])), h("p", {}, "for ", seconds, " seconds ", start, " ", end), state);
  fill(body, h("div.scroll", {}, parts.element.value ? [statements, panel.element] : [panel.element, statements],
    runs.length ? null : h("p.dim", {}, "cpu samples the methods that run, alloc what they allocate; locks, parks and io show what threads wait for; tree counts and times the layers of the engine exactly.")));
  allowed();
  addEventListener("pagehide", closed);
  return () => {
    removeEventListener("pagehide", closed);
    leave();
    panel.leave();
  };
}

/**
 * A choice of everything, one session or one kind of statement.
 *
 * @param {Part} part
 * @param {() => void} onchange
 */
function partChoice(part, onchange) {
  const first = part.session ? `session ${part.session}` : part.statement ? `statement ${part.statement}` : "";
  const element = h("select", { onchange });
  const option = (value, text) => h("option", { value, selected: value === element.dataset.wanted }, text);

  function draw(sessions, statements) {
    element.dataset.wanted = element.value || first;
    const known = [...sessions.map((s) => [`session ${s.session}`, `session ${s.session}: ${line(s.statement ?? s.state)}`]), ...statements.map((s) => [`statement ${s.fingerprint}`, line(s.statement)])];
    const group = (label, kind) => (known.some(([value]) => value.startsWith(kind)) ? h("optgroup", { label }, known.filter(([value]) => value.startsWith(kind)).map(([value, text]) => option(value, text))) : null);
    const { wanted } = element.dataset;
    fill(element, option("", "everything"), wanted && !known.some(([value]) => value === wanted) ? option(wanted, wanted) : null, group("One session", "session "), group("One kind of statement", "statement "));
  }

  draw([], []);
  get("observe").then((now) => draw(now.sessions, now.statements.slice(0, STATEMENTS_MAX)), (error) => say(error.message));
  return {
    element,
    /** The fields of the request. */
    chosen() {
      const [kind, name] = element.value.split(" ");
      return kind === "session" ? { session: Number(name) } : kind === "statement" ? { fingerprint: name } : {};
    },
  };
}

function line(text) {
  return String(text).replace(/\s+/g, " ").slice(0, 90);
}
