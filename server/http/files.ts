import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Name of the database file within the data folder. */
export const DATABASE = 'whereabouts.db'

/** Makes the data folder. Throws one sentence when it cannot be written. */
export function prepareDataDir(folder: string) {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new Error(
      `The data folder ${folder} cannot be written. Give this user the right to write it, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

/** With its parents. `recursive` of Node 20 tries for ever where a file system such as /proc has no room for folders. */
function makeFolder(folder: string) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  makeFolder(path.dirname(folder))
  mkdirSync(folder)
}
