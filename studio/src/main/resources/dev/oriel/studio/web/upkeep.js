// Ends drawings that have left the page: their libraries hold them by listeners of the window.

/** @type {{element: Element, end: () => void}[]} */
let drawings = [];
let pending = 0;

function sweep() {
  pending = 0;
  const gone = drawings.filter(({ element }) => !element.isConnected);
  drawings = drawings.filter(({ element }) => element.isConnected);
  for (const { end } of gone) end();
}

/** Calls `end` when another drawing is made after `element` has left the page. It must be in the page by the next task. */
export function untilGone(element, end) {
  drawings.push({ element, end });
  pending ||= setTimeout(sweep);
}
