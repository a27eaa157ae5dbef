import { formatProgram } from '#db/program-files.ts'

const RESTORE = `Restore a backup with "${formatProgram('restore')} FILE", or move the file away to begin without its data.`

const remedies: Record<string, string> = {
  SQLITE_NOTADB: `is not a database. ${RESTORE}`,
  SQLITE_CORRUPT: `is damaged. ${RESTORE}`,
  SQLITE_BUSY: 'is locked by another program. Stop the other server that uses it, or set DATA_DIR to another folder.',
  SQLITE_READONLY: 'cannot be written. Give this user the right to write it, or set DATA_DIR to another folder.',
  SQLITE_CANTOPEN: 'cannot be opened. Check that the folder exists and can be written, or set DATA_DIR to another folder.',
  SQLITE_FULL: 'cannot grow: the disk is full.',
}

/** Turns an error of SQLite about a file into one sentence with the remedy; returns any other error unchanged. */
export function explain(error: unknown, file: string) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const remedy = Object.entries(remedies).find(([name]) => code.startsWith(name))?.[1]
  if (remedy) return new Error(`The database ${file} ${remedy}`, { cause: error })
  if (error instanceof TypeError && error.message.includes('directory does not exist'))
    return new Error(`The database ${file} ${remedies.SQLITE_CANTOPEN}`, { cause: error })
  return error
}
