// Frames of profiles: their names, their layers and the colours of these. Shared by the static reports and the
// studio, as the modules beside it are.

/**
 * A node of a profile's tree, with children from the heaviest on.
 *
 * @typedef {object} Frame
 * @property {string} name
 * @property {number} total
 * @property {number} self
 * @property {Frame | null} parent
 * @property {number} depth
 * @property {Frame[]} children
 * @property {boolean} [top] whether it is the root, which is no method
 * @property {number} [before] its total in the other profile, if two are compared
 * @property {number} [calls]
 */

const HUES = [212, 158, 32, 268, 350, 96, 186, 300, 54, 236, 12, 122, 198, 318, 70, 252, 172, 338, 44, 284, 108, 224, 20, 142];

/** From this hue on colours are darker, so that near hues can be told apart. */
const DARKER = 10;

/** A method's name in two parts: its package, and the rest. */
export function split(name) {
  const line = name.lastIndexOf(":");
  const plain = line > 0 && /^\d+$/.test(name.slice(line + 1)) ? name.slice(0, line) : name;
  const method = plain.lastIndexOf(".");
  const owner = plain.lastIndexOf(".", method - 1);
  return owner > 0
    ? { layer: name.slice(0, owner), rest: name.slice(owner + 1) }
    : { layer: method > 0 ? name.slice(0, method) : "", rest: name };
}

/** What starts a program's own frames: threads, pools, reflection, test runners and build tools. */
const LAUNCHERS = /^(java\.lang\.(Thread|VirtualThread|reflect|invoke)[.$]|java\.util\.(concurrent\.|TimerThread\.)|jdk\.internal\.(reflect|vm)\.|sun\.launcher\.|org\.(junit|openjdk\.jmh|apache\.maven|codehaus\.plexus|gradle|springframework\.boot\.loader)\.|worker\.org\.gradle\.|com\.intellij\.)/;

/** Whether a frame starts others, if it is at the beginning of a stack. */
export function isLauncherFrame(name) {
  return LAUNCHERS.test(name);
}

/** Whether a frame is of a program, not of the JDK or of a launcher. */
export function isOwnFrame(name) {
  return !LAUNCHERS.test(name) && !/^(java|javax|jdk|sun|com\.sun)\./.test(name);
}

/** The number of frames at the beginning of a stack that only start a program's own; 0 if it has none of these. */
export function launcherFrames(names) {
  return names.some(isOwnFrame) ? names.findIndex((name) => !LAUNCHERS.test(name)) : 0;
}

/** Whether a node is the line of the method above it. */
export function isLine(node) {
  return Boolean(node.parent && !node.parent.top && node.name.startsWith(`${node.parent.name}:`));
}

/** The pattern of a search: a regular expression, if it is one and more than a name. Names hold dots and dollar signs. */
export function searchPattern(text) {
  const literal = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
  if (/^[\w.$<>:-]*$/.test(text)) return literal;
  try {
    return new RegExp(text, "i");
  } catch {
    return literal; // a name as it is typed, such as "run("
  }
}

const knownLayers = new Map();

/** The package of a method; the JDK's are one. */
export function layerOf(name) {
  let layer = knownLayers.get(name);
  if (layer === undefined) {
    layer = split(name).layer;
    if (/^(java|javax|jdk|sun|com\.sun)(\.|$)/.test(layer)) layer = "JDK";
    knownLayers.set(name, layer);
  }
  return layer;
}

export function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** The value of one of the page's variables, such as `--ink`. */
export function pageStyle(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function wobble(name) {
  let hash = 7;
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) | 0;
  return ((hash >>> 4) % 7) - 3;
}

/** Colours of layers: those with the most time have hues of their own, as many as there are hues. */
export class Colours {
  /** @param {Map<string, number>} weights of layers */
  constructor(weights) {
    this.order = [...weights.keys()].filter((layer) => layer !== "JDK" && layer !== "");
    this.order.sort((a, b) => weights.get(b) - weights.get(a));
    this.hues = new Map(this.order.slice(0, HUES.length).map((layer, i) => [layer, { hue: HUES[i], dark: i < DARKER ? 0 : 9 }]));
    this.jdk = weights.has("JDK");
  }

  /** @param {Frame[]} roots of trees that share their colours */
  static ofTrees(roots) {
    const weights = new Map();
    for (const root of roots) {
      const open = [root];
      while (open.length) {
        const node = open.pop();
        if (!node.top && root.total > 0) {
          const layer = layerOf(node.name);
          weights.set(layer, (weights.get(layer) || 0) + node.self / root.total + 1e-9);
        }
        for (const child of node.children) open.push(child);
      }
    }
    return new Colours(weights);
  }

  /** @param {{stack: string, weight: number}[]} stacks */
  static ofStacks(stacks) {
    const weights = new Map();
    const add = (layer, weight) => weights.set(layer, (weights.get(layer) || 0) + weight);
    for (const { stack, weight } of stacks) {
      const frames = stack.split(";");
      for (const frame of frames) add(layerOf(frame), 1e-9);
      add(layerOf(frames[frames.length - 1]), Number(weight));
    }
    return new Colours(weights);
  }

  colour(name, strong) {
    const known = this.hues.get(layerOf(name));
    const shade = (strong ? 0 : wobble(name)) - (known ? known.dark : 0);
    const dark = isDark();
    if (known === undefined) return dark ? `hsl(215 8% ${31 + shade}%)` : `hsl(215 10% ${84 + shade / 2}%)`;
    return dark ? `hsl(${known.hue} 30% ${(strong ? 52 : 33) + shade}%)` : `hsl(${known.hue} ${strong ? 45 : 52}% ${(strong ? 62 : 79) + shade / 2}%)`;
  }

  /** What the colours mean: pairs of a layer and its colour. */
  legend() {
    const all = [...this.hues.keys()].map((layer) => [layer, this.colour(`${layer}.x.y`, true)]);
    if (this.jdk) all.push(["JDK", this.colour("java.x.y", true)]);
    if (this.order.length > HUES.length) all.push(["other", this.colour("", true)]);
    return all;
  }
}

/** The colour of a frame whose share of all has changed: red if it has grown, blue if it has shrunk. */
export function changeColour(node, whole, wholeBefore) {
  const now = whole > 0 ? node.total / whole : 0;
  const then = wholeBefore > 0 ? node.before / wholeBefore : 0;
  const much = Math.min(1, Math.abs(now - then) / 0.1);
  const dark = isDark();
  if (much < 0.02) return dark ? "hsl(215 8% 31%)" : "hsl(215 10% 88%)";
  return dark ? `hsl(${now > then ? 8 : 214} ${20 + 50 * much}% ${30 + 14 * much}%)` : `hsl(${now > then ? 8 : 214} ${40 + 45 * much}% ${88 - 18 * much}%)`;
}
