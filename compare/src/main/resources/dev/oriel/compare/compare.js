'use strict';
// Draws each differential flame graph: a row for each depth, outermost above. A node is
// {n: name, a: cost of A, b: cost of B, v: verdict, r: ratio as a number or null, t: what to say, c: children}.
const HEIGHT = 20;
const colour = (node) => {
  const worse = node.v === 'slower' || node.v === 'new';
  const better = node.v === 'faster' || node.v === 'gone';
  if (!worse && !better) return '#c9ccd4';
  const far = node.r === null || node.r === 0 ? 1 : Math.min(1, Math.abs(Math.log(node.r)) / Math.log(2));
  const light = 82 - 26 * far;
  return worse ? `hsl(8 85% ${light}%)` : `hsl(210 75% ${light}%)`;
};
const widths = {
  both: (node) => Math.max(node.a, node.b),
  a: (node) => node.a,
  b: (node) => node.b,
};
for (const place of document.querySelectorAll('.flame')) {
  const root = JSON.parse(place.nextElementSibling.textContent);
  const detail = place.parentElement.querySelector('.detail');
  let by = 'both';
  let top = root;
  // With 'both', children may be wider together than their parent: then they share its width.
  const draw = () => {
    place.replaceChildren();
    let depthMax = 0;
    const box = (node, depth, left, width) => {
      if (width < 0.05) return;
      depthMax = Math.max(depthMax, depth);
      const element = document.createElement('button');
      element.style.left = `${left}%`;
      element.style.width = `${width}%`;
      element.style.top = `${depth * HEIGHT}px`;
      element.style.background = colour(node);
      element.textContent = node.n.split('.').slice(-2).join('.') || 'operation';
      element.title = `${node.n || 'operation'}\n${node.t}`;
      element.addEventListener('click', () => { top = node === top ? root : node; draw(); });
      element.addEventListener('focus', () => { detail.textContent = `${node.n || 'operation'}: ${node.t}`; });
      place.append(element);
      const sizes = node.c.map(widths[by]);
      const sum = sizes.reduce((x, y) => x + y, 0);
      const whole = Math.max(widths[by](node), sum);
      let at = left;
      node.c.forEach((child, i) => {
        const share = whole > 0 ? width * sizes[i] / whole : 0;
        box(child, depth + 1, at, share);
        at += share;
      });
    };
    box(top, 0, 0, 100);
    place.style.height = `${(depthMax + 1) * HEIGHT}px`;
  };
  for (const button of place.parentElement.querySelectorAll('[data-by]')) {
    button.addEventListener('click', () => {
      by = button.dataset.by;
      for (const other of place.parentElement.querySelectorAll('[data-by]')) {
        other.setAttribute('aria-pressed', String(other === button));
      }
      draw();
    });
  }
  draw();
}
