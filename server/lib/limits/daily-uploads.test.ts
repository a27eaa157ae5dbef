import { expect, test } from 'vitest'
import { UPLOADS_A_DAY } from '#contracts/limits/upload-limits.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryRows } from '#server/test/test-database.ts'
import { countBytes } from './daily-uploads.ts'

const ALICE = 'alice@example.com'
const DAY_SECONDS = 86_400
const bytes = { 'content-type': 'application/octet-stream' }

type Portal = Awaited<ReturnType<typeof startPortal>>

const sendPhoto = (portal: Portal, id: number) => portal.call(ALICE, 'PUT', `/devices/${id}/photo/`, Buffer.from('no picture'), bytes)

test('D-53 a tracker accepts twenty pictures a day; the next is refused with 429 until the day is over, those of other trackers are not', async () => {
  await using portal = await startPortal()
  const { rex, cityBike } = SEED.devices
  for (let nth = 0; nth < UPLOADS_A_DAY.photos.files; nth++) expect((await sendPhoto(portal, rex)).status).toBe(400)
  const refused = await sendPhoto(portal, rex)
  expect(refused.body).toMatchObject({ code: 'upload_limit', of: 'photos', files: 20 })
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, String(DAY_SECONDS)])
  expect((await sendPhoto(portal, cityBike)).status).toBe(400)
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + DAY_SECONDS * 1000) })
  expect((await sendPhoto(portal, rex)).status).toBe(400)
})

test('D-53 files of positions are refused once an account has used its megabytes of the day', async () => {
  await using portal = await startPortal()
  const { world } = portal
  const send = () => portal.call(ALICE, 'POST', `/devices/${SEED.devices.rex}/imports/`, Buffer.from('x'), bytes)
  expect((await send()).status).toBe(400)
  const [alice] = await queryRows(world.db, `select id, account_id as account from users where email = '${ALICE}'`)
  const { id, account } = alice as { id: number; account: number }
  const viewer = { userId: id, accountId: account, role: 'user' as const }
  await countBytes({ ...world, viewer }, 'imports', UPLOADS_A_DAY.imports.megabytes * 1024 * 1024)
  expect((await send()).body).toMatchObject({ code: 'upload_limit', of: 'imports' })
  const elsewhere = await portal.call('george@example.com', 'POST', `/devices/${SEED.devices.george}/imports/`, Buffer.from('x'), bytes)
  expect(elsewhere.body.code).toBe('validation_error')
})

test('D-53 an account gets fifty files of places a day', async () => {
  await using portal = await startPortal()
  const csv = { 'content-type': 'text/csv' }
  const send = () => portal.call(ALICE, 'POST', '/tracker_places/import_csv/', Buffer.from('x'), csv)
  for (let nth = 0; nth < UPLOADS_A_DAY.places.files; nth++) expect((await send()).status).toBe(400)
  expect(await send()).toMatchObject({ status: 429, body: { code: 'upload_limit', of: 'places', files: 50 } })
})
