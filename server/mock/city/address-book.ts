import Flatbush from 'flatbush'
import type { Shape } from './city.ts'
import { toPlane } from './frame.ts'
import { createNeighbourhoods } from './neighbourhoods.ts'
import type { Raw } from './read-tiles.ts'
import { wordsOf } from './words.ts'

/**
 * The houses, ordered by street and number. `x` and `y` are metres (`toPlane`); the houses of a street are `starts[street]` up to
 * `starts[street + 1]`; `hood` is an index into `hoods`, or NO_HOOD; `index` is a Flatbush over the houses.
 */
export type AddressColumns = { x: Float32Array; y: Float32Array; starts: Uint32Array; hood: Uint8Array; index: Uint8Array }
/** `numbers` has one line per house with all its doors: "1196,1196 BIS". */
export type AddressNotes = { streets: string[]; hoods: string[]; numbers: string }
export const NO_HOOD = 255

type House = { street: string; key: string; numbers: string; first: number; x: number; y: number }

/** Collects every house that has a street and a number, once. */
export function buildAddressBook(features: Raw[], places: Shape[]): { columns: AddressColumns; notes: AddressNotes } {
  const houses = housesOf(features)
  const hoods = createNeighbourhoods(places)
  const index = new Flatbush(houses.length, 16, Float32Array)
  const columns = {
    x: Float32Array.from(houses, ({ x }) => x),
    y: Float32Array.from(houses, ({ y }) => y),
    hood: Uint8Array.from(houses, ({ x, y }) => {
      const hood = hoods.at(x, y)
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

function housesOf(features: Raw[]): House[] {
  const keys = new Map<string, string>()
  const keyOf = (street: string) => {
    const key = keys.get(street) ?? wordsOf(street).join(' ')
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
    houses.set(key, { street, key: keyOf(street), numbers, first, ...toPlane({ lng: position[0], lat: position[1] }) })
  }
  return [...houses.values()].sort(
    (a, b) => compare(a.key, b.key) || compare(a.street, b.street) || a.first - b.first || compare(a.numbers, b.numbers),
  )
}

/** Compares by code unit, so the order is the same under every locale. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
