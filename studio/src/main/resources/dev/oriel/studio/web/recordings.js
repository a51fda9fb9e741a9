// Recordings of the session: made here or opened from files, looked at, compared, exported.

import { h, fill, problem, say } from "./dom.js";
import { get, post, upload } from "./api.js";
import { count, many, percent, time, amount } from "./format.js";
import { exportPage, save } from "./export.js";
import { flames } from "./flames.js";
import { methodSums } from "./trees.js";
import { drawRatio, drawTicks, LogAxis } from "./axes.js";
import { inTurn, newest } from "./turns.js";

const PART_BYTES = 2 << 20;

/** A table of the recordings with what can be done with them; `leave` ends what is recorded after the present one. */
export function recordingsPanel() {
  const table = h("div");
  const trouble = h("div", { "aria-live": "polite" });
  const sides = new Map();
  /** Rows of the table by recording. They stay while their recording is there: one of their fields may be in use. */
  const lines = new Map();
  const rows = h("tbody");
  const drawing = newest();
  const change = inTurn();
  const name = h("input", { value: "before", "aria-label": "Name", size: 12 });
  const runs = h("input", { type: "number", value: "5", min: "1", max: "50", "aria-label": "Number of recordings", size: 4 });
  const seconds = h("input", { type: "number", value: "4", min: "1", max: "600", "aria-label": "Seconds each", size: 4 });
  let stopped = false;
  const start = h("button.primary", { type: "button", onclick: () => record() }, "Record");
  const files = h("input", { type: "file", multiple: true, id: "recording-files", tabindex: -1, class: "visually-hidden", onchange: () => open([...files.files]) });
  const element = h("div.drop", {
    ondragover: (event) => { event.preventDefault(); element.classList.add("over"); },
    ondragleave: () => element.classList.remove("over"),
    ondrop: (event) => {
      event.preventDefault();
      element.classList.remove("over");
      open([...event.dataTransfer.files]);
    },
  },
  h("section.panel", {}, h("h2", {}, "Did a change help?"),
    h("p", {}, "Record the program as it is, make the change, record again under another name, and compare. Several recordings of each give an interval."),
    h("p", {}, "as ", name, " ", runs, " times ", seconds, " seconds ", start), trouble),
  h("section.panel", {}, h("h2", {}, "Recordings"), table,
    h("p.dim", {}, "Drop files here, or ", files, h("label.button", { for: "recording-files", tabindex: 0, role: "button", onkeydown: (e) => (e.key === "Enter" || e.key === " ") && files.click() }, "open files"), ": .orun, .jfr, .pb.gz, collapsed stacks, hprof text.")));

  async function guarded(body) {
    try {
      await body();
    } catch (error) {
      fill(trouble, problem(error));
    }
  }

  const record = () => guarded(async () => {
    start.disabled = true;
    try {
      stopped = false;
      for (let i = 1; i <= Number(runs.value) && !stopped; i++) {
        fill(trouble, h("p", {}, `Recording ${i} of ${runs.value}, ${seconds.value} s each. Let the program work meanwhile. `, h("button", { type: "button", onclick: (e) => { stopped = true; e.target.disabled = true; } }, "Stop after this one")));
        await post("recordings/record", { name: name.value, seconds: Number(seconds.value) });
        await draw();
      }
      fill(trouble);
      if (name.value === "before") name.value = "after";
    } finally {
      start.disabled = false;
    }
  });

  const open = (chosen) => guarded(async () => {
    const failed = [];
    for (const file of chosen) {
      fill(trouble, h("p", {}, `Opening ${file.name} \u2026`));
      await send(file).catch((error) => failed.push(error));
    }
    fill(trouble, failed.map(problem));
    say(`${many(chosen.length - failed.length, "file")} opened`);
    await draw();
  });

  async function draw() {
    const wanted = drawing();
    const { recordings } = await get("recordings");
    if (!wanted()) return; // they were asked for again after another change
    const names = [...new Set(recordings.map((r) => r.name))];
    for (const r of recordings) if (!sides.has(r.id)) sides.set(r.id, names.indexOf(r.name) === 0 ? "a" : names.indexOf(r.name) === 1 ? "b" : "");
    for (const [id, { element: gone }] of lines) {
      if (recordings.some((r) => r.id === id)) continue;
      gone.remove();
      lines.delete(id);
    }
    for (const r of recordings) {
      if (!lines.has(r.id)) {
        lines.set(r.id, line(r));
        rows.append(lines.get(r.id).element);
      }
      lines.get(r.id).tell(r);
    }
    if (!recordings.length) fill(table, h("p.dim", {}, "None yet."));
    else if (!rows.isConnected) drawTable();
  }

  function drawTable() {
    const compare = h("button.primary", { type: "button", onclick: () => {
      const of = (side) => [...lines.keys()].filter((id) => sides.get(id) === side).join(",");
      if (of("a") && of("b")) location.hash = `#/profile/compare/${of("a")}/${of("b")}`;
      else say("Choose a recording for A and one for B");
    } }, "Compare A with B");
    fill(table, h("table.figures", {}, h("thead", {}, h("tr", {}, ["Name", "Lasted", "Samples", "Calls", "Statements", "Compare as", ""].map((t, i) => h("th", { class: i > 0 && i < 5 ? "number" : "" }, t)))), rows), h("p", {}, compare));
  }

  /** A change of recordings, and then the table. Their order matters: a recording may be named and then removed. */
  const changed = (path, body) => guarded(async () => {
    await change(() => post(path, body));
    await draw();
  });

  function line(r) {
    const side = h("select", { "aria-label": `Side of recording ${r.id}`, onchange: () => sides.set(r.id, side.value) },
      [["", "\u2013"], ["a", "A (before)"], ["b", "B (after)"]].map(([value, text]) => h("option", { value, selected: sides.get(r.id) === value }, text)));
    const called = h("input", { value: r.name, "aria-label": `Name of recording ${r.id}`, size: 14, onchange: () => changed("recordings/name", { id: r.id, name: called.value }) });
    const element = h("tr", {}, h("td", {}, h("a", { href: `#/profile/recording/${r.id}`, title: "Show it" }, `#${r.id}`), " ", called),
      [lasted(r), count(r.samples), count(r.calls), r.operations > 0 ? count(r.operations) : ""].map((v) => h("td.number", {}, v)),
      h("td", {}, side), h("td", {}, h("button.plain", { type: "button", "aria-label": `Remove recording ${r.id}`, onclick: () => changed("recordings/remove", { id: r.id }) }, "Remove")));
    return { element, tell: ({ name: now }) => { if (document.activeElement !== called) called.value = now; } };
  }

  guarded(draw);
  return { element, leave: () => { stopped = true; } };
}

/** How long a recording lasted, if its file says so: collapsed stacks do not. */
function lasted(recording) {
  return recording.wall_ms > 0 ? time(recording.wall_ms) : "";
}

/** Sends a file in parts. */
async function send(file) {
  let id;
  for (let from = 0; from === 0 || from < file.size; from += PART_BYTES) {
    const last = from + PART_BYTES >= file.size;
    id = (await upload("recordings/upload", { name: file.name, id, last: last || null }, file.slice(from, from + PART_BYTES))).id;
  }
}

/** One recording: flame graph of each clock, its methods. */
export async function showRecording(body, id) {
  const all = await get("recordings/show", { id });
  const place = h("div");
  const pick = h("select", { "aria-label": "Clock", onchange: () => draw() }, all.clocks.map((c) => h("option", {}, c.title)));
  const calls = new Map(all.methods.map((m) => [m.frame, m.calls]));

  function draw() {
    const clock = all.clocks[pick.selectedIndex];
    fill(place, flames(clock.stacks, clock.unit).element, methodTable(clock, calls));
  }

  fill(body, h("div.bar", {}, h("h2.title", {}, all.name), h("span.dim", {}, [lasted(all), many(all.samples, "sample"), many(all.calls, "call")].filter(Boolean).join(", ")),
    h("button", { type: "button", onclick: () => download("GET", "recordings/page", { id }, `${all.name}.html`) }, "Export as a page")),
  h("div.scroll", {}, all.notes.map((n) => h("p.dim", {}, n)), all.clocks.length ? [h("p", {}, pick), place] : h("div.empty", {}, "The recording holds no sample and no call.")));
  if (all.clocks.length) draw();
}

function methodTable(clock, calls) {
  const { sums, whole } = methodSums(clock.stacks);
  const rows = [...sums].sort((a, b) => b[1].self - a[1].self).slice(0, 200);
  return h("table.figures", {}, h("thead", {}, h("tr", {}, h("th", {}, "Method"), ["Own", "Share", "With callees", "Calls"].map((t) => h("th.number", {}, t)))),
    h("tbody", {}, rows.map(([name, { self, total }]) => h("tr", {}, h("td", {}, h("code", {}, name)),
      [amount(self, clock.unit), percent(self / whole), amount(total, clock.unit), calls.has(name) && clock.title === "Exact calls" ? count(calls.get(name)) : ""].map((v) => h("td.number", {}, v))))));
}

/** Recordings as they are shown. */
function shown(ids) {
  return Promise.all(ids.map((id) => get("recordings/show", { id })));
}

/** Stacks of several recordings in the measure of this title, together. */
function stacksOf(all, title) {
  const clocks = all.flatMap((one) => one.clocks.filter((c) => c.title === title));
  return { unit: clocks[0]?.unit ?? "samples", stacks: clocks.flatMap((c) => c.stacks) };
}

/** B's flame graph, coloured by what each frame's share was in A. */
async function differenceFlames(place, sides) {
  const [a, b] = await Promise.all([shown(sides.a), shown(sides.b)]);
  // The first measure that both sides have: units are not added.
  const title = a.flatMap((one) => one.clocks.map((c) => c.title)).find((t) => b.some((one) => one.clocks.some((c) => c.title === t)));
  const before = stacksOf(a, title);
  const after = stacksOf(b, title);
  if (before.stacks.length && after.stacks.length) {
    fill(place, h("section.after", {}, h("h2", {}, `B's flame graph (${title}), coloured by A`), flames(after.stacks, after.unit, { before: before.stacks }).element));
  }
}

async function download(method, path, parameters, name) {
  const query = method === "GET" ? `?${new URLSearchParams(parameters)}` : "";
  const response = await fetch(`/api/v1/${path}${query}`, method === "GET" ? {} : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(parameters) });
  if (!response.ok) return say((await response.json()).error.message);
  save(name, "text/html", await response.text());
}

/** Recordings B against recordings A: one sentence, causes, methods with intervals. */
export async function compareRecordings(body, a, b) {
  const ids = (text) => text.split(",").map(Number);
  const sides = { a: ids(a), b: ids(b) };
  fill(body, h("div.empty", {}, "Comparing \u2026"));
  const all = await post("recordings/compare", sides);
  const drawn = h("div");
  const results = h("div.scroll", {}, all.comparisons.map((one, i) => comparison(one, all.texts[i], all)), drawn);
  fill(body, h("div.bar", {}, h("h2.title", {}, "Comparison"), h("button", { type: "button", onclick: () => download("POST", "recordings/compare", { ...sides, page: true }, "comparison.html") }, "Export with flame graphs"),
    h("button.plain", { type: "button", onclick: () => exportPage(results, "Comparison") }, "Export this view")), results);
  await differenceFlames(drawn, sides);
}

function comparison(one, text, all) {
  const measures = [...new Set(one.methods.map((m) => m.measure))];
  const place = h("div");
  const pick = h("select", { "aria-label": "Measure", onchange: () => draw() }, measures.map((m) => h("option", { value: m }, words(m))));

  function draw() {
    const rows = one.methods.filter((m) => m.measure === pick.value);
    fill(place, differences("Method", rows.map((m) => [h("code", {}, m.method), m.total, m.unit])));
  }

  const [headline, ...lines] = text.trim().split("\n");
  const section = h("div", {}, one.name ? h("h2", {}, one.name) : null, h("p.verdict", { class: one.verdict }, headline),
    h("p.dim", {}, `A: ${all.a}`, h("br"), `B: ${all.b}`), lines.slice(2).map((l) => h("p.line", {}, l.trim())),
    one.operation.length ? differences("The operation", one.operation.map((m) => [words(m.measure), m, m.unit])) : null,
    measures.length ? h("section.after", {}, h("h2", {}, "Methods by ", pick), h("p.dim", {}, "Coloured if the whole interval lies outside of \u00b12 % and it stands out among all methods."), place) : h("p.dim", {}, "No method makes up half a percent of the operation."));
  if (measures.length) draw();
  return section;
}

function words(measure) {
  return { time: "time in calls", work: "processor time in calls", cpu: "processor time", bytes: "allocation", blocked: "time blocked", waiting: "time waiting", run_queue: "waiting for a processor", wall: "wall time", cpu_share: "share of processor time", bytes_share: "share of allocation" }[measure] ?? measure;
}

/** A table of differences, whose ratios are drawn on one axis. */
function differences(first, rows) {
  const axis = LogAxis.ofRatios(rows.map(([, { ratio }]) => (ratio === null ? NaN : Number(ratio))));
  return h("div.wide-table", { tabindex: 0, role: "region", "aria-label": first }, h("table.figures", {}, h("thead", {}, h("tr", {}, h("th", {}, first), ["A", "B", "B / A", "Interval"].map((t) => h("th.number", {}, t)),
    h("th", {}, h("span.visually-hidden", {}, "Drawn")), h("th", {}, "Verdict"))), h("tbody", {}, rows.map((each) => row(axis, ...each)))));
}

function track(axis, { ratio, low, high, verdict }) {
  const place = h("span.t");
  drawTicks(place, axis, [1]);
  if (ratio !== null) drawRatio(place, axis, { value: Number(ratio), low, high }, verdict);
  return place;
}

function row(axis, name, difference, unit) {
  const sure = ["slower", "faster", "new", "gone"].includes(difference.verdict);
  const kind = !sure ? "" : ["slower", "new"].includes(difference.verdict) ? "worse" : "better";
  const figure = (v) => (v === null ? "" : Number(v).toPrecision(3));
  return h("tr", { class: kind }, h("td", {}, name), [amount(difference.a, unit), amount(difference.b, unit), figure(difference.ratio), difference.low === null ? "none" : `${figure(difference.low)} \u2013 ${figure(difference.high)}`].map((v) => h("td.number", {}, v)),
    h("td.ratio", {}, track(axis, difference)), h("td", {}, difference.verdict === "unknown" && difference.morePairs ? `unknown, ${many(difference.morePairs, "run")} more` : difference.verdict));
}
