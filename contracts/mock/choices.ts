import * as z from 'zod/mini'

/** Returns the number of letters to add, remove or replace to turn one word into the other (Levenshtein distance). */
function countTypos(one: string, other: string) {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...one].entries()) {
    const line = [row + 1]
    for (const [column, wanted] of [...other].entries())
      line.push(Math.min(line[column]! + 1, before[column + 1]! + 1, before[column]! + (letter === wanted ? 0 : 1)))
    before = line
  }
  return before.at(-1)!
}

/** Longer words are not compared: they are no typos, and comparing takes long. */
const MAX_LENGTH = 100
const MAX_SHOWN = 30

/** Drops what people confuse in names: capital letters and separators. */
const normalize = (word: string) => word.toLowerCase().replace(/[-_ .]+/g, '.')

/**
 * Finds the word closest to a mistyped one: at most two letters away, a third of the letters of a long word, half of those of a short one.
 */
export function findNearest(typed: string, words: Iterable<string>): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined
  const wanted = normalize(typed)
  let least = Math.min(Math.max(2, Math.floor(typed.length / 3)), Math.floor(typed.length / 2)) + 1
  let nearest: string | undefined
  for (const word of words) {
    const typos = countTypos(wanted, normalize(word))
    if (typos >= least || typos >= word.length) continue
    least = typos
    nearest = word
  }
  return nearest
}

/** Returns an error message for an unknown name: the most similar name, and all names if they are few. */
export function describeChoice(typed: unknown, words: readonly string[]): string {
  const nearest = typeof typed === 'string' ? findNearest(typed, words) : undefined
  const what = typeof typed === 'string' ? `“${typed.slice(0, MAX_LENGTH)}” is unknown.` : 'Not a name.'
  return [
    what,
    ...(nearest === undefined ? [] : [`Did you mean ${nearest}?`]),
    ...(words.length > 0 && words.length <= MAX_SHOWN ? [`One of ${words.join(', ')}`] : []),
  ].join(' ')
}

/** A schema for one of several names; its error suggests the most similar one. */
export const choice = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names as unknown as Names & [string, ...string[]], { error: ({ input }) => describeChoice(input, names) })
