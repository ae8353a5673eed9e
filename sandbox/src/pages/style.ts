import { COLOR_RULES } from '../model.ts';

/** The one style sheet of all sandbox pages. Each platform sets `--accent` on the body. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1d22; --soft: #5b616e; --paper: #fff; --ground: #f1f2f6; --line: #d9dce3;
  --warn: #8a4b00; --warn-ground: #fff3dc; --bad: #b3261e; --good: #146c2e; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceef3; --soft: #a9afbd; --paper: #1c1f26; --ground: #111318;
  --line: #383d49; --warn: #ffcf8a; --warn-ground: #3a2a10; --bad: #ffb4ab; --good: #8fdc9f; } }
body { --accent: #4454c8; --on-accent: #fff; }
${COLOR_RULES}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  min-height: 100vh; display: flex; flex-direction: column; }
.banner { background: var(--warn-ground); color: var(--warn); font-size: .875rem; font-weight: 600; text-align: center;
  padding: .5rem 1rem; border-bottom: 1px solid var(--line); }
main { width: 100%; max-width: 30rem; margin: auto; padding: 1rem; }
main.wide { max-width: 76rem; margin: 0 auto; padding-top: 1.5rem; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; padding: 1.5rem;
  box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 8px 24px rgb(0 0 0 / .06); border-top: .3rem solid var(--accent); }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .25rem; } h2 { font-size: 1.05rem; margin: 0 0 .75rem; }
p { margin: .25rem 0 1rem; } .soft, small { color: var(--soft); } small { font-size: .8125rem; }
code { font: .8125rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
fieldset { border: 0; padding: 0; margin: 1.25rem 0 0; min-width: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: .5rem; }
.choice { display: flex; gap: .75rem; align-items: center; padding: .625rem .75rem; border: 1px solid var(--line);
  border-radius: .75rem; margin-bottom: .5rem; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choice:has(:disabled) { cursor: default; }
.choice img { width: 2.5rem; height: 2.5rem; border-radius: 50%; flex: none; }
.choice span { min-width: 0; overflow-wrap: anywhere; } .choice small { display: block; }
input[type=radio], input[type=checkbox] { width: 1.15rem; height: 1.15rem; accent-color: var(--accent); flex: none; margin: 0; }
@media (prefers-color-scheme: dark) { input[type=radio], input[type=checkbox] { accent-color: #9db4ff; }
  .choice:has(:checked) { border-color: #9db4ff; box-shadow: inset 0 0 0 1px #9db4ff; } }
.actions { display: flex; gap: .75rem; margin: 1.25rem -1.5rem -1.5rem; padding: .75rem 1.5rem; position: sticky; bottom: 0;
  background: var(--paper); border-top: 1px solid var(--line); border-radius: 0 0 1rem 1rem; }
button, .button { font: inherit; font-weight: 600; padding: .625rem 1.25rem; border-radius: .75rem; cursor: pointer; min-height: 2.75rem;
  border: 1px solid var(--line); background: var(--paper); color: var(--ink); text-decoration: none; display: inline-block; }
.actions > button { flex: 1; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button:hover { filter: brightness(1.08); }
button.small { font-size: .8125rem; padding: .25rem .625rem; min-height: 2rem; border-radius: .5rem; }
:is(a, button, input, select, summary):focus-visible { outline: 3px solid #5b8cff; outline-offset: 2px; }
a { color: inherit; }
.grid { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); margin-bottom: 1rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: start; padding: .375rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td code { white-space: nowrap; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
.row { display: flex; gap: .75rem; align-items: center; padding: .5rem 0; border-top: 1px solid var(--line); flex-wrap: wrap; }
.row:first-of-type { border-top: 0; } .row img { width: 2.25rem; height: 2.25rem; border-radius: 50%; }
.row > .grow { flex: 1; min-width: 10rem; overflow-wrap: anywhere; } .row form, .inline { display: inline-flex; gap: .375rem; flex-wrap: wrap; margin: 0; }
.tools { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: .375rem; }
.bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); }
select, input[type=number], input[type=text] { font: inherit; padding: .25rem .5rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--paper); color: var(--ink); min-height: 2rem; max-width: 100%; }
.spaced { margin-top: 1rem; }
.posts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); }
.posts input { width: 100%; }
.posts img { width: 100%; height: auto; aspect-ratio: 4 / 5; object-fit: cover; border-radius: .75rem; display: block; }
`;
