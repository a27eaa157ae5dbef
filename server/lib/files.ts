import { accessSync, constants, mkdirSync } from 'node:fs'

/** Name of the database file within the data folder. */
export const DATABASE = 'whereabouts.db'

/** Makes the data folder. Throws one sentence when it cannot be written. */
export function prepareDataDir(folder: string) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new Error(
      `The data folder ${folder} cannot be written. Give this user the right to write it, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
}
