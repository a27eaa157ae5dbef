import type { OutgoingHttpHeaders } from 'node:http'
import type { RouteOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { findContentType, getSuccess, type Route, rolesOf } from '#contracts/lib/route.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import * as secrets from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { endpoints, type NamedEndpoint } from '#server/test/examples/all.ts'
import { buildUrl, sendExample } from '#server/test/examples/send-example.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryRows } from '#server/test/test-database.ts'
import { extractPdfText } from '#server/test/test-pdf.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const SUPPORT = 'support@example.com'
const { rex } = SEED.devices
const nameOf = ({ name }: NamedEndpoint) => name

const isForSupport = ({ access }: Route) => rolesOf(access).includes('deepsupport')
const reads = endpoints.filter(({ route }) => route.method === 'GET' && isForSupport(route))
const isOwn = ({ route }: NamedEndpoint) =>
  /^\/(users\/(me|settings|push|channels|quiet_hours|retention|second_factor|security_log|sessions|terms|announcements)|api-auth|options)\//.test(
    route.path,
  )

/** Sends the request of an example as its owner, to create its object, and then as support in a world of its own. */
async function readAsSupport(portal: Portal, { name, route, example }: NamedEndpoint) {
  const world = await portal.worlds.create({ id: name.replace('.', '-').toLowerCase(), seed: 1 })
  await sendExample(portal.app, name, (key) => signInAs(world, getPersona(key).email), { 'x-world': world.id })
  const isStream = findContentType(getSuccess(route).schema) === 'text/event-stream'
  const headers = { 'x-world': world.id, authorization: `Bearer ${await signInAs(world, SUPPORT)}` }
  const response = await portal.app.inject({ method: 'GET', url: buildUrl(route, example), headers, payloadAsStream: isStream })
  if (isStream) response.stream().destroy()
  const serials = (await queryRows(world.db, 'select serial from devices union select serial from stock_items')).flatMap(({ serial }) =>
    typeof serial === 'string' ? [serial] : [],
  )
  const lines = await queryRows(world.db, "select kind, account_id from security_log where kind in ('positions_read', 'data_read')")
  world.close()
  return { status: response.statusCode, body: isStream ? '' : readText(response), serials, lines }
}

const readText = ({ headers, rawPayload, body }: { headers: OutgoingHttpHeaders; rawPayload: Buffer; body: string }) =>
  headers['content-type'] === 'application/pdf' ? extractPdfText(rawPayload) : body

describe('what support reads', () => {
  const answers = new Map<string, Awaited<ReturnType<typeof readAsSupport>>>()
  beforeAll(async () => {
    await using portal = await startPortal()
    for (const each of reads) answers.set(each.name, await readAsSupport(portal, each))
  })

  test('a read of support is recorded in the log of the account, as the contract marks it, except for the own profile', async () => {
    const foreign = reads.filter((each) => !isOwn(each))
    expect(foreign.length).toBeGreaterThan(30)
    const failures = await collectFailures(foreign, nameOf, ({ name, route }) => {
      const { status, lines } = answers.get(name)!
      expect(status).toBe(200)
      expect(lines.length).toBeGreaterThan(0)
      expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set([route.showsPositions ? 'positions_read' : 'data_read']))
    })
    expect(failures).toEqual([])
  })

  test('a read of the own profile shows nothing of an account and is not recorded', async () => {
    const own = reads.filter(isOwn)
    expect(own.length).toBeGreaterThan(8)
    const failures = await collectFailures(own, nameOf, ({ name }) => {
      const { body, lines } = answers.get(name)!
      expect(lines).toEqual([])
      for (const word of ['alice', 'zoe@', 'Rex', '"lat"']) expect(body).not.toContain(word)
    })
    expect(failures).toEqual([])
  })

  test('a response to support contains no secret: a uuid of a link, a key, a token or a code', async () => {
    const known = listTexts(secrets)
    expect(known.length).toBeGreaterThan(15)
    const failures = await collectFailures(reads, nameOf, ({ name }) => {
      expect(known.filter((secret) => answers.get(name)!.body.includes(secret))).toEqual([])
    })
    expect(failures).toEqual([])
  })

  test('a response to support contains no S/N of a tracker, or of a stock item', async () => {
    const failures = await collectFailures(reads, nameOf, ({ name }) => {
      const { serials, body } = answers.get(name)!
      expect(serials.length).toBeGreaterThan(20)
      expect(serials.filter((serial) => body.includes(serial))).toEqual([])
    })
    expect(failures).toEqual([])
  })
})

test('support sees the last three characters of an S/N, in a list, alone and on the theft form, and the owner sees the whole', async () => {
  await using portal = await startPortal()
  const read = async (email: string) => {
    const list = (await portal.call(email, 'GET', '/devices/?type=tracker')).body as { id: number; serial: string | null }[]
    const one = (await portal.call(email, 'GET', `/devices/${rex}/`)).body.serial as string
    const headers = { authorization: `Bearer ${await portal.token(email)}` }
    const form = extractPdfText((await portal.app.inject({ method: 'GET', url: `/devices/${rex}/theft_form/`, headers })).rawPayload)
    return { one, listed: list.find(({ id }) => id === rex)!.serial, all: list.map(({ serial }) => serial), form }
  }
  const own = await read('alice@example.com')
  expect([own.one, own.listed]).toEqual([expect.stringMatching(/^[A-Z0-9]{12}$/), own.one])
  expect(own.form).toContain(own.one)
  const seen = await read(SUPPORT)
  expect([seen.one, seen.listed]).toEqual([`*********${own.one.slice(-3)}`, seen.one])
  expect(seen.form).toContain(seen.one)
  expect(seen.form).not.toContain(own.one)
  expect(seen.all.filter((serial) => serial !== null && !/^\*{9}[A-Z0-9]{3}$/.test(serial))).toEqual([])
})

test('every GET outside the contract gives support the same response as an anonymous caller', async () => {
  const paths = new Set<string>()
  await using portal = await startPortal({
    app: {
      extend: async (app) =>
        void app.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
          if ([method].flat().includes('GET') && !config?.route) paths.add(url)
        }),
    },
  })
  expect(paths.size).toBeGreaterThan(8)
  const token = await portal.token(SUPPORT)
  const failures = await collectFailures([...paths], String, async (path) => {
    const url = path.replace(/:\w+/g, 'x').replace('*', 'x')
    const answer = async (headers: Record<string, string>) => {
      const { statusCode, body } = await portal.app.inject({ method: 'GET', url, headers })
      return [statusCode, body.replaceAll(/"request_id":"[^"]*"/g, '')]
    }
    if (path === '/metrics') return
    const stranger = await answer({})
    expect(await answer({ authorization: `Bearer ${token}` })).toEqual(stranger)
    expect(await answer({ cookie: `sessionid=${token}` })).toEqual(stranger)
  })
  expect(failures).toEqual([])
})

test('every response with coordinates, every file and every stream is marked in the contract', async () => {
  const failures = await collectFailures(endpoints, nameOf, ({ route }) => {
    const { schema } = getSuccess(route)
    const isOpaque = findContentType(schema) !== undefined
    const names = isOpaque ? [] : listFields(z.toJSONSchema(schema, { unrepresentable: 'any' }))
    const isMarked = route.showsPositions !== undefined
    if (isOpaque || names.some((name) => /^(lat|lng|lon|latitude|longitude|coordinates?|geometry|points)$/i.test(name)))
      expect(isMarked).toBe(true)
  })
  expect(failures).toEqual([])
})

test('the check of the marks finds a field with coordinates at any depth', () => {
  const deep = z.object({
    stays: z.array(z.union([z.null(), z.object({ at: z.optional(z.object({ Coordinates: z.tuple([z.number()]) })) })])),
  })
  expect(listFields(z.toJSONSchema(deep))).toContain('Coordinates')
})

test('support sees the links of a tracker with uuids that open nothing and stay the same', async () => {
  await using portal = await startPortal()
  const list = async (email: string) =>
    (await portal.call(email, 'GET', '/tracker_public_share_links/')).body as { uuid: string; label: string }[]
  const seen = await list(SUPPORT)
  expect(seen.length).toBeGreaterThan(6)
  expect(await list(SUPPORT)).toEqual(seen)
  expect(new Set(seen.map(({ uuid }) => uuid)).size).toBe(seen.length)
  for (const { uuid } of seen) {
    const opened = await portal.call(null, 'GET', `/tracker_public_share_links/${uuid}/`)
    expect(opened).toMatchObject({ status: 404, body: { code: 'invalid_link' } })
  }
  const own = await list('alice@example.com')
  expect(seen.map(({ label }) => label)).toEqual(expect.arrayContaining(own.map(({ label }) => label)))
  expect(own.map(({ uuid }) => uuid).filter((uuid) => seen.some((each) => each.uuid === uuid))).toEqual([])
})

test('the theft form contains the address of a public link for the owner, not for support', async () => {
  await using portal = await startPortal()
  await portal.call('alice@example.com', 'POST', `/devices/${rex}/public_share_link/`, { label: 'Police', permanent: true })
  const read = async (email: string) => {
    const response = await portal.app.inject({
      method: 'GET',
      url: `/devices/${rex}/theft_form/`,
      headers: { authorization: `Bearer ${await portal.token(email)}` },
    })
    return extractPdfText(response.rawPayload)
  }
  expect(await read('alice@example.com')).toContain('Live position')
  expect(await read(SUPPORT)).not.toContain('Live position')
})

function listFields(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => [...(key === 'properties' ? Object.keys(value) : []), ...listFields(value)])
}

const listTexts = (value: unknown): string[] =>
  typeof value === 'string'
    ? value.length >= 16
      ? [value]
      : []
    : typeof value === 'object' && value
      ? Object.values(value).flatMap(listTexts)
      : []
