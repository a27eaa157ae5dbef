import type { Addresses } from './addresses.ts'
import type { Address } from './city.ts'
import { wordsOf } from './words.ts'

/** A reading of what was typed: words of a street (and perhaps of a neighbourhood), and a house number. */
type Reading = { words: string[]; number: number | null }
type Found = { house: number; rank: number }

const LIMIT = 8
/** Ranks add up: lower is better. Words of the name that were not typed cost, titles hardly; a long street is meant more often. */
const cost = { missingWord: 1, missingTitle: 0.1, unfinishedWord: 0.5, otherNumber: 6, perHouseOff: 0.01, hood: 0.1, tenfoldHouses: -0.7 }
const titles = new Set(
  'avenida bulevar calle camino rambla doctor general ingeniero presidente teniente coronel de del la las los y'.split(' '),
)

/** Search by free text over the address book; see `City.search`. */
export function createSearch(book: Addresses) {
  const streets = book.streets.map(wordsOf)
  const hoods = book.hoods.map(wordsOf)

  return (text: string, limit = LIMIT): Address[] => {
    const best = new Map<number, Found>()
    for (const reading of readingsOf(text)) {
      for (let street = 0; street < streets.length; street++) {
        const found = inStreet(reading, street)
        if (found && found.rank < (best.get(street)?.rank ?? Number.POSITIVE_INFINITY)) best.set(street, found)
      }
    }
    const order = [...best.values()].sort((a, b) => a.rank - b.rank || a.house - b.house)
    return order.slice(0, limit).map(({ house }) => book.address(house))
  }

  function inStreet({ words, number }: Reading, street: number): Found | null {
    const name = streets[street]!
    const others = words.filter((word) => !name.some((part) => part.startsWith(word)))
    if (others.length === words.length) return null
    const unfinished = words.filter((word) => !others.includes(word) && !name.includes(word)).length
    const houses = housesIn(street, others)
    if (houses.length === 0) return null
    const missing = name.filter((part) => !words.some((word) => part.startsWith(word)))
    const rank =
      missing.reduce((sum, part) => sum + (titles.has(part) ? cost.missingTitle : cost.missingWord), 0) +
      unfinished * cost.unfinishedWord +
      others.length * cost.hood +
      Math.log10(houses.length) * cost.tenfoldHouses
    const { house, rank: off } = number === null ? { house: houses[houses.length >> 1]!, rank: 0 } : closest(houses, number)
    return { house, rank: rank + off }
  }

  /** Houses of a street in the neighbourhoods that have all the given words; without words, all of them. */
  function housesIn(street: number, words: string[]): number[] {
    const [start, end] = book.range(street)
    const all = Array.from({ length: end - start }, (_, index) => start + index)
    if (words.length === 0) return all
    const fitting = new Set(
      hoods.flatMap((hood, index) => (words.every((word) => hood.some((part) => part.startsWith(word))) ? [index] : [])),
    )
    return fitting.size === 0 ? [] : all.filter((house) => fitting.has(book.hoodOf(house)))
  }

  /** The house with that door, else the one with the number next to it. */
  function closest(houses: number[], number: number): Found {
    let best: Found = { house: houses[0]!, rank: Number.POSITIVE_INFINITY }
    for (const house of houses) {
      const off = Math.min(...book.doors(house).map((door) => Math.abs(door - number)))
      const rank = off === 0 ? 0 : cost.otherNumber + off * cost.perHouseOff
      if (rank < best.rank) best = { house, rank }
    }
    return best
  }
}

/** What follows the number of a door: "1196 BIS", "3054 P", "361 FDO" at the back. Doors are compared without it. */
const isDoorLetter = (word: string | undefined) => word !== undefined && /^(bis|ch|fdo|fte|ldo|ss|[a-z])$/.test(word)

/** "18 de Julio 1360" is a street and a number, and which of them is the number is not known: every reading is tried. */
function readingsOf(text: string): Reading[] {
  const words = wordsOf(text)
  const readings: Reading[] = words.length > 0 ? [{ words, number: null }] : []
  words.forEach((word, at) => {
    const others = words.toSpliced(at, 1)
    if (!/^\d+$/.test(word) || others.length === 0) return
    readings.push({ words: others, number: Number(word) })
    if (others.length > 1 && isDoorLetter(words[at + 1])) readings.push({ words: others.toSpliced(at, 1), number: Number(word) })
  })
  return readings
}
