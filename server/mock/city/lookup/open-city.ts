import { join } from 'node:path'
import type { City, Layer, Shape } from '#server/mock/city/city.ts'
import { type CitySummary, LAYOUT_VERSION, readCityFile, readShapes } from '#server/mock/city/city-files.ts'
import { CITY_BOUNDS } from '#server/mock/city/frame.ts'
import { chooseWording } from '#server/mock/city/port.ts'
import { openAddresses } from './addresses.ts'
import { openRoads } from './routing.ts'
import { createAddressSearch } from './search.ts'

const REMEDY = chooseWording('run "npm run build"', 'install the package again')

/** Opens the demo city from the files that `buildCity` wrote to `dir`. Throws when they are missing or of another version. */
export function openCity(dir: string): City {
  const { center } = readSummary(dir)
  const book = openAddresses(dir)
  const shapes = new Map<Layer, Shape[]>()
  return {
    bounds: CITY_BOUNDS,
    center,
    search: createAddressSearch(book),
    nearest: book.nearest,
    ...openRoads(dir),
    shapes(layer) {
      const known = shapes.get(layer) ?? readShapes(dir, layer)
      shapes.set(layer, known)
      return known
    },
  }
}

function readSummary(dir: string): CitySummary {
  let text: string
  try {
    text = readCityFile(join(dir, 'city.json')).toString('utf8')
  } catch {
    throw new Error(`The demo city is not built in ${dir}: ${REMEDY}`)
  }
  const summary: CitySummary = JSON.parse(text)
  if (summary.layout !== LAYOUT_VERSION) throw new Error(`The demo city in ${dir} is of another version: ${REMEDY}`)
  return summary
}
