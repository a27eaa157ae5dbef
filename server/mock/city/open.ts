import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAddresses } from './addresses.ts'
import type { City, LatLng, Layer, Shape } from './city.ts'
import { bounds } from './frame.ts'
import { openRoads } from './roads.ts'
import { createSearch } from './search.ts'
import { readShapes } from './shapes.ts'

/** Increased whenever the file format changes, so that files of an older build are refused instead of misread. */
export const LAYOUT = 1

/** Contents of `city.json`. It is written last, so an interrupted build is not taken for a city. */
export type Summary = { layout: number; center: LatLng; houses: number; streets: number; edges: number }

/** Opens the demo city from the files that `buildCity` wrote to `dir`. Throws when they are missing or of another version. */
export function openCity(dir: string): City {
  const { center } = readSummary(dir)
  const book = openAddresses(dir)
  const shapes = new Map<Layer, Shape[]>()
  return {
    bounds,
    center,
    search: createSearch(book),
    nearest: book.nearest,
    ...openRoads(dir),
    shapes(layer) {
      const known = shapes.get(layer) ?? readShapes(dir, layer)
      shapes.set(layer, known)
      return known
    },
  }
}

function readSummary(dir: string): Summary {
  let text: string
  try {
    text = readFileSync(join(dir, 'city.json'), 'utf8')
  } catch {
    throw new Error(`The demo city is not built in ${dir}: run "npm run build" first`)
  }
  const summary: Summary = JSON.parse(text)
  if (summary.layout !== LAYOUT) throw new Error(`The demo city in ${dir} is of another version: run "npm run build" again`)
  return summary
}
