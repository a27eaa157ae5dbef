import { setImmediate } from 'node:timers/promises'
import type { ImportFormat } from '#contracts/data.ts'
import { readBytes } from '#server/lib/workers/read-bytes.ts'
import { createFileReader } from './file.ts'
import { createFixes, refuseFile } from './fixes.ts'

/** Bytes read between two yields to the event loop: a few milliseconds. */
const BYTES_AT_ONCE = 1 << 15

/**
 * Reads a file into columns, and the order in which to save its rows by time. Runs in a thread: the cost of a file is limited, but may be
 * seconds.
 */
export async function readPositions(fd: number, now: Date) {
  const { fixes, format } = await readFile(readBytes(fd), now)
  const { errors, skipped, count, damage, unused } = fixes
  return { format, errors, skipped, count, damage, unused, columns: fixes.columns(), rows: await orderByTime(fixes.times()) }
}

/** Reads a file of any known format. Throws a failure with the reason and the line if nothing of it can be read. */
export async function readFile(bytes: AsyncIterable<Uint8Array>, now: Date) {
  const fixes = createFixes(now)
  let format: ImportFormat | null = null
  const reader = createFileReader(fixes.sinkOf, (found) => {
    format ??= found
  })
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += BYTES_AT_ONCE) {
      reader.write(chunk.subarray(at, at + BYTES_AT_ONCE))
      await setImmediate()
    }
  }
  await reader.end()
  const { damage } = fixes
  if (fixes.count === 0 && fixes.skipped === 0) {
    if (damage) throw refuseFile('broken', damage.line)
    throw refuseFile(format === null ? 'unknown_format' : 'empty')
  }
  return { fixes, format: (format ?? 'csv') as ImportFormat }
}

/** Rows handled between two yields to the event loop: a few milliseconds. */
const AT_ONCE = 1 << 14

/**
 * Returns the rows of a file in the order of their times, each second once: of several rows of a second the first. Sorts in runs and merges
 * them, so that a million rows do not block the event loop.
 */
export async function orderByTime(times: Float64Array): Promise<Uint32Array> {
  let runs: Uint32Array[] = []
  for (let first = 0; first < times.length; first += AT_ONCE) {
    const run = Uint32Array.from({ length: Math.min(AT_ONCE, times.length - first) }, (_, index) => first + index)
    runs.push(isAscending(times, run) ? run : run.sort((a, b) => times[a]! - times[b]! || a - b))
    await setImmediate()
  }
  while (runs.length > 1) {
    const merged: Uint32Array[] = []
    for (let index = 0; index < runs.length; index += 2) {
      const [left, right] = [runs[index]!, runs[index + 1]]
      merged.push(right ? await mergeRuns(times, left, right) : left)
    }
    runs = merged
  }
  return dropRepeated(times, runs[0] ?? new Uint32Array())
}

function isAscending(times: Float64Array, rows: Uint32Array) {
  for (let index = 1; index < rows.length; index++) if (times[rows[index - 1]!]! > times[rows[index]!]!) return false
  return true
}

async function mergeRuns(times: Float64Array, left: Uint32Array, right: Uint32Array) {
  const merged = new Uint32Array(left.length + right.length)
  for (let at = 0, l = 0, r = 0; at < merged.length; at++) {
    const takesLeft = r === right.length || (l < left.length && times[left[l]!]! <= times[right[r]!]!)
    merged[at] = takesLeft ? left[l++]! : right[r++]!
    if (at % (4 * AT_ONCE) === 0) await setImmediate()
  }
  return merged
}

async function dropRepeated(times: Float64Array, rows: Uint32Array) {
  let count = 0
  for (let index = 0; index < rows.length; index++) {
    if (index === 0 || times[rows[index]!] !== times[rows[index - 1]!]) rows[count++] = rows[index]!
    // Overwriting is safe: equal rows before this one have the same time.
    if (index % (4 * AT_ONCE) === 0) await setImmediate()
  }
  return rows.subarray(0, count)
}
