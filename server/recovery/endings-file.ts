import { closeSync, existsSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import path from 'node:path'
import { formatInstant } from '#contracts/rules/time.ts'
import type { EndingKind } from '#db/schema/security.ts'
import { count } from '#server/lib/counts.ts'
import { runPeriodically } from '#server/lib/run-periodically.ts'
import type { World } from '#server/ports/world.ts'
import { type Ending, listEndings } from './endings.store.ts'

const TICK_MS = 1000
const LOG_PAUSE_MS = 60_000
/** The range of ids of rows that may commit later than a newer one, as happens with several connections. */
const LATE_IDS = 1000

/**
 * Copies the entries of people's endings from the database into a file outside of it, until stopped. Entries that cannot be written stay in
 * the database and are tried again, so a full disk blocks no request. After a kill, the next start writes the rest.
 */
export function copyEndings({ db, clock, log }: Pick<World, 'db' | 'clock' | 'log'>, file: string) {
  const copied = new Set<string>()
  let newest = 0
  let hasRead = false
  let loggedAt = Number.NEGATIVE_INFINITY
  async function copy() {
    if (!hasRead) for (const { hash } of readEndings(file) ?? []) copied.add(hash)
    hasRead = true
    const rows = await listEndings(db.read, newest - LATE_IDS)
    const missing = rows.filter(({ hash }) => !copied.has(hash))
    if (missing.length > 0) appendEndings(file, missing, clock.now())
    for (const { hash } of missing) copied.add(hash)
    newest = rows.at(-1)?.id ?? newest
  }
  return runPeriodically(
    () =>
      copy().catch((error) => {
        count(db, 'job_failures_total', { work: 'endings' })
        if (performance.now() - loggedAt < LOG_PAUSE_MS) return
        loggedAt = performance.now()
        log.error({ err: error, file }, 'what people have ended could not be saved outside of the database')
      }),
    TICK_MS,
  )
}

/** The entries of a list, or undefined without the file. A line cut off by a crash is written again later, so it is skipped. */
export function readEndings(file: string): Ending[] | undefined {
  if (!existsSync(file)) return undefined
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => parseLine(line) ?? [])
}

function parseLine(line: string): Ending | undefined {
  try {
    const { kind, hash } = JSON.parse(line)
    return typeof kind === 'string' && /^[0-9a-f]{64}$/.test(hash) ? { kind: kind as EndingKind, hash } : undefined
  } catch {
    return undefined
  }
}

/** Resolves once the entries are on the disk. */
function appendEndings(file: string, added: readonly Ending[], now: Date) {
  const folder = path.dirname(file)
  mkdirSync(folder, { recursive: true })
  const isNew = !existsSync(file)
  const fd = openSync(file, 'a+', 0o600)
  try {
    const lines = added.map(({ kind, hash }) => `${JSON.stringify({ kind, hash, at: formatInstant(now) })}\n`).join('')
    writeWhole(fd, endsWithLine(fd) ? lines : `\n${lines}`)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  if (isNew) syncFolder(folder)
}

function writeWhole(fd: number, text: string) {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; ) from += writeSync(fd, bytes, from)
}

function endsWithLine(fd: number) {
  const { size } = fstatSync(fd)
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last.toString() === '\n')
}

/** A new file survives a power failure only when its folder was written too. */
function syncFolder(folder: string) {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
