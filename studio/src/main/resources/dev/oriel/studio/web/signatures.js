// Functions of SQL as completions of the editor.

/** The functions as completions: the first signature beside the name, all of them with the example on demand. */
export function described(signatures) {
  const byName = new Map();
  for (const one of signatures) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  const open = (one) => one.signature.includes("(");
  return [...byName].map(([name, all]) => ({
    label: name, type: "function", apply: open(all[0]) ? `${name}(` : name, boost: -1,
    detail: open(all[0]) ? all[0].signature.slice(all[0].signature.indexOf("(")) : "",
    info: all.map((one) => `${one.signature} ${one.result ?? ""}`.trimEnd()).join("\n")
      + (all[0].description ? `\n\n${all[0].description}` : "")
      + (all[0].example ? `\n\n${all[0].example};\n--> ${all[0].answer}` : ""),
  }));
}
