// Chips choose which cases are shown, by verdict. Without this script all are.
const chips = [...document.querySelectorAll('button[data-verdict]')];
for (const chip of chips) {
  chip.addEventListener('click', () => {
    const on = chip.getAttribute('aria-pressed') !== 'true';
    for (const other of chips) other.setAttribute('aria-pressed', String(on && other === chip));
    for (const part of document.querySelectorAll('[data-is]')) {
      part.hidden = on && part.dataset.is !== chip.dataset.verdict;
    }
    for (const group of document.querySelectorAll('[data-group]')) {
      group.hidden = ![...document.querySelectorAll('[data-in="' + group.dataset.group + '"]')]
        .some((part) => !part.hidden);
    }
  });
}
// A bar of the glance leads to a case that the chips may hide.
addEventListener('hashchange', () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target) target.hidden = false;
});
