// Makes elements. Children and values are text, never markup.

/**
 * The type of element that a tag such as "div.row" makes.
 *
 * @template {string} T
 * @typedef {(T extends `${infer N}.${string}` ? N : T) extends infer N ? N extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[N] : HTMLElement : never} Made
 */

/**
 * @template {string} T
 * @param {T} tag name of the element, with classes behind dots: "div.row.selected"
 * @param {Record<string, any>} [attributes] attributes; `on...` are listeners, `style` an object
 * @param {...any} children elements, text, null, or arrays of these
 * @returns {Made<T>}
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = /** @type {any} */ (document.createElement(name));
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") Object.assign(element.style, value);
    else if (key === "class") element.className = `${element.className} ${value}`.trim();
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.appendChild(child);
    else if (child !== null && child !== undefined && child !== false) {
      element.appendChild(document.createTextNode(String(child)));
    }
  }
}

/** Replaces what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** As fill, but the focus and opened details stay with the elements of the same `data-key` or `data-open`. */
export function refill(element, ...children) {
  const active = /** @type {HTMLElement} */ (document.activeElement);
  const focused = element.contains(active) ? active.dataset.key : null;
  const open = new Set([...element.querySelectorAll("details[open]")].map((details) => details.dataset.open));
  fill(element, ...children);
  for (const details of element.querySelectorAll("details")) details.open = open.has(details.dataset.open);
  if (focused) [...element.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused)?.focus({ preventScroll: true });
  return element;
}

let hiding = 0;

/** Shows a sentence at the foot of the page for four seconds. */
export function say(text) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.add("shown");
  clearTimeout(hiding);
  hiding = setTimeout(() => status.classList.remove("shown"), 4000);
}

/** An error as a box of text. */
export function problem(error) {
  const state = error.state ? `${error.state}: ` : "";
  return h("div.error", { role: "alert" }, `${state}${error.message}`);
}
