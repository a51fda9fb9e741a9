// Saves what is shown as one HTML file that opens without a network and runs no script.

import { h, say } from "./dom.js";

/** Saves text as a file, by the browser. */
export function save(name, type, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(`${name} is saved by the browser`);
}

/** Saves a copy of `element` with its styles and pictures as a page. */
export async function exportPage(element, title) {
  const copy = element.cloneNode(true);
  const drawn = element.querySelectorAll("canvas");
  copy.querySelectorAll("canvas").forEach((canvas, i) => {
    const { width, height } = drawn[i];
    canvas.replaceWith(h("img", { src: width && height ? drawn[i].toDataURL("image/png") : "", alt: canvas.getAttribute("aria-label") ?? "drawing", style: { maxWidth: "100%" } }));
  });
  copy.querySelectorAll("button.primary, select, input, script, .unsaved").forEach((part) => part.remove());
  copy.querySelectorAll("button").forEach((button) => button.replaceWith(h("span", {}, button.textContent)));
  copy.querySelectorAll("a").forEach((link) => link.replaceWith(h("span", {}, link.textContent)));
  const styles = await (await fetch("/style.css")).text();
  const page = document.implementation.createHTMLDocument(title);
  page.documentElement.lang = "en";
  page.documentElement.dataset.theme = document.documentElement.dataset.theme;
  const head = [["http-equiv", "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:"], ["name", "viewport", "width=device-width, initial-scale=1"]];
  for (const [key, value, content] of head) page.head.appendChild(h("meta", { [key]: value, content }));
  page.head.appendChild(h("meta", { charset: "utf-8" }));
  page.body.appendChild(h("main", {}, h("h1", {}, title), h("p.dim", {}, `Saved ${new Date().toLocaleString()}`), copy));
  // A style element made here would be refused by this page's own policy, which a text is not.
  const style = `<style>${styles}\nhtml, body { height: auto; } main { display: block; padding: 16px; }</style></head>`;
  const text = page.documentElement.outerHTML.replace("</head>", () => style);
  save(`${title.replace(/[^\w-]+/g, "-").slice(0, 60)}.html`, "text/html", `<!doctype html>\n${text}`);
}
