/** How a word matches each name (by index): as a whole word, or as the beginning of one. */
export type Matches = Map<number, 'is' | 'begins'>

/** Creates an index that finds the names with a word starting with the given one. */
export function createWordIndex(names: string[][]) {
  const byWord = new Map<string, number[]>()
  names.forEach((words, name) => {
    for (const word of new Set(words)) byWord.set(word, [...(byWord.get(word) ?? []), name])
  })
  const words = [...byWord.keys()].sort()

  return (wanted: string): Matches => {
    const found: Matches = new Map()
    for (let at = firstFrom(wanted); words[at]?.startsWith(wanted); at++)
      for (const name of byWord.get(words[at]!)!) if (!found.has(name)) found.set(name, words[at] === wanted ? 'is' : 'begins')
    return found
  }

  function firstFrom(wanted: string) {
    let low = 0
    let high = words.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (words[middle]! < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}
