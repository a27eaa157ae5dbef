import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

export const DATABASE = 'whereabouts.db'

/** Creates the data folder. Throws a one-sentence error when it is not writable. */
export function prepareDataDir(folder: string) {
  try {
    ensureFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new Error(
      `The data folder ${folder} cannot be written. Give this user the right to write it, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

/** Creates a folder and its parents. `recursive` of Node 20 loops forever on file systems like /proc that cannot hold folders. */
function ensureFolder(folder: string) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  ensureFolder(path.dirname(folder))
  mkdirSync(folder)
}
