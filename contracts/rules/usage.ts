import type { Kind, Usage } from '#contracts/lib/constants.ts'

/** The firmware profile of a kind: the same word, except that a plane has none of its own. */
export const usageOf = (kind: Kind): Usage => (kind === 'plane' ? 'other' : kind)

/** Usages with the animal modes 21, 23, 22 and 27. */
export const isAnimal = (usage: Usage) => usage === 'dog' || usage === 'cat'
