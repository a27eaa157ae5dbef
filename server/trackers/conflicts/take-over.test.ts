import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { emails } from '#db/schema/messages.ts'
import { positions } from '#db/schema/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, VICTOR] = ['alice@example.com', 'victor@example.com']
const IDENTIFIER = '80000000-01'
const tracker = { identifier: IDENTIFIER, name: 'From the market', kind: 'bike' }
const unlinkRequest = { identifier: IDENTIFIER, email: 'alice.market@example.com', reason: 'bought_used' }
const namesOf = async (portal: Portal, email: string) =>
  (await portal.call(email, 'GET', '/devices/?type=tracker')).body.map((device: { name: string }) => device.name)
const mailsTo = (portal: Portal, to: string) =>
  portal.world.db.read
    .select({ template: emails.template, language: emails.language, data: emails.data })
    .from(emails)
    .where(eq(emails.to, to))
    .orderBy(emails.id)

test('R-2.37 R-2.38 a used tracker moves from one account to another', async () => {
  await using portal = await startPortal()
  const call = (path: string, body: object) => portal.call(ALICE, 'POST', `/devices/trackers/${path}`, body)
  expect(await call('', tracker)).toMatchObject({ status: 409, body: { code: 'identifier_taken' } })
  expect(await call('unlink_request/', unlinkRequest)).toMatchObject({ status: 201, body: { status: 'pending' } })
  expect(await call('unlink_request/', unlinkRequest)).toMatchObject({ status: 409, body: { code: 'request_pending' } })
  expect(await namesOf(portal, VICTOR)).toContain('Moto')

  const wrong = await call('serial_check/', { identifier: IDENTIFIER, serial: 'VICTOR000009' })
  expect(wrong).toMatchObject({ status: 400, body: { code: 'serial_mismatch', remaining_attempts: 2 } })
  const { body } = await call('serial_check/', { identifier: IDENTIFIER, serial: 'VICTOR 000-001' })
  const accepted = await call('unlink_request/', { ...unlinkRequest, serial_proof: body.serial_proof })
  expect(accepted).toMatchObject({ status: 201, body: { reference: 'UR-000003', status: 'accepted' } })

  const added = await call('', tracker)
  expect(added).toMatchObject({ status: 201, body: { name: 'From the market', serial: 'VICTOR000001', type: 'tracker_01' } })
  expect(await namesOf(portal, ALICE)).toContain('From the market')
  expect(await namesOf(portal, VICTOR)).not.toContain('Moto')
  expect(await mailsTo(portal, VICTOR)).toEqual([
    { template: 'tracker_removed', language: 'es', data: { tracker: 'Moto', identifier: IDENTIFIER } },
  ])
  expect((await mailsTo(portal, unlinkRequest.email)).map(({ template, data }) => [template, data.reference])).toEqual([
    ['unlink_accepted', 'UR-000002'],
    ['unlink_accepted', 'UR-000003'],
  ])
})

test('an owner who removes the tracker accepts the pending request for it', async () => {
  await using portal = await startPortal()
  expect((await portal.call(VICTOR, 'DELETE', `/devices/${SEED.devices.victorPending}/`)).status).toBe(200)
  const mails = await mailsTo(portal, 'bruno@example.com')
  expect(mails.filter(({ template }) => template === 'unlink_accepted')).toEqual([
    { template: 'unlink_accepted', language: 'fr', data: { reference: 'UR-000001', identifier: '80000000-04' } },
  ])
  expect(await mailsTo(portal, VICTOR)).toEqual([])
  const added = await portal.call('bruno@example.com', 'POST', '/devices/trackers/', { ...tracker, identifier: '80000000-04' })
  expect(added.status).toBe(201)
})

/** A tracker of victor, with lost mode or an open theft report. */
const looksFor: [string, (portal: Portal) => Promise<unknown>][] = [
  [
    'with an open theft report',
    (portal) =>
      portal.call(VICTOR, 'POST', `/devices/${SEED.devices.victorFree}/theft_report/`, {
        date: '2026-03-01T09:00:00Z',
        address: 'Calle 1',
        description: 'Stolen at night',
      }),
  ],
  [
    'in lost mode',
    (portal) =>
      portal.world.db.write('everything', (tx) =>
        tx.update(devices).set({ pendingMode: 7 }).where(eq(devices.id, SEED.devices.victorFree)),
      ),
  ],
]

test.each(looksFor)('a tracker %s is not taken over by its S/N, and its owner keeps positions and report', async (_, report) => {
  await using portal = await startPortal()
  const check = { identifier: IDENTIFIER, serial: 'VICTOR000001' }
  const earlier = await portal.call(ALICE, 'POST', '/devices/trackers/serial_check/', check)
  await report(portal)
  const positionsOf = () => portal.world.db.read.$count(positions, eq(positions.deviceId, SEED.devices.victorFree))
  const before = await positionsOf()
  const refused = { status: 409, body: { code: 'reported_missing' } }
  expect(await portal.call(ALICE, 'POST', '/devices/trackers/serial_check/', check)).toMatchObject(refused)
  const withProof = { ...unlinkRequest, serial_proof: earlier.body.serial_proof }
  expect(await portal.call(ALICE, 'POST', '/devices/trackers/unlink_request/', withProof)).toMatchObject(refused)
  expect(await namesOf(portal, VICTOR)).toContain('Moto')
  expect(await positionsOf()).toBe(before)
})
