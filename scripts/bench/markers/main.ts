import { chromium } from '@playwright/test'
import { launchOptions } from '#e2e/chromium.ts'
import { measureMarkers } from './measure-markers.ts'

/** 60 frames a second, in milliseconds. */
const FRAME_MS = 1000 / 60
const GOALS = { draw: 0.3, frame: 1.2 }

const browser = await chromium.launch(launchOptions)
const { ours, floor } = await measureMarkers(browser)
await browser.close()

const lines = [
  ['first drawing', `${ours.draw.toFixed(0)} ms`, `${floor.draw.toFixed(0)} ms`, ours.draw / floor.draw, GOALS.draw],
  ['pan frame', `${ours.frame.toFixed(1)} ms`, `${FRAME_MS.toFixed(1)} ms`, ours.frame / FRAME_MS, GOALS.frame],
] as const
process.stdout.write('10,000 markers: ours, one Leaflet marker each or a frame, ratio, goal\n')
for (const [name, mine, limit, ratio, goal] of lines)
  process.stdout.write(`${name.padEnd(14)} ${mine.padStart(8)} ${limit.padStart(8)}  ${ratio.toFixed(2)}  <= ${goal}\n`)
process.stdout.write(`elements       ${String(ours.nodes).padStart(8)} ${String(floor.nodes).padStart(8)}\n`)
