import { createHash } from "node:crypto";

/** The look of all pages. It is in the page, so that nothing else has to be fetched. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #eef4f5; --card: #fff; --text: #12262b; --quiet: #4d646a; --line: #75898e;
  --main: #0b6470; --main-dark: #084c56; --on-main: #fff; --bad: #a1231c; --bad-ground: #fdf0ee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1a1d; --card: #15272b; --text: #e7f1f2; --quiet: #a5bbbf; --line: #718c95;
    --main: #6fd0dc; --main-dark: #9be2ea; --on-main: #06272c; --bad: #ffb4ab;
    --bad-ground: #3a1a18;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 1.5rem 1rem;
  display: flex; flex-direction: column; align-items: center; justify-content: center;
  background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main {
  width: 100%; max-width: 25rem; padding: 2rem; background: var(--card);
  border-radius: .75rem; box-shadow: 0 1px 2px rgb(0 0 0 / 8%), 0 12px 32px rgb(0 0 0 / 8%);
}
.brand {
  display: flex; align-items: center; gap: .5rem; margin: 0 0 1.5rem;
  color: var(--main); font-weight: 600; letter-spacing: .02em;
}
.brand svg { width: 1.75rem; height: 1.75rem; }
h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.25; font-weight: 650; }
p { margin: 0 0 1rem; }
.quiet { color: var(--quiet); }
.quiet strong { color: var(--text); overflow-wrap: anywhere; }
form { margin: 1.5rem 0 0; }
label { display: block; margin: 0 0 .375rem; font-weight: 550; }
.field { margin: 0 0 1.125rem; }
input {
  width: 100%; padding: .625rem .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--line); border-radius: .5rem;
}
input[aria-invalid] { border-color: var(--bad); }
input.code {
  font-size: 1.375rem; letter-spacing: .18em; text-align: center; text-transform: uppercase;
}
.actions { display: flex; flex-direction: column; gap: .625rem; margin-top: 1.5rem; }
button {
  width: 100%; padding: .6875rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-main); background: var(--main);
  border: 1px solid var(--main); border-radius: .5rem;
}
button:hover { background: var(--main-dark); border-color: var(--main-dark); }
button.second { color: var(--main); background: transparent; border-color: var(--line); }
button.second:hover { border-color: var(--main); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
.error {
  margin: 1.25rem 0 0; padding: .75rem .875rem; color: var(--bad); background: var(--bad-ground);
  border-left: .25rem solid var(--bad); border-radius: .375rem; overflow-wrap: anywhere;
}
.userCode { font-size: 1.5rem; font-weight: 650; letter-spacing: .12em; text-align: center; }
@media (max-width: 30rem) {
  body { justify-content: flex-start; }
  main { padding: 1.5rem 1.25rem; }
}
`;

export const STYLE_SOURCE = sourceOf(STYLE);

/** How a Content-Security-Policy names an inline style or script. */
export function sourceOf(content: string): string {
  return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
}
