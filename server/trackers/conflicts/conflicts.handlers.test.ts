import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { unlinkRequests } from '#db/schema/sharing.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const PATH = '/devices/trackers/unlink_request/'
const unlinkRequest = { identifier: '80000000-01', email: 'Alice@example.com ', reason: 'bought_used' }

const earnProof = async (portal: Portal, email = ALICE) => {
  const right = { identifier: '80000000-01', serial: 'VICTOR000001' }
  return (await portal.call(email, 'POST', '/devices/trackers/serial_check/', right)).body.serial_proof as string
}
const pending = ({ world }: Portal) => world.db.read.$count(unlinkRequests, eq(unlinkRequests.status, 'pending'))

test('R-7.4 an unlink request is saved and gets a reference', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'POST', PATH, {
    ...unlinkRequest,
    message: 'From a flea market',
    purchase_date: '2026-02-01',
  })
  expect(status).toBe(201)
  expect(body).toEqual({ reference: 'UR-000002', status: 'pending' })
  const [row] = await portal.world.db.read.select().from(unlinkRequests).where(eq(unlinkRequests.id, 2))
  expect(row).toMatchObject({ identifier: '8000000001', email: 'alice@example.com', reason: 'bought_used', purchaseDate: '2026-02-01' })
})

test('an unlink request may name the tracker by its serial', async () => {
  await using portal = await startPortal()
  const { identifier: _, ...rest } = unlinkRequest
  expect((await portal.call(ALICE, 'POST', PATH, { ...rest, serial: 'victor-000 002' })).status).toBe(201)
})

test('an unlink request with an invalid value is refused with an error for its field', async () => {
  await using portal = await startPortal()
  const rows = [
    [{ identifier: '1234' }, 'identifier'],
    [{ serial: 'SHORT' }, 'serial'],
    [{ identifier: undefined }, 'identifier'],
    [{ email: 'a@b' }, 'email'],
    [{ reason: 'because' }, 'reason'],
    [{ message: 'x'.repeat(1001) }, 'message'],
    [{ serial_proof: 'mine' }, 'serial_proof'],
  ] as const
  expect(
    await collectFailures(rows, JSON.stringify, async ([change, field]) => {
      const { status, body } = await portal.call(ALICE, 'POST', PATH, { ...unlinkRequest, ...change })
      expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
    }),
  ).toEqual([])
})

test('unlink requests for unknown, free, locked and already requested trackers are refused', async () => {
  await using portal = await startPortal()
  const rows = [
    ['99999999-99', 404, 'unknown_tracker'],
    ['90000000-01', 404, 'unknown_tracker'],
    ['80000000-03', 423, 'serial_locked'],
    ['80000000-04', 409, 'request_pending'],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([identifier]) => identifier,
      async ([identifier, status, code]) => {
        expect(await portal.call(ALICE, 'POST', PATH, { ...unlinkRequest, identifier })).toMatchObject({ status, body: { code } })
      },
    ),
  ).toEqual([])
})

test('an unlink request with the numbers of two trackers is refused', async () => {
  await using portal = await startPortal()
  expect((await portal.call(ALICE, 'POST', PATH, { ...unlinkRequest, serial: 'VICTOR000002' })).status).toBe(404)
})

test('a second unlink request for a tracker is refused while one is pending', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'POST', PATH, unlinkRequest)
  expect((await portal.call('bruno@example.com', 'POST', PATH, unlinkRequest)).body.code).toBe('request_pending')
})

test('an unlink request with a serial proof frees the tracker at once', async () => {
  await using portal = await startPortal()
  await portal.call('bruno@example.com', 'POST', PATH, unlinkRequest)
  const { status, body } = await portal.call(ALICE, 'POST', PATH, { ...unlinkRequest, serial_proof: await earnProof(portal) })
  expect([status, body.status]).toEqual([201, 'accepted'])
  const { read } = portal.world.db
  expect(await read.$count(devices, eq(devices.id, SEED.devices.victorFree))).toBe(0)
  const added = await portal.call(ALICE, 'POST', '/devices/trackers/', { serial: 'VICTOR000001', name: 'Mine', kind: 'bike' })
  expect(added).toMatchObject({ status: 201, body: { identifier: '8000000001' } })
  expect(await pending(portal)).toBe(1)
  expect((await portal.call('victor@example.com', 'GET', `/devices/${SEED.devices.victorFree}/`)).status).toBe(404)
})

test('a serial proof is valid for one tracker and once', async () => {
  await using portal = await startPortal()
  const proven = { ...unlinkRequest, serial_proof: await earnProof(portal) }
  expect((await portal.call(ALICE, 'POST', PATH, { ...proven, identifier: '80000000-02' })).status).toBe(400)
  expect((await portal.call(ALICE, 'POST', PATH, proven)).status).toBe(201)
  expect((await portal.call(ALICE, 'POST', PATH, proven)).status).toBe(404)
  await portal.call(ALICE, 'POST', '/devices/trackers/', { identifier: '80000000-01', name: 'Mine', kind: 'vehicle' })
  expect((await portal.call(ALICE, 'POST', PATH, proven)).body.errors).toHaveProperty('serial_proof')
})

test('a serial proof is valid for 15 minutes and for the user who obtained it', async () => {
  await using portal = await startPortal()
  const proven = { ...unlinkRequest, serial_proof: await earnProof(portal) }
  expect((await portal.call('bruno@example.com', 'POST', PATH, proven)).body.errors).toHaveProperty('serial_proof')
  portal.clock.set({ at: new Date('2026-03-02T09:15:00Z') })
  expect((await portal.call(ALICE, 'POST', PATH, proven)).body.errors).toHaveProperty('serial_proof')
  const again = await earnProof(portal)
  portal.clock.set({ at: new Date('2026-03-02T09:29:59Z') })
  expect((await portal.call(ALICE, 'POST', PATH, { ...proven, serial_proof: again })).status).toBe(201)
})

test('an unlink request with a wrong serial costs an attempt, so that serials cannot be guessed', async () => {
  await using portal = await startPortal()
  const guess = async (serial: string) => (await portal.call(ALICE, 'POST', PATH, { ...unlinkRequest, serial })).body
  expect([(await guess('VICTOR000009')).code, (await guess('VICTOR000008')).code]).toEqual(['unknown_tracker', 'unknown_tracker'])
  expect(await guess('VICTOR000007')).toMatchObject({ code: 'serial_locked', remaining_attempts: 0 })
  expect((await guess('VICTOR000001')).code).toBe('serial_locked')
})

test('of two simultaneous unlink requests for a tracker only one is accepted', async () => {
  await using portal = await startPortal()
  const responses = await Promise.all([ALICE, 'bruno@example.com'].map((email) => portal.call(email, 'POST', PATH, unlinkRequest)))
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409])
})

test('support and signed-out users cannot send unlink requests', async () => {
  await using portal = await startPortal()
  expect((await portal.call('support@example.com', 'POST', PATH, unlinkRequest)).status).toBe(403)
  expect((await portal.call(null, 'POST', PATH, unlinkRequest)).status).toBe(401)
})
