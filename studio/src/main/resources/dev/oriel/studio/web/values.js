// A long value to its end.

import { h } from "./dom.js";
import { count } from "./format.js";
import { save } from "./export.js";

/** Characters that a browser lays out at once; the rest of a longer value is in the file. */
const SHOWN_MAX = 200_000;

/** The text, or its beginning and a way to save all of it as a file of this name. */
export function wholeText(text, name) {
  if (text.length <= SHOWN_MAX) return h("pre", {}, text);
  return h("div", {}, h("p", {}, `The first ${count(SHOWN_MAX)} of ${count(text.length)} characters. `,
    h("button", { type: "button", onclick: () => save(`${name.replace(/[^\w-]+/g, "-").slice(0, 60)}.txt`, "text/plain", text) }, "Save all as a file")), h("pre", {}, text.slice(0, SHOWN_MAX)));
}
