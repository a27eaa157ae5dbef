import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build, type Rolldown } from 'vite'
import { launchOptions } from '#e2e/chromium.ts'
import type { MarkerFigures, MarkerKind } from './page.tsx'

type MarkerComparison = Record<MarkerKind, MarkerFigures>

const ROUNDS = 5

/**
 * Draws `count` markers with the portal's own pins and, as the floor, with one Leaflet marker each, alternating in the same page; returns
 * the medians.
 */
async function measureMarkers(browser: Browser, count = 10_000): Promise<MarkerComparison> {
  const { script, styles } = await bundlePage()
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.setContent('<!doctype html><body style="margin:0"></body>')
  await page.addStyleTag({ content: styles })
  await page.addScriptTag({ content: script, type: 'module' })
  const measureOnce = (kind: MarkerKind) =>
    page.evaluate(([name, size]) => (window as unknown as { measureMarkers: typeof measurePage }).measureMarkers(name, size), [
      kind,
      count,
    ] as const)
  // The first round of each only warms the page up.
  const taken: Record<MarkerKind, MarkerFigures[]> = { ours: [], floor: [] }
  for (let round = 0; round <= ROUNDS; round++)
    for (const kind of ['ours', 'floor'] as const) {
      const figures = await measureOnce(kind)
      if (round > 0) taken[kind].push(figures)
    }
  await page.close()
  return { ours: takeMedians(taken.ours), floor: takeMedians(taken.floor) }
}

declare function measurePage(kind: MarkerKind, count: number): Promise<MarkerFigures>

const takeMedian = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!

const takeMedians = (figures: MarkerFigures[]): MarkerFigures => ({
  draw: takeMedian(figures.map(({ draw }) => draw)),
  frame: takeMedian(figures.map(({ frame }) => frame)),
  nodes: takeMedian(figures.map(({ nodes }) => nodes)),
})

async function bundlePage() {
  const built = (await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'silent',
    plugins: [react()],
    build: {
      write: false,
      rolldownOptions: { input: fileURLToPath(new URL('page.tsx', import.meta.url)), output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput
  const styles = built.output
    .filter(({ fileName }) => fileName.endsWith('.css'))
    .map((file) => ('source' in file ? String(file.source) : ''))
  const script = built.output.find((file) => file.type === 'chunk' && file.isEntry)
  if (script?.type !== 'chunk') throw new Error('The bundle of the markers has no entry')
  return { script: script.code, styles: styles.join('\n') }
}

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
