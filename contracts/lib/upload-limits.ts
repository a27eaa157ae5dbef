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

/** Limits of an import, `track` of the points of a preview. */
export const IMPORTS = {
  maxBytes: 64 * 1024 * 1024,
  positions: 1_000_000,
  /** Records without a usable position, each of which costs time as well. */
  skipped: 100_000,
  positionsPerCall: 50_000,
  errors: 100,
  /** Names of columns, fields and files that were not read, and characters of each. */
  unused: 50,
  unusedName: 60,
  /** What the files of an archive may have together, and how many there may be. */
  unpackedBytes: 128 * 1024 * 1024,
  unpackedFiles: 2000,
  track: 2000,
  filename: 200,
  previewMinutes: 60,
} as const
