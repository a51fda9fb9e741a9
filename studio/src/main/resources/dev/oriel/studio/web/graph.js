// Vertices and edges as a picture that grows: pressing a vertex adds its neighbours. Arrow keys choose a vertex, Enter
// presses it.

import { fill, h } from "./dom.js";
import { count, many } from "./format.js";
import { untilGone } from "./upkeep.js";

/** Properties by which people know a thing. */
const NAMES = /^(name|title|code|caption)$/i;

const SHAPES = ["ellipse", "round-rectangle", "diamond", "hexagon"];
/** Keeps some hundred neighbours of one vertex apart. */
const REPULSION = 40_000;

const PALETTE = ["#17655f", "#b4541a", "#5a4fa3", "#9a2a5b", "#4c6b1f", "#1f5f9a", "#7a5a00"];

/**
 * @param {any[]} elements
 * @param {((id: string) => Promise<any[]>) | null} neighbours edges of a vertex; null if none can be asked for
 * @param {((ids: string[]) => Promise<any[]>) | null} vertices with their properties
 */
export function graphView(elements, neighbours, vertices) {
  const place = h("div.picture", { role: "application", tabindex: 0, "aria-label": `Graph of ${elements.length} elements. Arrow keys choose a vertex${neighbours ? ", Enter adds its neighbours" : ""}.` });
  const facts = h("p.dim", { role: "status", style: { padding: "0 12px" } }, neighbours ? "Press a vertex to add its neighbours." : "");
  const legend = h("div.legend");
  const drawn = draw(place, facts, legend, elements, neighbours, vertices);
  return {
    element: h("div", {}, legend, place, facts),
    /** Adds further results to the picture. */
    add: async (more) => (await drawn)(more),
  };
}

/** The library adds a style element unless there is one of this name; ours is in style.css. */
function hasStyle() {
  const id = "__________cytoscape_stylesheet";
  if (!document.getElementById(id)) document.head.appendChild(h("meta", { id }));
}

/** @returns a function that adds elements */
async function draw(place, facts, legend, elements, neighbours, vertices) {
  hasStyle();
  const { default: cytoscape } = await import("cytoscape");
  if (!place.isConnected) return async () => {}; // the view was left meanwhile: there is nothing to draw in
  const labels = [];
  const captions = new Map();
  const order = (label) => {
    if (!labels.includes(label)) labels.push(label);
    return labels.indexOf(label);
  };
  const colour = (label) => PALETTE[order(label) % PALETTE.length];
  const shape = (label) => SHAPES[Math.floor(order(label) / PALETTE.length) % SHAPES.length];
  const ink = getComputedStyle(document.body).color;

  const cy = cytoscape({
    container: place, maxZoom: 3,
    style: [
      { selector: "node", style: { "background-color": "data(colour)", shape: "data(shape)", label: "data(text)", color: ink, "font-size": 11, width: 26, height: 26, "text-valign": "bottom", "text-margin-y": 4, "min-zoomed-font-size": 6 } },
      { selector: "node:selected", style: { "border-width": 3, "border-color": ink } },
      { selector: "edge", style: { width: 1.5, "line-color": "#999", "target-arrow-color": "#999", "target-arrow-shape": "triangle", "curve-style": "bezier", label: "data(label)", "font-size": 9, "min-zoomed-font-size": 8, color: ink } },
    ],
  });

  untilGone(place, () => cy.destroy());

  /** The property that captions vertices of a label: a name if there is one, else the first. */
  function captionKey(label, properties) {
    if (!captions.has(label)) {
      const keys = Object.keys(properties ?? {});
      const key = keys.find((one) => NAMES.test(one)) ?? keys[0];
      if (key) captions.set(label, key);
    }
    return captions.get(label);
  }

  function caption(v) {
    const wanted = captionKey(v.label, v.properties);
    const text = wanted === "id" ? v.properties?.id ?? v.id : v.properties?.[wanted] ?? Object.values(v.properties ?? {})[0] ?? v.id;
    return String(text).slice(0, 24);
  }

  function styled(v) {
    const label = v.label ?? "";
    return label ? { vertex: v, text: caption(v), label, colour: colour(label), shape: shape(label) } : { text: String(v.id).slice(0, 24), label, colour: "#888", shape: "ellipse" };
  }

  function drawLegend() {
    fill(legend, labels.map((label) => {
      const nodes = cy.nodes().filter((node) => node.data("label") === label);
      const keys = [...new Set(nodes.map((node) => Object.keys(node.data("vertex")?.properties ?? {})).flat())];
      const pick = h("select", { "aria-label": `Caption of ${label}`, onchange: () => {
        captions.set(label, pick.value);
        nodes.forEach((node) => node.data("text", caption(node.data("vertex"))));
      } }, [...new Set([...keys, "id"])].map((key) => h("option", { selected: captions.get(label) === key }, key)));
      return h("span.entry", {}, h("span.swatch", { style: { background: colour(label) } }), `${label} (${count(nodes.length)}) `, pick);
    }));
  }

  function vertex(v) {
    const known = cy.getElementById(v.id);
    if (known.length) return name(v.label ? [v] : []);
    cy.add({ group: "nodes", data: { id: v.id, ...styled(v) } });
  }

  function add(all) {
    all.filter((e) => e.kind === "vertex").forEach(vertex);
    for (const edge of all.filter((e) => e.kind === "edge")) {
      vertex({ id: edge.out });
      vertex({ id: edge.in });
      const id = `edge ${edge.id}`;
      if (!cy.getElementById(id).length) cy.add({ group: "edges", data: { id, source: edge.out, target: edge.in, label: edge.label } });
    }
    cy.layout({ name: "cose", animate: false, nodeDimensionsIncludeLabels: true, fit: false, nodeRepulsion: () => REPULSION, idealEdgeLength: () => 70, nodeOverlap: 12 }).run();
    cy.fit(undefined, 30);
    if (cy.zoom() > 1.3) cy.zoom(1.3);
    cy.center();
    facts.textContent = `${many(cy.nodes().length, "vertex", "vertices")}, ${many(cy.edges().length, "edge")}.${neighbours ? " Press a vertex to add its neighbours." : ""}`;
  }

  async function addNamed(all) {
    add(all);
    const bare = cy.nodes().filter((node) => !node.data("label")).map((node) => node.id()).slice(0, 200);
    if (bare.length && vertices) {
      const named = await vertices(bare);
      if (cy.destroyed()) return; // the drawing was left meanwhile
      name(named);
    }
    drawLegend();
  }

  function name(all) {
    for (const v of all) {
      cy.getElementById(v.id).data(styled(v));
    }
  }

  /** Chooses the vertex that comes `step` after the one that is chosen. */
  function choose(step) {
    const nodes = cy.nodes();
    if (!nodes.length) return;
    const at = nodes.toArray().findIndex((node) => node.selected());
    const next = nodes[(Math.max(at, step > 0 ? -1 : 0) + step + nodes.length) % nodes.length];
    nodes.unselect();
    next.select();
    facts.textContent = `${next.data("label")} ${next.data("text")}, ${many(next.degree(false), "edge")} shown`;
  }

  async function expand(id) {
    try {
      const more = await neighbours(id);
      if (!cy.destroyed()) await addNamed(more);
    } catch (error) {
      facts.textContent = error.message;
    }
  }

  if (neighbours) cy.on("tap", "node", (event) => expand(event.target.id()));
  place.addEventListener("keydown", async (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step && event.key !== "Enter") return;
    event.preventDefault();
    const chosen = cy.nodes(":selected");
    if (step) choose(step);
    else if (neighbours && chosen.length) await expand(chosen[0].id());
  });
  await addNamed(elements); // keys are heard meanwhile: names may take their time
  return addNamed;
}
