// The page: which view an address shows, and light or dark.

import { fill, h, problem, say } from "./dom.js";
import { ApiError, get } from "./api.js";
import { explore } from "./explore.js";
import { keepLocally } from "./history.js";
import { observe } from "./observe.js";
import { profile } from "./profile.js";

let leave = null;
let shown = 0;

/** Views by the first part of the address; the editor is loaded when it is first shown. */
const views = {
  explore: () => explore,
  observe: () => observe,
  profile: () => profile,
  why: async () => (await import("./why.js")).why,
  ask: async () => (await import("./ask.js")).ask,
};

/** A new place for a view: one that was left may still wait for an answer, and would draw it over the next view. */
function newPlace() {
  const old = document.getElementById("view");
  const place = /** @type {HTMLElement} */ (old.cloneNode(false));
  old.replaceWith(place);
  return place;
}

/** A part of the address; one that was mistyped stays as it is. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function show() {
  const [name, ...rest] = location.hash.replace(/^#\//, "").split("/").map(decoded);
  const mine = ++shown;
  leave?.();
  leave = null;
  for (const link of document.querySelectorAll("#tabs a")) {
    const here = link.getAttribute("href") === `#/${name || "explore"}`;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const view = newPlace();
  try {
    const open = await (views[name] ?? views.explore)();
    if (mine !== shown) return;
    const end = await open(view, rest);
    if (typeof end === "function") {
      if (mine === shown) leave = end;
      else end(); // another view was opened meanwhile
    }
  } catch (error) {
    if (mine === shown) fill(view, h("div.scroll", {}, problem(error)));
  }
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  keepLocally("oriel.theme", name);
  dispatchEvent(new Event("oriel-theme"));
}

const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
theme(localStorage.getItem("oriel.theme") ?? preferred);
document.getElementById("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
document.getElementById("logout").addEventListener("click", async () => {
  await fetch("/logout", { method: "POST" });
  location.reload();
});
addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof ApiError)) return; // a fault of the page, for the console
  event.preventDefault();
  say(event.reason.message);
});
show();
get("about").then((about) => {
  document.getElementById("about").textContent = about.database;
  document.getElementById("mode").hidden = !about.readOnly;
  const logout = document.getElementById("logout");
  logout.hidden = !about.user;
  logout.title = `${about.user} is logged in`;
  document.documentElement.classList.toggle("read-only", about.readOnly);
  document.title = `Oriel studio: ${about.database}`;
}, () => {});
