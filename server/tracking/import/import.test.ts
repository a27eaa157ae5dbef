import { expect, test } from 'vitest'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { cleanUp } from '#server/jobs/clean-up.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { markAgain } from '#server/jobs/summarize-days.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { queryValue } from '#server/test/test-database.ts'
import { emptyRow, FORMATS } from './test-files.ts'
import { ALICE, startImport } from './test-import.ts'

const gpx = (points: string) => `<gpx version="1.1"><trk><trkseg>${points}</trkseg></trk></gpx>`
const point = (time: string, lat = 1) => `<trkpt lat="${lat}" lon="2"><time>${time}</time></trkpt>\n`
const minutes = (count: number) =>
  Array.from({ length: count }, (_, minute) => point(new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString())).join('')

test.each(FORMATS)('%s is read: format, positions and measurements', async (_, { text, format, rows, errors = [] }) => {
  await using page = await startImport()
  const preview = await page.preview(text)
  expect(preview).toMatchObject({ format, count: rows.length, errors, skipped: errors.length, state: 'preview', saved: 0, added: 0 })
  expect(await page.stored()).toEqual([])
  expect((await page.commit(preview.id)).body).toMatchObject({ state: 'saved', saved: rows.length, added: rows.length })
  expect(await page.stored()).toEqual(rows.map((row) => ({ ...emptyRow, ...row })))
})

test('a preview shows count, period, repeated seconds, skipped lines with reasons and a line for the map', async () => {
  await using page = await startImport()
  const points = [
    point('2026-02-01T12:01:00Z'),
    point('2026-02-01T12:00:00Z'),
    point('2026-02-01T12:00:00.9Z', 5),
    point('soon'),
    point('2026-02-01T12:02:00Z', 91),
    '<trkpt lat="1" lon="2"/>\n',
    point('2030-01-01T00:00:00Z'),
    point('1990-01-01T00:00:00Z'),
  ]
  const preview = await page.preview(gpx(`\n${points.join('')}`))
  expect(preview).toMatchObject({ count: 2, repeated: 1, skipped: 5, first: '2026-02-01T12:00:00Z', last: '2026-02-01T12:01:00Z' })
  expect(preview.errors).toEqual([
    { line: 5, reason: 'bad_time' },
    { line: 6, reason: 'bad_coordinates' },
    { line: 7, reason: 'no_time' },
    { line: 8, reason: 'in_the_future' },
    { line: 9, reason: 'too_old' },
  ])
  expect(preview.track).toEqual([
    { lat: 1, lng: 2 },
    { lat: 1, lng: 2 },
  ])
})

test('the same file twice adds nothing, and undoing the second import leaves the positions of the first', async () => {
  await using page = await startImport()
  const file = gpx(minutes(2500))
  const first = await page.preview(file)
  await page.commit(first.id)
  const again = await page.preview(file)
  expect((await page.commit(again.id)).body).toMatchObject({ state: 'saved', count: 2500, added: 0 })
  expect((await page.list()).map(({ id }: { id: number }) => id)).toEqual([again.id, first.id])
  expect((await page.undo(again.id)).status).toBe(200)
  expect(await page.stored()).toHaveLength(2500)
})

test('undoing an import deletes what it added and no position that existed before', async () => {
  await using page = await startImport()
  const own = { ...emptyRow, time: Date.UTC(2026, 0, 1, 0, 7) / 1000, lat: 5, lng: 6, precision: 3 }
  await page.add(page.target, [own])
  const { id } = await page.preview(gpx(minutes(2500)))
  expect((await page.commit(id)).body).toMatchObject({ added: 2499 })
  expect(await page.stored()).toHaveLength(2500)
  expect((await page.undo(id)).status).toBe(200)
  expect(await page.stored()).toEqual([own])
  expect(await page.list()).toEqual([])
  expect((await page.undo(id)).status).toBe(404)
})

test('a long import is saved in parts, which can be undone half-way', async () => {
  await using page = await startImport()
  const { id } = await page.preview(gpx(minutes(IMPORTS.positionsPerCall + 1500)))
  expect((await page.commit(id)).body).toMatchObject({ state: 'saving', saved: IMPORTS.positionsPerCall })
  expect(await page.list()).toMatchObject([{ id, state: 'saving' }])
  expect((await page.commit(id)).body).toMatchObject({ state: 'saved', saved: IMPORTS.positionsPerCall + 1500 })
  expect((await page.undo(id)).status).toBe(200)
  expect(await page.stored()).toEqual([])
})

test('an import fires no alert, moves no tracker and publishes nothing', async () => {
  await using page = await startImport()
  const { portal } = page
  const { rex } = SEED.devices
  const state = async () => [
    (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_status/`)).body,
    await queryValue(portal.world.db, 'select count(*) from live_events'),
    await queryValue(portal.world.db, 'select count(*) from emails'),
  ]
  const before = await state()
  const url = `/devices/${rex}/imports/`
  const file = Buffer.from(gpx(point('2026-03-02T08:59:59Z', -34.5)))
  const { body } = await portal.call(ALICE, 'POST', url, file, { 'content-type': 'application/octet-stream' })
  expect((await portal.call(ALICE, 'POST', `${url}${body.id}/commit/`)).body).toMatchObject({ added: 1 })
  expect(await state()).toEqual(before)
})

test('a preview expires after an hour and is replaced by the next one; a saved import stays', async () => {
  await using page = await startImport()
  const saved = await page.preview(gpx(minutes(3)))
  await page.commit(saved.id)
  const [first, second] = [await page.preview(gpx(minutes(4))), await page.preview(gpx(minutes(5)))]
  expect((await page.commit(first.id)).status).toBe(404)
  page.portal.clock.set({ at: new Date(page.portal.clock.now().getTime() + 3_600_000) })
  const fired = await runDue(page.portal.world, page.portal.clock.now(), { jobs: [cleanUp] })
  expect(fired).toContainEqual(expect.objectContaining({ kind: 'clean_up', ref: 'import_previews' }))
  expect((await page.commit(second.id)).status).toBe(404)
  expect(await page.list()).toMatchObject([{ id: saved.id, count: 3 }])
})

test('positions of an import that look wrong are marked an hour later', async () => {
  await using page = await startImport()
  const leap = point('2026-01-01T00:10:30Z', 3)
  const { id } = await page.preview(gpx(minutes(20).replace(point('2026-01-01T00:10:00.000Z'), leap)))
  await page.commit(id)
  page.portal.clock.set({ at: new Date(page.portal.clock.now().getTime() + 3_600_000) })
  await runDue(page.portal.world, page.portal.clock.now(), { jobs: [markAgain] })
  const marked = (await page.stored()).filter(({ mark }) => mark !== null)
  expect(marked.map(({ time, mark }) => [time, POSITION_MARKS[mark!]])).toEqual([[Date.UTC(2026, 0, 1, 0, 10, 30) / 1000, 'jump']])
})

test('imports need the right to change trackers, and those of another account are not found', async () => {
  await using page = await startImport()
  const { id } = await page.preview(gpx(minutes(2)))
  expect((await page.upload(gpx(minutes(2)), 'file', 'support@example.com')).status).toBe(403)
  expect((await page.upload(gpx(minutes(2)), 'file', 'dario@example.com')).status).toBe(404)
  expect((await page.commit(id, 'dario@example.com')).status).toBe(404)
  expect((await page.undo(id, 'dario@example.com')).status).toBe(404)
  const other = `/devices/${SEED.devices.rex}/imports/${id}/commit/`
  expect((await page.portal.call(ALICE, 'POST', other)).status).toBe(404)
})

test('an account reads one file at a time and two wait; a fourth is refused with 429 and Retry-After until one of them is done', async () => {
  await using page = await startImport()
  const { portal, target } = page
  const send = (as: string, id: number) =>
    portal.call(as, 'POST', `/devices/${id}/imports/`, Buffer.from(gpx(minutes(20_000))), { 'content-type': 'application/octet-stream' })
  const foreign = send('george@example.com', SEED.devices.george)
  const answers = await Promise.all([target, SEED.devices.rex, target, target].map((id) => send(ALICE, id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429])
  const refused = answers.find(({ status }) => status === 429)
  expect([refused?.body.code, refused?.headers['retry-after']]).toEqual(['account_busy', '10'])
  expect((await foreign).status).toBe(201)
  expect((await send(ALICE, target)).status).toBe(201)
})

test('a file that is sent with another content type is refused with 415', async () => {
  await using page = await startImport()
  const { url, portal } = page
  const answer = await portal.call(ALICE, 'POST', url, Buffer.from('<gpx/>'), { 'content-type': 'text/xml' })
  expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type'])
})
