import Flatbush from 'flatbush'
import type { Shape } from '#server/mock/city/city.ts'
import { toPlane } from '#server/mock/city/frame.ts'
import type { OsmFeature } from './read-tiles.ts'
import { normalizeWords } from './words.ts'

/**
 * The houses, ordered by street and number. `x` and `y` are metres (`toPlane`); the houses of a street are `starts[street]` up to
 * `starts[street + 1]`; `hood` is an index into `hoods`, or NO_HOOD; `index` is a Flatbush over the houses.
 */
export type AddressColumns = { x: Float32Array; y: Float32Array; starts: Uint32Array; hood: Uint8Array; index: Uint8Array }
/** `numbers` has one line per building with all of its house numbers: "1196,1196 BIS". */
export type AddressNotes = { streets: string[]; hoods: string[]; numbers: string }
export const NO_HOOD = 255

type House = { street: string; key: string; numbers: string; first: number; x: number; y: number }

export function buildAddressBook(features: OsmFeature[], places: Shape[]): { columns: AddressColumns; notes: AddressNotes } {
  const houses = collectHouses(features)
  const hoods = createNeighbourhoods(places)
  const index = new Flatbush(houses.length, 16, Float32Array)
  const columns = {
    x: Float32Array.from(houses, ({ x }) => x),
    y: Float32Array.from(houses, ({ y }) => y),
    hood: Uint8Array.from(houses, ({ x, y }) => {
      const hood = hoods.findIndex(x, y)
      return hood < 0 ? NO_HOOD : hood
    }),
  }
  for (let house = 0; house < houses.length; house++) index.add(columns.x[house]!, columns.y[house]!)
  index.finish()

  const streets: string[] = []
  const starts: number[] = []
  houses.forEach(({ street }, house) => {
    if (street === streets.at(-1)) return
    streets.push(street)
    starts.push(house)
  })
  return {
    columns: { ...columns, starts: Uint32Array.from([...starts, houses.length]), index: new Uint8Array(index.data) },
    notes: { streets, hoods: hoods.names, numbers: houses.map(({ numbers }) => numbers).join('\n') },
  }
}

function collectHouses(features: OsmFeature[]): House[] {
  const keys = new Map<string, string>()
  const sortKey = (street: string) => {
    const key = keys.get(street) ?? normalizeWords(street).join(' ')
    keys.set(street, key)
    return key
  }
  const houses = new Map<string, House>()
  for (const { tags, lines } of features) {
    const street = tags['addr:street']?.trim()
    const numbers = (tags['addr:housenumber'] ?? '').replace(/\s*[,;]\s*/g, ',').trim()
    const first = Number.parseInt(numbers, 10)
    const position = lines[0]?.[0]
    if (!street || !position || !(first > 0)) continue
    const key = `${street}\n${numbers}`
    // Shops repeat the address of their building.
    if (houses.has(key)) continue
    houses.set(key, { street, key: sortKey(street), numbers, first, ...toPlane({ lng: position[0], lat: position[1] }) })
  }
  return [...houses.values()].sort(
    (a, b) =>
      compareByCodeUnit(a.key, b.key) ||
      compareByCodeUnit(a.street, b.street) ||
      a.first - b.first ||
      compareByCodeUnit(a.numbers, b.numbers),
  )
}

/** Compares by code unit, so the order is the same under every locale. */
const compareByCodeUnit = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** How far, in metres, the name of a place applies. Kinds that are not listed, such as the city itself, name no neighbourhood. */
const REACH_METRES: Record<string, number> = { suburb: 3000, city: 3000, town: 3000, neighbourhood: 250 }

/** Creates a lookup of the named place that contains a point (metres, `toPlane`): a settlement nearby, else the nearest suburb. */
export function createNeighbourhoods(places: Shape[]) {
  const centres = places.flatMap(({ name, kind, lines }) => {
    const [lng, lat] = lines[0]?.[0] ?? [0, 0]
    return name && REACH_METRES[kind] ? [{ name, reach: REACH_METRES[kind], ...toPlane({ lat, lng }) }] : []
  })
  const names = [...new Set(centres.map(({ name }) => name))].sort()
  const indexes = centres.map(({ name }) => names.indexOf(name))

  return {
    names,
    /** Index into `names`, or -1 in open country. */
    findIndex(x: number, y: number): number {
      let best = -1
      let bestDistance = Number.POSITIVE_INFINITY
      for (let index = 0; index < centres.length; index++) {
        const centre = centres[index]!
        const distance = Math.hypot(centre.x - x, centre.y - y)
        if (distance > centre.reach) continue
        // A settlement lies within a suburb and is the more exact result.
        const weighed = centre.reach < 1000 ? distance - 10_000 : distance
        if (weighed < bestDistance) {
          bestDistance = weighed
          best = indexes[index]!
        }
      }
      return best
    },
  }
}
