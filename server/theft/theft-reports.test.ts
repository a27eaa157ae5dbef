import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { cityBike, stolenScooter, proVan, proDog } = SEED.devices
const path = (id: number) => `/devices/${id}/theft_report/`
const told = { date: '2026-03-02T07:30:00Z', address: ' Terminal Tres Cruces ', description: 'The lock was cut.' }
const open = (portal: Portal, body: object = told, id: number = cityBike, email = ALICE) => portal.call(email, 'POST', path(id), body)
const change = (portal: Portal, body: object, id: number = cityBike, email = ALICE) => portal.call(email, 'PATCH', path(id), body)

describe('theft reports', () => {
  test('R-1.13 a theft report is opened, read, changed and closed', async () => {
    await using portal = await startPortal()
    expect(await portal.call(ALICE, 'GET', path(cityBike))).toMatchObject({ status: 404, body: { code: 'no_report' } })
    const { status, body } = await open(portal)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      device: cityBike,
      date: told.date,
      address: 'Terminal Tres Cruces',
      description: told.description,
      police_reference: null,
      status: 'open',
      created_at: '2026-03-02T09:00:00Z',
      closed_at: null,
    })
    expect((await portal.call(ALICE, 'GET', path(cityBike))).body).toEqual(body)
    const changed = await change(portal, { police_reference: 'MVD-1', date: '2026-03-02T08:00:00Z' })
    expect(changed).toMatchObject({ status: 200, body: { ...body, police_reference: 'MVD-1', date: '2026-03-02T08:00:00Z' } })
    portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
    const closed = await change(portal, { status: 'closed', description: 'Found again.' })
    expect(closed.body).toEqual({ ...changed.body, description: 'Found again.', status: 'closed', closed_at: '2026-03-03T09:00:00Z' })
    expect((await portal.call(ALICE, 'GET', path(cityBike))).body).toEqual(closed.body)
  })

  test('only one theft report is open at a time, even when two are opened at once', async () => {
    await using portal = await startPortal()
    expect(await open(portal, told, stolenScooter)).toMatchObject({ status: 409, body: { code: 'theft_open' } })
    const answers = await Promise.all([open(portal), open(portal)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('a closed theft report cannot be changed, and a new one can be opened', async () => {
    await using portal = await startPortal()
    expect((await change(portal, { status: 'closed' }, stolenScooter)).status).toBe(200)
    for (const body of [{ address: 'Elsewhere' }, { status: 'open' }, { status: 'closed' }])
      expect(await change(portal, body, stolenScooter)).toMatchObject({ status: 404, body: { code: 'no_report' } })
    const { body } = await open(portal, told, stolenScooter)
    expect((await portal.call(ALICE, 'GET', path(stolenScooter))).body).toEqual(body)
  })

  test('changing a theft report is answered 404 without one, and leaves omitted fields unchanged', async () => {
    await using portal = await startPortal()
    expect(await change(portal, { address: 'Elsewhere' })).toMatchObject({ status: 404, body: { code: 'no_report' } })
    const { body } = await open(portal, { ...told, police_reference: 'MVD-1' })
    expect((await change(portal, {})).body).toEqual(body)
    expect((await change(portal, { status: 'open' })).body).toEqual(body)
    for (const none of ['', null]) expect((await change(portal, { police_reference: none })).body.police_reference).toBeNull()
  })

  test('a theft date up to five minutes in the future is accepted', async () => {
    await using portal = await startPortal()
    expect((await open(portal, { ...told, date: '2026-03-02T09:05:00Z' })).status).toBe(201)
    expect(await change(portal, { date: '2026-03-02T09:05:01Z' })).toMatchObject({
      status: 400,
      body: { errors: { date: [expect.any(String)] } },
    })
  })

  const WRONG: [object, string][] = [
    [{ date: '2026-03-02T09:05:01Z' }, 'date'],
    [{ date: 'yesterday' }, 'date'],
    [{ date: undefined }, 'date'],
    [{ address: ' ' }, 'address'],
    [{ address: 'x'.repeat(201) }, 'address'],
    [{ description: '' }, 'description'],
    [{ description: 'x'.repeat(2001) }, 'description'],
    [{ police_reference: 'x'.repeat(61) }, 'police_reference'],
  ]
  test('a theft report with a wrong field is refused with that field', async () => {
    await using portal = await startPortal()
    const failures = await collectFailures(
      WRONG,
      ([wrong]) => JSON.stringify(wrong),
      async ([wrong, field]) => {
        const { status, body } = await open(portal, { ...told, ...wrong })
        expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
      },
    )
    expect(failures).toEqual([])
  })

  test('R-6.9 support reads any theft report but opens none, and a team member acts for trackers of the team', async () => {
    await using portal = await startPortal()
    expect((await portal.call('support@example.com', 'GET', path(stolenScooter))).status).toBe(200)
    expect((await open(portal, told, stolenScooter, 'support@example.com')).status).toBe(403)
    expect((await change(portal, {}, stolenScooter, 'support@example.com')).status).toBe(403)
    expect((await open(portal, told, proVan, 'member@pro.example.com')).status).toBe(201)
    expect((await open(portal, told, proDog, 'member@pro.example.com')).status).toBe(404)
    for (const method of ['GET', 'POST', 'PATCH'])
      expect(await portal.call('dario@example.com', method, path(stolenScooter), method === 'GET' ? undefined : told)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
  })
})

test('the form for the police shows the open report, and none once it is closed', async () => {
  await using portal = await startPortal()
  const form = async () => drawn((await portal.call(ALICE, 'GET', `/devices/${cityBike}/theft_form/`)).raw)
  await open(portal, { ...told, description: 'The lock was cut. '.repeat(40) })
  const withReport = await form()
  await change(portal, { status: 'closed' })
  expect(withReport).toBeGreaterThan((await form()) + 1000)
})

const drawn = (pdf: Buffer) =>
  [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)]
    .map(([, stream]) => Buffer.from(stream!, 'latin1'))
    .filter((stream) => stream[0] === 0x78)
    .map((stream) => inflateSync(stream).toString('latin1'))
    .filter((content) => content.includes(' Tf'))
    .reduce((total, content) => total + content.length, 0)

test('a tracker says since when it is stolen while its theft report is open', async () => {
  await using portal = await startPortal()
  const since = async () => {
    const { body } = await portal.call(ALICE, 'GET', '/devices/?type=tracker')
    return body.find((device: { id: number }) => device.id === cityBike).theft_since
  }
  expect(await since()).toBeNull()
  await open(portal)
  expect(await since()).toBe(told.date)
  await change(portal, { status: 'closed' })
  expect(await since()).toBeNull()
})
