import { fileURLToPath } from 'node:url'
import type { Browser } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build, type Rolldown } from 'vite'
import type { MarkerFigures, MarkerKind } from './page.tsx'

export type MarkerComparison = Record<MarkerKind, MarkerFigures>

const ROUNDS = 5

/**
 * Draws `count` markers with the portal's own pins and, as the floor, with one Leaflet marker each, in turns in the same page; returns the
 * medians.
 */
export async function measureMarkers(browser: Browser, count = 10_000): Promise<MarkerComparison> {
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
  // The first of each only warms the page up.
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
