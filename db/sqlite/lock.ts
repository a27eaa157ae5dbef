import path from 'node:path'
import { connect } from './driver.ts'

const FILENAME = 'whereabouts.lock'

/**
 * Reserves a data folder for this process and returns the function that releases it. Two servers on one database would send each mail twice
 * and cache data that the other changes. It is an operating system lock on a file, so it ends with the process, however that ends. Throws
 * one sentence when another process holds it.
 */
export function lockFolder(folder: string) {
  const db = connect(path.join(folder, FILENAME))
  try {
    db.pragma('busy_timeout = 0')
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    throw new Error(`Another server uses the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`, { cause })
  }
  return () => db.close()
}
