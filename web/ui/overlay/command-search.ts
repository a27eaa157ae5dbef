import type { Command } from '#web/lib/navigation/commands.ts'

export type Found = Command

/** More than the number of pages. */
const MAX_RESULTS = 20
const foldCase = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase()

/** Returns commands that contain every word of the query, ignoring accents and case; matches at the beginning come first. */
export function search(commands: readonly Command[], query: string): Found[] {
  const words = foldCase(query).split(/\s+/).filter(Boolean)
  const matching = commands.filter(({ label, hint = '' }) => {
    const text = foldCase(`${label} ${hint}`)
    return words.every((word) => text.includes(word))
  })
  const rank = ({ label }: Command) => Number(!foldCase(label).startsWith(words[0] ?? ''))
  return matching.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_RESULTS)
}
