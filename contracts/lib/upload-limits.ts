/** The shape of a file of positions; one beyond it is refused before it can take much memory. */
export const FILE_SHAPE = {
  /** Elements, objects and lists within each other. */
  depth: 64,
  /** Values of one record; in JSON an object counts as four, and a text as one more for each 32 characters. */
  values: 1_000_000,
  /** Attributes of an element of XML. */
  attributes: 64,
  /** Keys of an object of JSON, or columns of a csv. */
  keys: 1000,
  /** Characters of a name of XML or JSON. */
  name: 256,
  /** Characters of a text, of a comment, or of anything else between two names. */
  text: 4 * 1024 * 1024,
} as const

/** Files that an account may send in 24 hours, and their size together; photos are counted for each tracker. */
export const UPLOADS_A_DAY = {
  imports: { files: 100, megabytes: 1024 },
  places: { files: 50, megabytes: 50 },
  photos: { files: 20, megabytes: 500 },
} as const
