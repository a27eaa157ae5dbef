import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import type { EndingKind } from '#db/schema/security.ts'
import { type Connection, connect } from './driver.ts'
import { openSqlite } from './open.ts'
import { explain } from './problems.ts'

/**
 * Copies a database while a server writes to it: the copy contains everything committed by its end. Throws one sentence when there is no
 * database, when it cannot be read, or when `to` exists.
 */
export function backUp(file: string, to: string) {
  if (!existsSync(file)) throw new Error(`There is no database ${file}. Set DATA_DIR to the folder of the one to back up.`)
  if (existsSync(to)) throw new Error(`${to} exists, and a backup replaces nothing. Name a file that is new.`)
  const db = openSqlite(file)
  try {
    db.raw.prepare('vacuum into ?').run(part(to))
    check(part(to), to)
    renameSync(part(to), to)
  } finally {
    db.close()
    removeFiles(part(to))
  }
}

/**
 * Replaces a database by a backup and keeps the former file, damaged or not, next to it; returns that file's new name. Throws one sentence,
 * and changes nothing, when `from` is no backup or when a server is running on the database.
 */
export function restore(from: string, file: string, now: Date): string | undefined {
  if (!existsSync(from)) throw new Error(`There is no file ${from}.`)
  try {
    copyFileSync(from, part(file))
    check(part(file), from)
    const former = existsSync(file) ? `${file}.until-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z` : undefined
    if (former) {
      closeWell(file)
      moveFiles(file, former)
    }
    renameSync(part(file), file)
    return former
  } finally {
    removeFiles(part(file))
  }
}

type Ending = { kind: EndingKind; hash: string }

/** The list of endings in a replaced database; empty if it cannot be read. */
export function listEndingsOf(file: string): Ending[] {
  let db: Connection | undefined
  try {
    db = connect(file)
    return db.prepare('select kind, hash from endings').all() as Ending[]
  } catch {
    return []
  } finally {
    db?.close()
  }
}

const part = (file: string) => `${file}.part`

/** Throws unless the file is a complete database of ours; leaves it as a single file. */
function check(file: string, name: string) {
  let db: Connection | undefined
  try {
    db = connect(file)
    db.pragma('journal_mode = DELETE')
    if (db.pragma('integrity_check', { simple: true }) !== 'ok') throw new Error('damaged')
    db.prepare('select 1 from __drizzle_migrations').get()
  } catch (cause) {
    throw new Error(`${name} is not a whole backup of Whereabouts.`, { cause })
  } finally {
    db?.close()
  }
}

/** Merges the journal, which only works while no other process has the database open. */
function closeWell(file: string) {
  const db = connect(file)
  try {
    db.pragma('busy_timeout = 0')
    db.pragma('journal_mode = DELETE')
  } catch (error) {
    if (isDamage(error)) return // a damaged database is the reason to restore: it is moved aside unchanged, with its journal
    throw explain(error, file)
  } finally {
    db.close()
  }
}

const isDamage = (error: unknown) => error instanceof Error && 'code' in error && /^SQLITE_(NOTADB|CORRUPT)/.test(String(error.code))

/** A database and its journal. */
const SUFFIXES = ['', '-wal', '-shm']

const moveFiles = (from: string, to: string) => {
  for (const suffix of SUFFIXES) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix)
}

const removeFiles = (file: string) => {
  for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true })
}
