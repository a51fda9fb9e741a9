// The HTTP interface, version 1.

const V1 = "/api/v1/";

/** Names of what runs for this page. It is cancelled if the page is closed or loaded again. */
const running = new Set();
globalThis.addEventListener?.("pagehide", () => {
  for (const id of running) navigator.sendBeacon(`${V1}cancel`, JSON.stringify({ id }));
});

/** Asks for what runs under the name of `body`, if it has one. */
async function named(path, body, asking) {
  const id = path === "cancel" || typeof body.id !== "string" ? null : body.id;
  if (id) running.add(id);
  try {
    return await asking();
  } finally {
    running.delete(id);
  }
}

/** An answer that says what went wrong. */
export class ApiError extends Error {
  constructor(error) {
    super(error.message);
    this.state = error.state;
    this.position = error.position;
  }
}

/** Waits for what the network gives. It fails without words if the studio was closed. */
async function received(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError({ message: "The studio does not answer: it was closed, or it cannot be reached. Open it again and use the address that it prints." });
  }
}

async function answered(response) {
  const json = await received(response.json());
  if (!response.ok) throw new ApiError(json.error ?? { message: response.statusText });
  return json;
}

/** Asks with GET; parameters that are null or undefined are left out. */
export async function get(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined) query.set(key, value);
  }
  const text = query.toString();
  return answered(await received(fetch(V1 + path + (text ? `?${text}` : ""))));
}

function request(body, signal) {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  };
}

/** Asks with POST. */
export async function post(path, body = {}) {
  return named(path, body, async () => answered(await received(fetch(V1 + path, request(body)))));
}

/** Sends a part of a file as it is. */
export async function upload(path, parameters, blob) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined));
  return answered(await received(fetch(`${V1}${path}?${query}`, { method: "POST", headers: { "content-type": "application/octet-stream" }, body: blob })));
}

/** Asks with POST and calls `each` with every line of the answer, as it comes. */
export async function stream(path, body, each) {
  return named(path, body, () => lines(path, body, each));
}

async function lines(path, body, each) {
  const response = await received(fetch(V1 + path, request(body)));
  if (!response.ok) return answered(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await received(reader.read());
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) each(JSON.parse(line));
  }
  if (rest) each(JSON.parse(rest));
  return null;
}
