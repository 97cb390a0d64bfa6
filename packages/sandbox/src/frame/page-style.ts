/** The page's styles for light and dark mode. Text has a contrast ratio of at least 4.5 to 1. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --back: #ffffff; --card: #f5f6f8; --text: #1b1f24; --soft: #505a66; --line: #c9ced6;
  --accent: #0b57b0; --accent-text: #ffffff; --bad: #a4161a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #12161b; --card: #1b2129; --text: #e7ebf0; --soft: #a9b3bf; --line: #3a434e;
    --accent: #8ab8f5; --accent-text: #10151b; --bad: #ff9a9a;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.75rem; } h2 { font-size: 1.25rem; } h3 { font-size: 1rem; margin: 0 0 .75rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 1.5rem; background: var(--back); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
header > p, .empty, caption { color: var(--soft); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; }
nav a, .actions a { display: inline-block; padding: .25rem 0; }
.actions { display: flex; gap: 1.25rem; align-items: center; }
section { margin: 1.5rem 0; padding: .25rem 1.25rem 1.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .5rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
caption { text-align: left; padding-bottom: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
code, pre { font: .85rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; margin: .5rem 0; }
summary { cursor: pointer; }
.bad { color: var(--bad); }
form { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .75rem 1rem; align-items: end; margin-bottom: 1rem; }
.wide { grid-column: 1 / -1; }
label { display: grid; gap: .25rem; font-size: .9rem; }
input, select, textarea { font: inherit; padding: .45rem .6rem; color: var(--text); background: var(--back);
  border: 1px solid var(--soft); border-radius: .35rem; width: 100%; }
::placeholder { color: var(--soft); opacity: 1; }
button { font: inherit; padding: .4rem .9rem; color: var(--accent-text); background: var(--accent);
  border: 0; border-radius: .35rem; cursor: pointer; }
#outcome:not(:empty) { color: var(--bad); font-weight: 600; }
`;
