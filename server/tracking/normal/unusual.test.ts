import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { ALICE, ID, startBike } from './test-bike.ts'

const base = { devices: [ID], contacts: [SEED.contacts.bob], rule: { kind: 'unusual' } }

/** A bike with four weeks of positions and an alert for when it is not where it usually is. */
async function start(weeks = 4) {
  const portal = await startBike(weeks)
  const { status, body } = await portal.call(ALICE, 'POST', '/tracker_alerts/', base)
  if (status !== 201) throw new Error(JSON.stringify(body))
  await portal.send(0, 60)
  return { ...portal, alert: body, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

test('an alert about the unusual lets the server learn what is usual, and is read with its rule alone', async () => {
  await using portal = await start()
  expect(portal.alert).toMatchObject({ ...base, place: null, trigger: null, vehicle_alert: false })
  expect(await portal.read()).toMatchObject({ enabled: true, learnt_at: expect.any(String) })
})

test('it fires once when the tracker has been away for three positions, with the distance, and again after it was back', async () => {
  await using portal = await start()
  for (const [nth, meters] of [5000, 5100, 5200, 5300, 5400].entries()) await portal.send(meters, 100 + 20 * nth)
  const [first, ...others] = await portal.firings()
  expect(others).toEqual([])
  expect(first).toMatchObject({ kind: 'unusual', device: ID, place: null, mails: 1, rule: { kind: 'unusual', meters: expect.any(Number) } })
  expect(Math.abs(first.rule.meters - 5050)).toBeLessThan(150)
  const [mail] = (await portal.call(null, 'GET', '/mock/mail')).body
  expect(mail.subject).toMatch(/^Alice’s City bike is 5(\.\d)? km from its usual places and ways$/)
  await portal.send(0, 300)
  for (const nth of [0, 1, 2]) await portal.send(8000, 400 + 20 * nth)
  expect(await portal.firings()).toHaveLength(2)
})

test('on its usual ways and while nothing is learnt it fires nothing', async () => {
  await using portal = await start()
  for (const nth of [0, 1, 2, 3]) await portal.send(-300 * nth, 100 + 20 * nth)
  expect(await portal.firings()).toEqual([])
  await using early = await start(2)
  for (const nth of [0, 1, 2, 3]) await early.send(5000, 100 + 20 * nth)
  expect(await early.firings()).toEqual([])
})

test('after learning was switched off the alert fires nothing', async () => {
  await using portal = await start()
  await portal.set(false)
  for (const nth of [0, 1, 2, 3]) await portal.send(5000, 100 + 20 * nth)
  expect(await portal.firings()).toEqual([])
})

test('its dry run is refused with the reason, because it was learnt from the same days', async () => {
  await using portal = await startBike(4)
  const { status, body } = await portal.call(ALICE, 'POST', '/tracker_alerts/dry_run/', { devices: [ID], rule: { kind: 'unusual' } })
  expect([status, body.code]).toEqual([400, 'validation_error'])
  expect(body.errors.rule[0]).toContain('learnt from the same days')
})
