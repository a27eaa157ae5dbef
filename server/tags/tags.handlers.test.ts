import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const PATH = '/tracker_tags/'
const { pets, vehicles, stolen, empty } = SEED.tags
const { rex } = SEED.devices
const one = (id: number) => `${PATH}${id}/`

test('R-3.40 the tags of an account are listed by name', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', PATH)
  expect(status).toBe(200)
  expect(body.map(({ id }: { id: number }) => id)).toEqual([empty, pets, stolen, vehicles])
  expect(body[1]).toEqual({ id: pets, name: 'Pets', color: '#d9622b' })
})

describe('creating a tag', () => {
  test('R-3.40 a tag is created with its name and colour', async () => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(ALICE, 'POST', PATH, { name: ' Weekend ', color: '#ABCDEF' })
    expect([status, body]).toEqual([201, { id: expect.any(Number), name: 'Weekend', color: '#abcdef' }])
  })

  test('R-3.40 tags created without a colour get unused colours of the palette first', async () => {
    await using portal = await startPortal()
    const colors: string[] = []
    for (let n = 0; n < 12; n++) colors.push((await portal.call('dario@example.com', 'POST', PATH, { name: `Tag ${n}` })).body.color)
    expect(new Set(colors.slice(0, 10)).size).toBe(10)
    expect(colors.slice(10)).toEqual(colors.slice(0, 2))
    const known = (await portal.call(ALICE, 'GET', PATH)).body.map(({ color }: { color: string }) => color)
    expect(known).not.toContain((await portal.call(ALICE, 'POST', PATH, { name: 'New' })).body.color)
  })

  test('R-3.40 creating a tag with an invalid value is refused with an error for its field', async () => {
    await using portal = await startPortal()
    const rows = [
      [{ name: '' }, 'name'],
      [{ name: '  ' }, 'name'],
      [{ name: 'x'.repeat(31) }, 'name'],
      [{ color: 'red' }, 'color'],
      [{ color: '#12345' }, 'color'],
      [{ color: null }, 'color'],
    ] as const
    expect(
      await collectFailures(rows, JSON.stringify, async ([change, field]) => {
        const { status, body } = await portal.call(ALICE, 'POST', PATH, { name: 'Weekend', ...change })
        expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
      }),
    ).toEqual([])
  })

  test('R-3.40 a tag name of 30 characters is accepted', async () => {
    await using portal = await startPortal()
    expect((await portal.call(ALICE, 'POST', PATH, { name: 'é'.repeat(30) })).status).toBe(201)
  })

  test('R-3.40 a tag name is unique in an account, ignoring case', async () => {
    await using portal = await startPortal()
    expect(await portal.call(ALICE, 'POST', PATH, { name: 'pETS' })).toMatchObject({ status: 409, body: { code: 'tag_exists' } })
    expect((await portal.call('dario@example.com', 'POST', PATH, { name: 'Pets' })).status).toBe(201)
    const responses = await Promise.all(['ÉTÉ', 'été', 'Été'].map((name) => portal.call(ALICE, 'POST', PATH, { name })))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
})

describe('changing a tag', () => {
  test('trackers show the new name and colour of their tag at once', async () => {
    await using portal = await startPortal()
    const tagOf = async () => (await portal.call(ALICE, 'GET', '/devices/')).body.find(({ id }: { id: number }) => id === rex).tag
    expect(await tagOf()).toMatchObject({ name: 'Pets' })
    const { status, body } = await portal.call(ALICE, 'PATCH', one(pets), { name: 'Animals', color: '#000000' })
    expect([status, body]).toEqual([200, { id: pets, name: 'Animals', color: '#000000' }])
    expect(await tagOf()).toEqual(body)
  })

  test('changing a tag affects only the given fields', async () => {
    await using portal = await startPortal()
    expect((await portal.call(ALICE, 'PATCH', one(pets), {})).body).toEqual({ id: pets, name: 'Pets', color: '#d9622b' })
  })

  test('R-3.40 a tag may change the case of its name but not take that of another tag', async () => {
    await using portal = await startPortal()
    expect((await portal.call(ALICE, 'PATCH', one(pets), { name: 'PETS' })).body.name).toBe('PETS')
    const taken = await portal.call(ALICE, 'PATCH', one(pets), { name: 'vehicles' })
    expect(taken).toMatchObject({ status: 409, body: { code: 'tag_exists' } })
    const both = await Promise.all([pets, empty].map((id) => portal.call(ALICE, 'PATCH', one(id), { name: 'Fresh' })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('changing a tag validates fields as creating does', async () => {
    await using portal = await startPortal()
    const { status, body } = await portal.call(ALICE, 'PATCH', one(pets), { name: ' ', color: 'blue' })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['name', 'color']])
  })
})

test('removing a tag clears it on its trackers', async () => {
  await using portal = await startPortal()
  const tagged = async () =>
    (await portal.call(ALICE, 'GET', '/devices/')).body.filter(({ tag }: { tag: { id: number } | null }) => tag?.id === pets)
  expect((await tagged()).length).toBeGreaterThan(0)
  expect(await portal.call(ALICE, 'DELETE', one(pets))).toMatchObject({ status: 200, body: { id: pets } })
  expect(await tagged()).toEqual([])
  expect((await portal.call(ALICE, 'GET', `/devices/${rex}/`)).body.tag).toBeNull()
  expect((await portal.call(ALICE, 'DELETE', one(pets))).status).toBe(404)
})

test('R-6.9 the tags of another account are not found', async () => {
  await using portal = await startPortal()
  expect((await portal.call('dario@example.com', 'PATCH', one(pets), { name: 'Mine' })).status).toBe(404)
  expect((await portal.call('dario@example.com', 'DELETE', one(pets))).status).toBe(404)
  expect((await portal.call('dario@example.com', 'GET', PATH)).body).toEqual([])
})

test("a pro member shares the account's tags, and support reads all tags but changes none", async () => {
  await using portal = await startPortal()
  const { body } = await portal.call('member@pro.example.com', 'POST', PATH, { name: 'Night' })
  expect((await portal.call('admin@pro.example.com', 'GET', PATH)).body).toContainEqual(body)
  expect((await portal.call('support@example.com', 'GET', PATH)).body).toContainEqual(body)
  expect((await portal.call('support@example.com', 'POST', PATH, { name: 'Day' })).status).toBe(403)
  expect((await portal.call('support@example.com', 'PATCH', one(pets), { name: 'Day' })).status).toBe(403)
  expect((await portal.call('support@example.com', 'DELETE', one(pets))).status).toBe(403)
})
