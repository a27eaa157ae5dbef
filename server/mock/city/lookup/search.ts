import { normalizeWords } from '#server/mock/city/build/words.ts'
import type { Address } from '#server/mock/city/city.ts'
import type { Addresses } from './addresses.ts'

type ParsedQuery = { words: string[]; number: number | null }
/** A street that matches a query before its houses are compared: those in `hoods`, or all. Its rank can only get worse. */
type Candidate = { street: number; hoods: Set<number> | null; number: number | null; rank: number }
type Found = { house: number; rank: number }

const DEFAULT_LIMIT = 8
/** No address has more words, and trying every interpretation of a longer query would take too long. */
const MAX_WORDS = 20
/** Ranks add up, lower is better. Words of the name missing from the query add to it, titles hardly; long streets are preferred. */
const RANK_COST = {
  missingWord: 1,
  missingTitle: 0.1,
  unfinishedWord: 0.5,
  otherNumber: 6,
  perHouseOff: 0.01,
  hood: 0.1,
  tenfoldHouses: -0.7,
}
const TITLES = new Set(
  'avenida bulevar calle camino rambla doctor general ingeniero presidente teniente coronel de del la las los y'.split(' '),
)

export function createAddressSearch(book: Addresses) {
  const names = book.streets.map(normalizeWords)
  const streetsWith = createWordIndex(names)
  const hoodsWith = createWordIndex(book.hoods.map(normalizeWords))

  return (text: string, limit = DEFAULT_LIMIT): Address[] => {
    const candidates = parseQuery(text)
      .flatMap(findCandidates)
      .sort((a, b) => a.rank - b.rank)
    const best = new Map<number, Found>()
    let worst = Number.POSITIVE_INFINITY
    for (const candidate of candidates) {
      if (candidate.rank > worst) break
      const found = pickHouse(candidate)
      if (found.rank >= (best.get(candidate.street)?.rank ?? Number.POSITIVE_INFINITY)) continue
      best.set(candidate.street, found)
      if (best.size >= limit) worst = sortByRank(best)[limit - 1]!.rank
    }
    return sortByRank(best)
      .slice(0, limit)
      .map(({ house }) => book.address(house))
  }

  function findCandidates({ words, number }: ParsedQuery): Candidate[] {
    const inStreets = words.map(streetsWith)
    const inHoods = words.map(hoodsWith)
    const known = new Map<string, Set<number>>()
    return findLikelyStreets(inStreets, inHoods).flatMap((street) => {
      const others = words.flatMap((_, at) => (inStreets[at]!.has(street) ? [] : [at]))
      const key = others.join()
      const hoods = others.length > 0 ? (known.get(key) ?? intersectKeys(others.map((at) => inHoods[at]!))) : null
      if (hoods) known.set(key, hoods)
      const houses = hoods?.size === 0 ? 0 : countHouses(street, hoods)
      if (houses === 0) return []
      const unfinished = inStreets.filter((found) => found.get(street) === 'begins').length
      const missing = names[street]!.filter((part) => !words.some((word) => part.startsWith(word)))
      const rank =
        missing.reduce((sum, part) => sum + (TITLES.has(part) ? RANK_COST.missingTitle : RANK_COST.missingWord), 0) +
        unfinished * RANK_COST.unfinishedWord +
        others.length * RANK_COST.hood +
        Math.log10(houses) * RANK_COST.tenfoldHouses
      return [{ street, hoods, number, rank }]
    })
  }

  /** The streets that match at least one word, and every word that no neighbourhood matches. */
  function findLikelyStreets(inStreets: WordMatches[], inHoods: WordMatches[]): number[] {
    const needed = inStreets.filter((_, at) => inHoods[at]!.size === 0).sort((a, b) => a.size - b.size)
    return needed.length > 0 ? [...intersectKeys(needed)] : [...new Set(inStreets.flatMap((found) => [...found.keys()]))]
  }

  function countHouses(street: number, hoods: Set<number> | null): number {
    const [start, end] = book.range(street)
    if (!hoods) return end - start
    let houses = 0
    for (let house = start; house < end; house++) if (hoods.has(book.hood(house))) houses++
    return houses
  }

  /** The house with that number, else the one with the closest number; without a number the house in the middle. */
  function pickHouse({ street, hoods, number, rank }: Candidate): Found {
    const [start, end] = book.range(street)
    const all = Array.from({ length: end - start }, (_, index) => start + index)
    const houses = hoods ? all.filter((house) => hoods.has(book.hood(house))) : all
    if (number === null) return { house: houses[houses.length >> 1]!, rank }
    let best: Found = { house: houses[0]!, rank: Number.POSITIVE_INFINITY }
    for (const house of houses) {
      const off = Math.min(...book.doors(house).map((door) => Math.abs(door - number)))
      const worse = off === 0 ? 0 : RANK_COST.otherNumber + off * RANK_COST.perHouseOff
      if (rank + worse < best.rank) best = { house, rank: rank + worse }
    }
    return best
  }
}

const sortByRank = (found: Map<number, Found>) => [...found.values()].sort((a, b) => a.rank - b.rank || a.house - b.house)

const intersectKeys = ([first, ...others]: WordMatches[]) =>
  new Set([...(first?.keys() ?? [])].filter((each) => others.every((other) => other.has(each))))

/** Suffixes of a house number: "1196 BIS", "3054 P", "361 FDO". House numbers are compared without them. */
const isDoorLetter = (word: string | undefined) => word !== undefined && /^(bis|ch|fdo|fte|ldo|ss|[a-z])$/.test(word)

/** "18 de Julio 1360" does not say which number is the house's, so every interpretation is tried. */
function parseQuery(text: string): ParsedQuery[] {
  const words = normalizeWords(text)
  if (words.length > MAX_WORDS) return []
  const readings: ParsedQuery[] = words.length > 0 ? [{ words, number: null }] : []
  words.forEach((word, at) => {
    const others = words.toSpliced(at, 1)
    if (!/^\d+$/.test(word) || others.length === 0) return
    readings.push({ words: others, number: Number(word) })
    if (others.length > 1 && isDoorLetter(words[at + 1])) readings.push({ words: others.toSpliced(at, 1), number: Number(word) })
  })
  return readings
}

/** How a word matches each name (by index): as a whole word, or as the beginning of one. */
export type WordMatches = Map<number, 'is' | 'begins'>

export function createWordIndex(names: string[][]) {
  const byWord = new Map<string, number[]>()
  names.forEach((words, name) => {
    for (const word of new Set(words)) byWord.set(word, [...(byWord.get(word) ?? []), name])
  })
  const words = [...byWord.keys()].sort()

  return (word: string): WordMatches => {
    const found: WordMatches = new Map()
    for (let at = findFirst(word); words[at]?.startsWith(word); at++)
      for (const name of byWord.get(words[at]!)!) if (!found.has(name)) found.set(name, words[at] === word ? 'is' : 'begins')
    return found
  }

  function findFirst(word: string) {
    let low = 0
    let high = words.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (words[middle]! < word) low = middle + 1
      else high = middle
    }
    return low
  }
}
