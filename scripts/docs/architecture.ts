/** The drawing in docs/architecture.md, made from the imports. `npm run architecture` writes it; a check compares it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Files, readProjectFiles } from '#scripts/check/files.ts'
import { listImports } from '#scripts/check/layers.ts'
import type { Finding } from '#scripts/check/runner.ts'

const DOCUMENT = 'docs/architecture.md'
const [START, END] = ['```mermaid\n', '```\n']

type Room = { id: string; label: string; holds: RegExp }

/** Layers from the top of the drawing to its bottom; a file belongs to the first match. Files without a match are left out. */
const ROOMS: readonly Room[] = [
  { id: 'app', label: 'web/app<br>route table, frame', holds: /^web\/app\// },
  { id: 'screens', label: 'web/*<br>a folder a subject: screens, queries', holds: /^web\/(?!test\/|ui\/|theme\/|lib\/)/ },
  { id: 'ui', label: 'web/ui, web/theme<br>buttons, forms, dialogs', holds: /^web\/(ui|theme)\// },
  { id: 'lib', label: 'web/lib<br>client, clock, i18n', holds: /^web\/lib\// },
  { id: 'mock', label: 'server/mock<br>worlds, seeds, city, fake Stripe, control plane', holds: /^server\/mock\// },
  { id: 'programs', label: 'server/*.ts<br>main, operator, backup, restore', holds: /^server\/[^/]+\.ts$/ },
  {
    id: 'subjects',
    label: 'server/*<br>a folder a subject: handlers, store, presenter',
    holds: /^server\/(?!test\/|http\/|ports\/|lib\/)/,
  },
  { id: 'http', label: 'server/http<br>routes from the contract, access, errors', holds: /^server\/http\// },
  { id: 'ports', label: 'server/ports, server/lib<br>what comes in by argument', holds: /^server\/(ports|lib)\// },
  { id: 'db', label: 'db<br>tables, engines, scope', holds: /^db\// },
  { id: 'locales', label: 'locales<br>the words of twelve languages', holds: /^locales\// },
  { id: 'contracts', label: 'contracts<br>the API as one table of schemas', holds: /^contracts\/(?!rules\/|lib\/|limits\/)/ },
  { id: 'rules', label: 'contracts/rules<br>rules as pure functions', holds: /^contracts\/rules\// },
  {
    id: 'shared',
    label: 'contracts/lib, contracts/limits<br>rights, errors, limits, parts of schemas',
    holds: /^contracts\/(lib|limits)\//,
  },
]

type Arrow = { from: number; to: number }

/** The imports between rooms, by their indexes in the list. */
function findArrows(files: Files): Arrow[] {
  const arrows = new Map<string, Arrow>()
  for (const { from: importer, to: imported } of listImports(files)) {
    const [from, to] = [importer, imported].map((path) => ROOMS.findIndex(({ holds }) => holds.test(path))) as [number, number]
    if (from >= 0 && to >= 0 && from !== to) arrows.set(`${from} ${to}`, { from, to })
  }
  return [...arrows.values()].sort((a, b) => a.from - b.from || a.to - b.to)
}

/** Whether other arrows lead down from one room to the other. */
const isImplied = ({ from, to }: Arrow, down: readonly Arrow[]) => {
  const reaches = (room: number): boolean => room === to || down.some((next) => next.from === room && reaches(next.to))
  return down.some((first) => first.from === from && first.to !== to && reaches(first.to))
}

/** Draws the imports between rooms as a Mermaid flow chart, without arrows that others imply. Upward arrows are dotted. */
export function drawArchitecture(files: Files): string {
  const arrows = findArrows(files)
  const down = arrows.filter(({ from, to }) => from < to)
  const drawn = arrows.filter((arrow) => arrow.from > arrow.to || !isImplied(arrow, down))
  const lines = drawn.map(({ from, to }) => `  ${ROOMS[from]!.id} ${from < to ? '-->' : '-.->'} ${ROOMS[to]!.id}`)
  return ['flowchart TD', ...ROOMS.map(({ id, label }) => `  ${id}["${label}"]`), ...lines, ''].join('\n')
}

/** The drawing in a document; undefined without one. */
const findDrawing = (text: string) => {
  const start = text.indexOf(START)
  const end = text.indexOf(END, start + START.length)
  return start < 0 || end < 0 ? undefined : { start: start + START.length, end }
}

/** Checks that the drawing shows the current imports. */
export function checkArchitecture(files: Files): Finding {
  const text = files.get(DOCUMENT) ?? ''
  const place = findDrawing(text)
  const isTrue = place !== undefined && text.slice(place.start, place.end) === drawArchitecture(files)
  return {
    fileCount: listImports(files).length > 0 ? 1 : 0,
    problems: isTrue ? [] : [`${DOCUMENT} does not draw the imports as they are: write it again with npm run architecture`],
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = readFileSync(DOCUMENT, 'utf8')
  const place = findDrawing(text)
  if (!place) throw new Error(`${DOCUMENT} has no drawing: it begins with ${START.trim()} and ends with ${END.trim()}`)
  writeFileSync(DOCUMENT, text.slice(0, place.start) + drawArchitecture(readProjectFiles()) + text.slice(place.end))
}
