import { describe, expect, test } from 'vitest'
import {
  ALICE,
  advance,
  codeIn,
  connectChannel,
  letBatteryRunLow,
  listHooks,
  NTFY,
  newestHook,
  startWithSessions,
  TELEGRAM,
  WEBHOOK,
  ZOE,
} from './test-channels.ts'

describe('channels', () => {
  test.each([
    ['webhook', WEBHOOK],
    ['telegram', TELEGRAM],
    ['ntfy', NTFY],
  ])('a channel of the kind %s starts with the code that was sent there', async (kind, channel) => {
    await using portal = await startWithSessions()
    const { status, body } = await portal.call(ALICE, 'POST', '/users/channels/', channel)
    expect([status, body]).toEqual([201, expect.objectContaining({ kind, label: channel.label, verified_at: null, stopped: null })])
    const code = codeIn(await newestHook(portal, kind))
    const wrong = code === '000000' ? '000001' : '000000'
    expect((await portal.call(ALICE, 'POST', `/users/channels/${body.id}/verify/`, { code: wrong })).body.code).toBe('invalid_code')
    expect((await portal.call(ALICE, 'POST', `/users/channels/${body.id}/verify/`, { code })).body.verified_at).toBe('2026-03-02T09:00:00Z')
  })

  test('before its code was typed a channel gets no alerts', async () => {
    await using portal = await startWithSessions()
    await portal.call(ALICE, 'POST', '/users/channels/', WEBHOOK)
    await letBatteryRunLow(portal)
    expect((await listHooks(portal)).filter(({ kind }) => kind === 'webhook')).toHaveLength(1)
  })

  test('a code is valid for an hour and five attempts, and a new one replaces it', async () => {
    await using portal = await startWithSessions()
    const { id } = (await portal.call(ALICE, 'POST', '/users/channels/', WEBHOOK)).body
    const first = codeIn(await newestHook(portal, 'webhook'))
    const verify = async (code: string) => (await portal.call(ALICE, 'POST', `/users/channels/${id}/verify/`, { code })).body
    for (let n = 0; n < 5; n++) expect((await verify(first === '000000' ? '000001' : '000000')).code).toBe('invalid_code')
    expect((await verify(first)).code).toBe('expired')
    await portal.call(ALICE, 'POST', `/users/channels/${id}/test/`)
    await advance(portal, 'PT61M')
    expect((await verify(codeIn(await newestHook(portal, 'webhook')))).code).toBe('expired')
    await portal.call(ALICE, 'POST', `/users/channels/${id}/test/`)
    expect((await verify(codeIn(await newestHook(portal, 'webhook')))).verified_at).not.toBeNull()
  })

  test('a list of deliveries does not show the code', async () => {
    await using portal = await startWithSessions()
    const { id } = (await portal.call(ALICE, 'POST', '/users/channels/', WEBHOOK)).body
    const { body } = await portal.call(ALICE, 'GET', `/users/channels/${id}/deliveries/`)
    expect(body).toMatchObject([{ type: 'code', attempts: 1, failure: null, title: 'Your code for Whereabouts: ······' }])
  })

  test.each([
    ['http://hooks.example.org/', 'url'],
    ['https://localhost/', 'url'],
    ['https://127.0.0.1/', 'url'],
    ['https://10.1.2.3/', 'url'],
    ['https://169.254.169.254/latest/meta-data/', 'url'],
    ['https://[::1]/', 'url'],
    ['https://[::ffff:10.0.0.1]/', 'url'],
    ['https://[64:ff9b::a00:1]/', 'url'],
    ['https://0x7f000001/', 'url'],
    ['https://user:secret@hooks.example.org/', 'url'],
  ])('a webhook at %s is refused', async (url, field) => {
    await using portal = await startWithSessions()
    const { status, body } = await portal.call(ALICE, 'POST', '/users/channels/', { ...WEBHOOK, url })
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
  })

  test.each([
    [{ ...NTFY, url: 'https://ntfy.sh/' }, 'url'],
    [{ ...NTFY, url: 'https://ntfy.sh/a/b' }, 'url'],
    [{ ...TELEGRAM, token: 'none' }, 'token'],
    [{ kind: 'telegram', label: 'Family', token: TELEGRAM.token }, 'chat'],
    [{ kind: 'webhook', label: 'Home' }, 'url'],
  ])('a field that cannot be right is named: %o', async (channel, field) => {
    await using portal = await startWithSessions()
    const { status, body } = await portal.call(ALICE, 'POST', '/users/channels/', channel)
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
  })

  test('a user has at most ten, and sends at most twenty codes and tests an hour', async () => {
    await using portal = await startWithSessions()
    const ids = []
    for (let n = 0; n < 10; n++) ids.push((await portal.call(ALICE, 'POST', '/users/channels/', WEBHOOK)).body.id)
    expect((await portal.call(ALICE, 'POST', '/users/channels/', WEBHOOK)).body).toMatchObject({ code: 'limit_reached', limit: 10 })
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await portal.call(ALICE, 'POST', `/users/channels/${ids[0]}/test/`)).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
  })

  test('another user neither sees nor changes a channel', async () => {
    await using portal = await startWithSessions()
    const { id } = await connectChannel(portal, WEBHOOK)
    expect((await portal.call(ZOE, 'GET', '/users/channels/')).body).toEqual([])
    for (const [method, path, body] of [
      ['PATCH', '', { on: false }],
      ['DELETE', '', undefined],
      ['POST', 'test/', undefined],
      ['POST', 'verify/', { code: '123456' }],
      ['GET', 'deliveries/', undefined],
    ] as const)
      expect((await portal.call(ZOE, method, `/users/channels/${id}/${path}`, body)).status).toBe(404)
  })

  test('secrets are stored encrypted', async () => {
    await using portal = await startWithSessions()
    const { secret } = await connectChannel(portal, WEBHOOK)
    await connectChannel(portal, TELEGRAM)
    const stored = JSON.stringify(await portal.world.db.read.query.channels.findMany())
    expect(secret).toMatch(/^whsec_/)
    expect(stored).not.toContain(secret!.slice(6))
    expect(stored).not.toContain(TELEGRAM.token)
  })
})
