/** Limits to the structure of a file of positions; a file beyond them is refused before it can take much memory. */
export const FILE_SHAPE = {
  /** Nesting depth of elements, objects and lists. */
  depth: 64,
  /** Values per record; a JSON object counts as four, and a text as one more for each 32 characters. */
  values: 1_000_000,
  /** Attributes per XML element. */
  attributes: 64,
  /** Keys of a JSON object, or columns of a csv file. */
  keys: 1000,
  /** Characters of an XML or JSON name. */
  name: 256,
  /** Characters of a text, a comment, or anything else between two names. */
  text: 4 * 1024 * 1024,
} as const

/** Files that an account may send in 24 hours, and their total size; photos are counted per tracker. */
export const UPLOADS_A_DAY = {
  imports: { files: 100, megabytes: 1024 },
  places: { files: 50, megabytes: 50 },
  photos: { files: 20, megabytes: 500 },
} as const

/** Limits of an import; `track` limits the points of a preview. */
export const IMPORTS = {
  maxBytes: 64 * 1024 * 1024,
  positions: 1_000_000,
  /** Records without a usable position, which cost time as well. */
  skipped: 100_000,
  positionsPerCall: 50_000,
  errors: 100,
  /** The most names of ignored columns, fields and files that are listed, and characters of each. */
  unused: 50,
  unusedName: 60,
  /** The total size of the files in an archive, and their number. */
  unpackedBytes: 128 * 1024 * 1024,
  unpackedFiles: 2000,
  track: 2000,
  filename: 200,
  previewMinutes: 60,
} as const
