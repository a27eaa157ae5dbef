/** Uses the portal's CSS variables, so the panel follows its light and dark theme. */
export const style = `
:host { all: initial; color: var(--text); font: 14px/1.45 var(--font); }
* { box-sizing: border-box; }
.opener { position: fixed; z-index: 180; top: 50%; right: 0; min-height: 64px; padding: 8px 4px; border: 1px solid var(--line); border-right: 0; border-radius: 8px 0 0 8px; background: var(--bg); color: var(--text-2); box-shadow: var(--shadow); font: 600 12px/1.2 var(--font); writing-mode: vertical-rl; cursor: pointer; }
.opener:hover { color: var(--accent); }
.opener[aria-expanded="true"] { display: none; }
aside { position: fixed; z-index: 181; inset: 0 0 0 auto; width: min(var(--width, 560px), 100vw); border-left: 1px solid var(--line); background: var(--bg); box-shadow: var(--shadow); container-type: size; }
.frame { display: grid; grid-template: auto minmax(0, 1fr) auto / 124px minmax(0, 1fr); height: 100%; }
.grip { position: absolute; top: 0; bottom: 0; left: -12px; width: 24px; cursor: ew-resize; touch-action: none; }
.grip::before { content: ""; position: absolute; top: calc(50% - 28px); left: 8px; width: 8px; height: 56px; border: 1px solid var(--field); border-radius: 4px; background: var(--bg); }
.grip:is(:hover, :active, :focus-visible)::before { border-color: var(--accent); background: var(--accent); }
.grip:focus-visible { outline: none; }
header { grid-column: 1 / -1; display: flex; gap: 8px; align-items: center; min-height: 52px; padding: 0 8px 0 16px; border-bottom: 1px solid var(--line); }
h2, h3, h4, p, ul, dl, dd, pre { margin: 0; padding: 0; }
h2 { flex: 1; font-size: 16px; }
h3 { margin-bottom: 8px; font-size: 14px; }
h4 { margin: 8px 0 4px; font-size: 12px; color: var(--text-2); }
ul { list-style: none; }
[role="tablist"] { display: flex; flex-direction: column; gap: 2px; padding: 8px; border-right: 1px solid var(--line); background: var(--bg-2); overflow-y: auto; }
[role="tab"] { flex: none; justify-content: start; border-color: transparent; background: none; color: var(--text-2); }
[role="tab"][aria-selected="true"] { background: var(--accent-soft); color: var(--text); font-weight: 650; }
.body { min-height: 0; overflow-y: auto; overscroll-behavior: contain; }
.page { display: grid; gap: 24px; padding: 16px; }
section { min-width: 0; }
.status { grid-column: 1 / -1; max-height: 30vh; overflow-y: auto; }
.status p, .status a { display: block; padding: 10px 16px; border-top: 1px solid var(--line); background: var(--bg-2); overflow-wrap: anywhere; }
.bad { color: var(--bad); overflow-wrap: anywhere; }
.note { color: var(--text-2); font-size: 13px; overflow-wrap: anywhere; }
section > .note + *, section > .line + *, section > form + * { margin-top: 8px; }
.line { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 36px; padding: 4px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--bg); color: var(--text); font: inherit; font-weight: 500; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--accent-soft); }
.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
.main:hover { background: var(--accent-hover); }
.shut { min-width: 40px; border: 0; font-size: 20px; }
a { color: var(--accent); overflow-wrap: anywhere; }
a.button { color: var(--text); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
label { display: grid; gap: 2px; color: var(--text-2); font-size: 13px; min-width: 0; max-width: 100%; }
label[hidden] { display: none; }
input:not([type="checkbox"]), select { min-height: 36px; min-width: 0; max-width: 100%; padding: 4px 8px; border: 1px solid var(--field); border-radius: 8px; background: var(--bg); color: var(--text); font: inherit; font-size: 14px; }
.tick { display: flex; gap: 8px; align-items: center; width: 100%; min-height: 28px; color: var(--text); }
input[type="checkbox"] { width: 18px; height: 18px; margin: 0; accent-color: var(--accent); }
.switch::before { content: ""; width: 10px; height: 10px; margin-right: 8px; border: 2px solid var(--field); border-radius: 50%; }
.switch:is([aria-checked="true"], [aria-pressed="true"]) { border-color: var(--accent); background: var(--accent-soft); }
.switch:is([aria-checked="true"], [aria-pressed="true"])::before { border-color: var(--accent); background: var(--accent); }
.now { margin-bottom: 8px; color: var(--text-2); }
.now strong { display: block; color: var(--text); font-size: 18px; font-variant-numeric: tabular-nums; }
li { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; padding: 4px 0; border-top: 1px solid var(--line); }
.row { flex: 1; flex-wrap: wrap; gap: 0 8px; justify-content: start; min-width: 0; padding: 4px 8px; border-color: transparent; font-weight: 400; text-align: start; }
.two { flex: 1; display: grid; min-width: 0; overflow-wrap: anywhere; }
.two span, .facts { color: var(--text-2); font-size: 12px; }
.facts { white-space: nowrap; font-variant-numeric: tabular-nums; }
.method { min-width: 48px; font-weight: 650; font-size: 12px; }
.path { flex: 1; min-width: 0; overflow-wrap: anywhere; font-size: 13px; }
.badge { display: inline-block; padding: 0 6px; border: 1px solid currentcolor; border-radius: 8px; font-weight: 600; font-size: 12px; }
.plain { color: var(--text-2); }
.pass { color: var(--ok); }
.drift { color: var(--warn); }
.fail { color: var(--bad); }
.inside { width: 100%; min-width: 0; padding: 4px 8px 12px; }
.inside > div { display: grid; gap: 8px; min-width: 0; }
code, pre { font: 12px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.code { padding: 4px 8px; border-radius: 8px; background: var(--accent-soft); font-size: 16px; }
pre { max-height: 320px; padding: 8px; border-radius: 8px; background: var(--bg-2); overflow: auto; white-space: pre-wrap; }
iframe { width: 100%; height: 360px; border: 1px solid var(--line); border-radius: 8px; background: #f6f7f8; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin-bottom: 8px; font-size: 13px; }
dt { color: var(--text-2); }
dd { overflow-wrap: anywhere; }
.wide { width: 100%; }
.wide :is(input, textarea) { width: 100%; }
textarea { min-height: 64px; padding: 6px 8px; border: 1px solid var(--field); border-radius: 8px; background: var(--bg); color: var(--text); font: 12px/1.5 ui-monospace, monospace; resize: vertical; }
fieldset { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; width: 100%; min-width: 0; margin: 0; padding: 0; border: 0; }
.time { min-width: 60px; color: var(--text-2); font-size: 12px; font-variant-numeric: tabular-nums; }
.here { font-weight: 650; }
.calls li { flex-wrap: nowrap; align-items: start; }
.calls .item { flex: 1; min-width: 0; }
.calls .row { width: 100%; }
.calls .path { order: 1; flex-basis: 100%; }
.small { flex: none; min-height: 28px; padding: 2px 8px; font-size: 12px; }
::placeholder { color: var(--text-2); opacity: 1; }
@media (max-width: 700px) {
  .opener { top: 22%; right: auto; left: 0; border-right: 1px solid var(--line); border-left: 0; border-radius: 0 8px 8px 0; }
  aside { inset: auto 0 0 0; width: 100vw; height: 78dvh; padding-bottom: env(safe-area-inset-bottom); border-top: 1px solid var(--line); border-left: 0; border-radius: 16px 16px 0 0; overflow: hidden; }
  .grip { display: none; }
  input:not([type="checkbox"]), select, textarea { font-size: 16px; }
}
@container (max-width: 500px) {
  .frame { grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr); }
  [role="tablist"] { display: grid; grid-template-columns: repeat(auto-fill, minmax(72px, 1fr)); max-height: 30vh; padding: 4px; border-right: 0; border-bottom: 1px solid var(--line); }
  [role="tab"] { justify-content: center; padding: 4px 2px; font-size: 12px; }
}
aside[data-out] { inset: 0; width: 100vw; height: 100dvh; padding: 0; border: 0; border-radius: 0; box-shadow: none; }
@media print { :host { display: none; } }
`
