import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { PushPayload } from '#contracts/accounts/push.ts'
import { FIRING_KINDS } from '#contracts/firings.ts'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { publishAlert, publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { startJobsPortal } from '#server/jobs/test-jobs.ts'
import { alertTitle } from '#server/mail/alert-title.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { buildPushedAlert } from './push-buttons.ts'
import { buildPayload } from './push-dispatch.ts'
import { createPushReceiver } from './test-receiver.ts'

const ALICE = 'alice@example.com'

/** Where Rex is. */
const SPOT = { lat: -34.8969123, lng: -56.1170123, precision: 120, kind: 'dog', accountId: 123456789 } as const

/** A portal in which a user gets notifications; `pushed` returns what the browser decrypts from the newest one. */
async function start(who = ALICE) {
  const portal = await startJobsPortal()
  const authorization = `Bearer ${await signInAs(portal.world, who)}`
  const receiver = createPushReceiver('https://push.example.net/browser-1')
  const call = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) => portal.call(null, method, path, body, { authorization })
  await call('PUT', '/users/push/', receiver.subscription)
  const pushed = async (): Promise<PushPayload> => {
    const [{ id }] = (await portal.call(null, 'GET', '/mock/pushes')).body
    const { body } = await portal.call(null, 'GET', `/mock/pushes/${id}/request`)
    return JSON.parse(receiver.decrypt(body.body))
  }
  const letBatteryRunLow = async (device: number = SEED.devices.rex, change: Partial<typeof devices.$inferInsert> = {}) => {
    const { db, clock } = portal.world
    await db.write('everything', (tx) =>
      tx
        .update(devices)
        .set({ mode: 1, boostUntil: null, ...change })
        .where(eq(devices.id, device)),
    )
    const row = await portal.device(device)
    await db.write('everything', (tx) => publishLowBattery(tx, row, clock.now()))
  }
  return { portal, call, pushed, letBatteryRunLow, [Symbol.asyncDispose]: portal[Symbol.asyncDispose] }
}

test('a browser decrypts an alert with buttons in the language of the user, each with its confirmation and a page that asks', async () => {
  await using it = await start()
  await it.portal.world.db.write('everything', (tx) => tx.update(users).set({ language: 'de' }).where(eq(users.email, ALICE)))
  await it.letBatteryRunLow()
  expect(await it.pushed()).toEqual({
    title: 'Der Akku von Rex ist schwach',
    body: '',
    url: '/trackers/1',
    alert: {
      device: 1,
      kind: 'low_battery',
      language: 'de',
      buttons: [
        { action: 'show', title: 'Anzeigen', url: '/trackers/1' },
        { action: 'boost', title: 'Boost', url: '/trackers/1?sheet=boost', done: 'Rex: alle 30 Sekunden bis {{time}}' },
        {
          action: 'snooze',
          title: '1 Std. stumm',
          url: '/alerts?sheet=mute&tracker=1&kind=low_battery',
          done: 'Rex: stumm bis {{time}}',
        },
      ],
    },
  })
})

test('the request to the push service is signed and says how long it is worth sending', async () => {
  await using it = await start()
  await it.letBatteryRunLow()
  const [{ id }] = (await it.portal.call(null, 'GET', '/mock/pushes')).body
  const { url, headers } = (await it.portal.call(null, 'GET', `/mock/pushes/${id}/request`)).body
  expect([url, headers.ttl, headers['content-encoding']]).toEqual(['https://push.example.net/browser-1', '21600', 'aes128gcm'])
  expect(headers.authorization).toMatch(/^vapid t=/)
  expect((await it.portal.call(null, 'GET', `/mock/pushes/${id + 1}/request`)).status).toBe(404)
})

test('a notification that is about no alert has no buttons', async () => {
  await using it = await start()
  await it.call('POST', '/users/push/test/')
  expect(await it.pushed()).toEqual({ title: 'Whereabouts', body: 'Notifications reach this browser.', url: '/account/preferences' })
})

const PAST = new Date('2026-03-01T00:00:00Z')
const LATER = new Date('2026-03-02T12:00:00Z')
test.each<[string, Partial<typeof devices.$inferInsert>]>([
  ['in plane mode', { mode: 4 }],
  ['that is boosted already', { boostUntil: LATER }],
  ['whose network is off', { networkState: 'deactivated' }],
  ['whose subscription has ended', { subEndDate: PAST }],
  ['whose plan is paused', { pausedUntil: LATER }],
])('a tracker %s has no button Boost', async (_, change) => {
  await using it = await start()
  await it.letBatteryRunLow(SEED.devices.rex, change)
  expect((await it.pushed()).alert?.buttons.map(({ action }) => action)).toEqual(['show', 'snooze'])
})

test('support has only the button that shows the tracker', async () => {
  await using it = await start()
  await it.portal.world.db.write('everything', (tx) => tx.update(users).set({ role: 'deepsupport' }).where(eq(users.email, ALICE)))
  await it.letBatteryRunLow()
  expect((await it.pushed()).alert?.buttons.map(({ action }) => action)).toEqual(['show'])
})

test('the panel of the mock server and its list show the buttons', async () => {
  await using it = await start()
  await it.letBatteryRunLow()
  const [{ buttons }] = (await it.portal.call(null, 'GET', '/mock/pushes')).body
  expect(buttons.map(({ title }: { title: string }) => title)).toEqual(['Show', 'Boost', 'Snooze 1 h'])
})

test('an alert of every kind fits into a notification with its buttons, in every language', async () => {
  await using it = await start()
  const rex = await it.portal.device(SEED.devices.rex)
  const name = 'W'.repeat(TEXT_LENGTH.deviceName)
  const place = 'W'.repeat(TEXT_LENGTH.placeName)
  const now = it.portal.world.clock.now()
  for (const language of LANGUAGES)
    for (const kind of FIRING_KINDS) {
      const alert = buildPushedAlert({ ...rex, boostUntil: null, name }, kind, { role: 'user', language }, now)
      const title = alertTitle(language, { kind, tracker: name, place, rule: null })
      const push = { title, body: 'é'.repeat(TEXT_LENGTH.address), url: '/trackers/123456789', alert: { ...alert, spot: SPOT } }
      const text = buildPayload(push, it.portal.world, now)
      expect(JSON.parse(text).alert?.buttons, `${language} ${kind}`).toHaveLength(3)
      expect(text).toContain('picture.jpg?token=')
      expect(Buffer.byteLength(text), `${language} ${kind}`).toBeLessThanOrEqual(3072)
    }
})

/** Rex leaves home. */
async function letRexLeave({ portal }: Awaited<ReturnType<typeof start>>, name = 'Rex') {
  const device = { ...(await portal.device(SEED.devices.rex)), name }
  const { db, clock } = portal.world
  const at = clock.now()
  const fix = { lat: SPOT.lat, lng: SPOT.lng, precision: SPOT.precision, datetime: at.getTime() }
  const occurrence = { device, kind: 'place_leave', at, place: { id: 1, name: 'Home' }, rule: null, fix, address: 'Calle 1' } as const
  await db.write('everything', (tx) => publishAlert(tx, occurrence, [SEED.alerts.leaveHome], at))
}

test('the map of an alert with a position loads without a session for six hours', async () => {
  await using it = await start()
  await letRexLeave(it)
  const { image = '', alert } = await it.pushed()
  expect(alert).not.toHaveProperty('spot')
  const read = (url: string) => it.portal.app.inject({ url })
  const picture = await read(image)
  const { width, height, format } = await sharp(picture.rawPayload).metadata()
  expect([picture.statusCode, picture.headers['content-type'], width, height, format]).toEqual([200, 'image/jpeg', 720, 360, 'jpeg'])
  // Not the last character, which has bits that do not count.
  const changed = `${image.slice(0, -2)}${image.at(-2) === 'A' ? 'B' : 'A'}${image.at(-1)}`
  for (const url of [changed, '/users/push/picture.jpg', '/users/push/picture.jpg?token=a']) expect((await read(url)).statusCode).toBe(404)
  it.portal.clock.set({ at: new Date('2026-03-02T15:00:00Z') })
  expect((await read(image)).statusCode).toBe(404)
})

test('a server that draws no maps sends none', async () => {
  await using it = await start()
  await letRexLeave(it)
  delete it.portal.world.map
  expect(Object.keys(await it.pushed())).toEqual(['title', 'body', 'url', 'alert'])
})

test('a notification whose names are too long for the buttons is sent without them', async () => {
  await using it = await start()
  await letRexLeave(it, '漢'.repeat(1000))
  expect(Object.keys(await it.pushed())).toEqual(['title', 'body', 'url'])
})
