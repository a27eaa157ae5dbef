import { expect, test } from 'vitest'
import { withSpooled } from '#server/http/spool.ts'
import { Failure } from '#server/lib/errors.ts'
import type { readPositions } from '#server/tracking/import/formats/read-file.ts'
import { createLane, runInWorker, secondsLeft } from './run-in-worker.ts'

const NOW = new Date('2026-03-02T09:00:00Z')

async function* inOnePiece(text: string) {
  yield Buffer.from(text)
}

const read = (text: string) => withSpooled(inOnePiece(text), ({ fd }) => runInWorker<typeof readPositions>('positions', fd, NOW))

test('a file is read in a thread, which returns its columns', async () => {
  const { count, format, columns, rows } = await read('time,lat,lon\n2026-02-01T12:00:00Z,1,2\n')
  expect([count, format, columns.times[rows[0]!]]).toEqual([1, 'csv', Date.UTC(2026, 1, 1, 12) / 1000])
})

test('a file that uses up the memory of its thread is refused, and the next one is read', async () => {
  const readWith40Mb = createLane({ megabytes: 40, seconds: 120, refusal: () => new Failure('too_large') })
  const readSmall = (text: string) => withSpooled(inOnePiece(text), ({ fd }) => readWith40Mb({ name: 'positions', input: [fd, NOW] }))
  // Within all limits of a record; each list of one value takes about 60 bytes.
  const lists = `${'['.repeat(50)}0${']'.repeat(50)},`.repeat(19_000)
  await expect(readSmall(`{"type":"Feature","geometry":{"coordinates":[${lists}0]}}`)).rejects.toMatchObject({ code: 'too_large' })
  expect(await readSmall('time,lat,lon\n2026-02-01T12:00:00Z,1,2\n')).toMatchObject({ count: 1 })
})

test('work is stopped by its processor time, not by the time it waits on a busy machine', async () => {
  const rows = [
    { taken: 0, passed: 0, left: 10 },
    { taken: 4, passed: 30, left: 6 },
    { taken: 10, passed: 10, left: 0 },
    { taken: 1, passed: 48, left: 2 },
    { taken: 1, passed: 50, left: 0 },
  ]
  for (const { left, ...times } of rows) expect(secondsLeft(10, times)).toBe(left)
  const readBriefly = createLane({ megabytes: 96, seconds: 0.1, refusal: () => new Failure('too_large') })
  const text = `time,lat,lon\n${'2026-02-01T12:00:00Z,1,2\n'.repeat(50_000)}`
  const reading = withSpooled(inOnePiece(text), ({ fd }) => readBriefly({ name: 'positions', input: [fd, NOW] }))
  await expect(reading).rejects.toMatchObject({ code: 'too_large' })
})

test('tasks of one kind run in the order in which they were submitted', async () => {
  const done: number[] = []
  const text = 'time,lat,lon\n2026-02-01T12:00:00Z,1,2\n'
  await Promise.all([1, 2, 3].map((nth) => read(text).then(() => done.push(nth))))
  expect(done.toSorted()).toEqual([1, 2, 3])
})
