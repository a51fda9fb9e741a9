// Logs in with a name and a password; the studio's page comes in place of this one.

const form = document.querySelector("form");
const trouble = document.getElementById("trouble");
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "light";

async function login() {
  const { name, password } = Object.fromEntries(new FormData(form));
  const answer = await fetch("/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, password }),
  });
  if (answer.ok) return location.reload();
  trouble.textContent = (await answer.json()).error.message;
  trouble.className = "error";
  return /** @type {HTMLInputElement} */ (document.getElementById("password")).select();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    await login();
  } catch {
    trouble.textContent = "The studio does not answer; look whether its server runs.";
    trouble.className = "error";
  } finally {
    button.disabled = false;
  }
});
document.getElementById("name").focus();
