/**
 * Reserves space for the bar above the portal. Dialogs of the portal cover the bar. On a phone the map's buttons would then cover the live
 * badge, so the badge moves to the other side, as on low screens.
 */
export const pageStyle = `
:root { --demo-bar: 44px; }
:root[data-demo-bar="hidden"] { --demo-bar: 24px; }
:root[data-demo-tour] { --demo-bar: 88px; }
body { height: calc(100% - var(--demo-bar) - env(safe-area-inset-top)); margin-top: calc(var(--demo-bar) + env(safe-area-inset-top)); }
@media (max-width: 768px) and (max-height: 900px) { [role="status"][data-state] { right: auto !important; left: 12px; } }
@media print { :root { --demo-bar: 0px !important; } whereabouts-demo { display: none; } }
`

/** Uses the portal's CSS variables, which shadow roots inherit. */
export const barStyle = `
:host { all: initial; position: fixed; z-index: 150; top: 0; right: 0; left: 0; color: var(--text); font: 14px/1.4 var(--font); }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.bar { display: flex; gap: 4px; align-items: center; height: calc(44px + env(safe-area-inset-top)); padding: env(safe-area-inset-top) calc(8px + env(safe-area-inset-right)) 0 calc(16px + env(safe-area-inset-left)); border-bottom: 1px solid var(--line); background: var(--accent-soft); }
.left { flex: 1; min-width: 0; margin: 0; overflow: hidden; font-weight: 600; font-variant-numeric: tabular-nums; text-overflow: ellipsis; white-space: nowrap; }
.left a { margin-inline-start: 12px; }
a { color: var(--accent); font-weight: 650; }
button { display: inline-flex; gap: 6px; align-items: center; justify-content: center; min-width: 44px; min-height: 40px; padding: 0 10px; border: 0; border-radius: 8px; background: none; color: inherit; font: inherit; font-weight: 550; cursor: pointer; }
button:hover { background: color-mix(in srgb, var(--accent) 14%, transparent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
svg { flex: none; fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.new { position: relative; }
.new::after { content: ""; position: absolute; top: 8px; left: 26px; width: 9px; height: 9px; border-radius: 50%; background: var(--bad); }
.tour { display: flex; gap: 8px; align-items: center; height: 44px; padding: 0 calc(8px + env(safe-area-inset-right)) 0 calc(16px + env(safe-area-inset-left)); border-bottom: 1px solid var(--line); background: var(--bg); }
.tour p { flex: 1; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; min-width: 0; margin: 0; overflow: hidden; color: var(--text); line-height: 1.3; }
.show { width: 100%; min-height: 24px; height: calc(24px + env(safe-area-inset-top)); padding-top: env(safe-area-inset-top); border-bottom: 1px solid var(--line); border-radius: 0; background: var(--accent-soft); font-size: 12px; }
.show svg { width: 16px; height: 16px; }
dialog { width: min(440px, calc(100vw - 32px)); max-height: min(88dvh, 720px); padding: 20px; border: 1px solid var(--line); border-radius: 16px; background: var(--bg); color: var(--text); box-shadow: var(--shadow); overflow: auto; overscroll-behavior: contain; }
dialog.drawer { width: min(560px, 100vw); max-width: 100vw; height: 100dvh; max-height: 100dvh; margin: 0 0 0 auto; padding: 16px 20px; border-width: 0 0 0 1px; border-radius: 0; }
dialog.drawer[open] { display: flex; flex-direction: column; }
dialog.drawer .content { display: contents; }
dialog::backdrop { background: rgb(0 0 0 / 0.45); }
header { display: flex; gap: 8px; align-items: center; justify-content: space-between; margin-bottom: 12px; }
h2 { margin: 0; font-size: 19px; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: 0 0 12px; color: var(--text-2); }
ul { display: grid; gap: 4px; margin: 0; padding: 0; list-style: none; }
.row { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; width: 100%; min-height: 56px; padding: 8px 12px; border-radius: 12px; color: inherit; text-align: start; text-decoration: none; justify-content: stretch; align-content: center; font-weight: 400; }
.row:hover, .row[aria-current] { background: var(--accent-soft); }
.row strong { grid-column: 1 / -1; font-weight: 600; overflow-wrap: anywhere; }
.row span { color: var(--text-2); font-size: 13px; overflow-wrap: anywhere; }
.row time { color: var(--text-2); font-size: 13px; white-space: nowrap; }
iframe { flex: 1; width: 100%; min-height: 320px; border: 1px solid var(--line); border-radius: 12px; background: #f6f7f8; }
label { display: block; color: var(--text-2); font-size: 13px; }
input { display: block; width: 100%; min-height: 44px; margin-top: 4px; padding: 0 12px; border: 1px solid var(--field); border-radius: 8px; background: var(--bg); color: var(--text); font: inherit; font-size: 16px; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; justify-content: flex-end; margin-top: 16px; }
.actions button { min-height: 44px; padding: 0 16px; border: 1px solid var(--line); font-weight: 600; }
.actions .main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.actions .main:hover { background: var(--accent-hover); }
@media (max-width: 860px) { .bar button span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; } .bar button { padding: 0; } .bar { gap: 0; } }
@media (max-width: 480px) { .tour p { font-size: 13px; } .left { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; font-size: 12px; line-height: 1.3; white-space: normal; } .left a { margin: 0; } }
`
