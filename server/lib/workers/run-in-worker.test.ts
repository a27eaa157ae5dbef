import { expect, test } from 'vitest'
import { withSpooled } from '#server/http/spool.ts'
import { Failure } from '#server/lib/errors.ts'
import type { readPositions } from '#server/tracking/import/formats/read-file.ts'
import { createLane, runInWorker } from './run-in-worker.ts'

const NOW = new Date('2026-03-02T09:00:00Z')

async function* inOnePiece(text: string) {
  yield Buffer.from(text)
}

const read = (text: string) => withSpooled(inOnePiece(text), ({ fd }) => runInWorker<typeof readPositions>('positions', fd, NOW))

test('a file is read in a thread, and its columns come back', async () => {
  const { count, format, columns, rows } = await read('time,lat,lon\n2026-02-01T12:00:00Z,1,2\n')
  expect([count, format, columns.times[rows[0]!]]).toEqual([1, 'csv', Date.UTC(2026, 1, 1, 12) / 1000])
})

test('a file that takes all memory of its thread is refused, and the next one is read', async () => {
  const readWith40Mb = createLane({ megabytes: 40, seconds: 120, refusal: () => new Failure('too_large') })
  const readSmall = (text: string) => withSpooled(inOnePiece(text), ({ fd }) => readWith40Mb({ name: 'positions', input: [fd, NOW] }))
  // Within all limits of a record; each list of one value takes about 60 bytes.
  const lists = `${'['.repeat(50)}0${']'.repeat(50)},`.repeat(19_000)
  await expect(readSmall(`{"type":"Feature","geometry":{"coordinates":[${lists}0]}}`)).rejects.toMatchObject({ code: 'too_large' })
  expect(await readSmall('time,lat,lon\n2026-02-01T12:00:00Z,1,2\n')).toMatchObject({ count: 1 })
})

test('pieces of work of one kind are done in the order in which they came', async () => {
  const done: number[] = []
  const text = 'time,lat,lon\n2026-02-01T12:00:00Z,1,2\n'
  await Promise.all([1, 2, 3].map((nth) => read(text).then(() => done.push(nth))))
  expect(done.toSorted()).toEqual([1, 2, 3])
})
