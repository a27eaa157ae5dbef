import { describe, expect, test, vi } from 'vitest'
import type { SecurityEntry } from '#contracts/accounts/security.ts'
import { SEED_FACTOR } from '#server/mock/seed/records/second-factor.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { seededAuthenticator } from '#server/test/test-authenticator.ts'
import { keyMailedTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, ADMIN, MEMBER, SUPPORT] = ['alice@example.com', 'admin@pro.example.com', 'member@pro.example.com', 'support@example.com']
/** The seed gives her an app and a passkey. */
const GUARDED = 'newcomer@pro.example.com'
const NETWORK = '127.0.0.0/24'
const log = async (portal: Portal, email: string): Promise<SecurityEntry[]> =>
  (await portal.call(email, 'GET', '/users/security_log/')).body.entries
const kinds = async (portal: Portal, email: string) => (await log(portal, email)).map(({ kind }) => kind)
const signIn = (portal: Portal, username: string, password: string) =>
  portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username, password })

describe('the security log of a user', () => {
  test('sign-ins and refusals are recorded, repeated refusals from one network once an hour', async () => {
    await using portal = await startPortal()
    for (const password of ['wrong', 'wrong', 'Demo-1234']) await signIn(portal, ALICE, password)
    expect(await log(portal, ALICE)).toEqual([
      { at: '2026-03-02T09:00:00Z', kind: 'sign_in', who: ALICE, where: NETWORK, about: 'lightMyRequest' },
      { at: '2026-03-02T09:00:00Z', kind: 'sign_in_refused', who: null, where: NETWORK, about: 'lightMyRequest' },
    ])
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    await signIn(portal, ALICE, 'wrong')
    expect(await kinds(portal, ALICE)).toEqual(['sign_in_refused', 'sign_in', 'sign_in_refused'])
  })

  test('a new password, ended sessions and a new address are recorded', async () => {
    await using portal = await startPortal()
    await portal.token(ALICE)
    await portal.call(ALICE, 'DELETE', '/users/sessions/')
    await portal.call(ALICE, 'POST', '/users/change_email/', { email: 'new@example.org', password: 'Demo-1234' })
    const key = await keyMailedTo(portal.world, 'new@example.org', 'change_email')
    await portal.call(null, 'POST', '/users/change_email/confirm/', { key })
    await portal.call('new@example.org', 'POST', '/users/change_password/', { old_password: 'Demo-1234', new_password: 'Other-5678' })
    expect(await kinds(portal, 'new@example.org')).toEqual(['password_changed', 'email_changed', 'session_ended', 'session_ended'])
  })

  test('keys and links of trackers are recorded with the name of the tracker', async () => {
    await using portal = await startPortal()
    const { body } = await portal.call(ALICE, 'POST', `/devices/${SEED.devices.rex}/keys/`, { label: 'Phone' })
    await portal.call(ALICE, 'DELETE', `/devices/${SEED.devices.rex}/keys/${body.id}/`)
    await portal.call(ALICE, 'POST', `/devices/${SEED.devices.rex}/public_share_link/`, { label: 'x', permanent: true })
    await portal.call(ALICE, 'DELETE', `/tracker_public_share_links/${LINKS.expired}/`)
    const entries = await log(portal, ALICE)
    expect(entries.map(({ kind, who }) => [kind, who])).toEqual([
      ['link_removed', ALICE],
      ['link_added', ALICE],
      ['key_removed', ALICE],
      ['key_added', ALICE],
    ])
    expect(entries.slice(1).map(({ about }) => about)).toEqual(['Rex', 'Rex', 'Rex'])
  })

  test('changes of the team are seen by its administrator but not by its members', async () => {
    await using portal = await startPortal()
    const invited = { email: 'new@pro.example.com', first_name: 'Neo', last_name: 'New', devices: [] }
    const { body } = await portal.call(ADMIN, 'POST', '/users/team/', invited)
    await portal.call(ADMIN, 'PATCH', `/users/team/${body.id}/`, { first_name: 'Nea' })
    await portal.call(ADMIN, 'DELETE', `/users/team/${body.id}/`)
    expect(await kinds(portal, ADMIN)).toEqual(['member_removed', 'member_changed', 'member_added'])
    expect(await kinds(portal, MEMBER)).toEqual([])
  })

  test('changes and uses of the second factor are recorded, and wrong proofs once an hour for each network', async () => {
    await using portal = await startPortal()
    const send = (path: string, body: object) => portal.call(GUARDED, 'POST', path, { password: 'Demo-1234', ...body })
    const [first, second] = SEED_FACTOR.recoveryCodes
    await send('/users/second_factor/totp/off/', { code: '000000' })
    await send('/users/second_factor/totp/off/', { code: '000000' })
    await send(`/users/passkeys/${SEED_FACTOR.passkey}/off/`, { recovery_code: first })
    const { body } = await send('/users/second_factor/recovery_codes/', { recovery_code: second })
    await send('/users/second_factor/totp/off/', { recovery_code: body.recovery_codes[0] })
    const entries = await log(portal, GUARDED)
    expect(entries.map(({ kind }) => kind)).toEqual([
      'app_removed',
      'recovery_code_used',
      'recovery_codes_renewed',
      'recovery_code_used',
      'passkey_removed',
      'recovery_code_used',
      'factor_refused',
    ])
    expect(entries.map(({ about }) => about)).toEqual([null, null, null, null, 'Laptop', null, 'lightMyRequest'])
    await portal.call(ALICE, 'POST', '/users/second_factor/totp/')
    const { code } = (await portal.call(null, 'GET', `/mock/second_factor/${ALICE}`)).body
    await portal.call(ALICE, 'POST', '/users/second_factor/totp/confirm/', { code })
    expect(await kinds(portal, ALICE)).toEqual(['app_added'])
  })

  test('the use of a cloned passkey is recorded as a rejection', async () => {
    await using portal = await startPortal()
    for (const counter of [7, 7]) {
      const { challenge, options } = (await portal.call(null, 'POST', '/api/v1/auth/passkey/options/')).body
      const passkey = seededAuthenticator.assert({ signs: options.challenge, counter })
      await portal.call(null, 'POST', '/api/v1/auth/passkey/', { challenge, passkey })
    }
    expect(await kinds(portal, GUARDED)).toEqual(['factor_refused', 'sign_in'])
  })

  test('a sign-in that the database could not store is not logged', async () => {
    await using portal = await startPortal()
    const { db, log: ownLog } = portal.world
    const info = vi.spyOn(ownLog, 'info')
    const write = db.write.bind(db)
    const full = vi.spyOn(db, 'write').mockImplementation((lock, work) =>
      write(lock, async (tx) => {
        const result = await work(tx)
        if (String(lock).startsWith('account:')) throw new Error('database or disk is full')
        return result
      }),
    )
    const events = () => info.mock.calls.filter(([, message]) => message === 'security event').length
    expect([(await signIn(portal, ALICE, 'Demo-1234')).status, events()]).toEqual([500, 0])
    full.mockRestore()
    expect([(await signIn(portal, ALICE, 'Demo-1234')).status, events()]).toEqual([200, 1])
    info.mockRestore()
  })

  test("an erased account leaves a line in the server's own log", async () => {
    await using portal = await startPortal()
    const info = vi.spyOn(portal.world.log, 'info')
    await portal.call('zoe@example.com', 'DELETE', '/users/me/?profile=all')
    expect(info).toHaveBeenCalledWith(expect.objectContaining({ security: 'account_erased', network: NETWORK }), 'security event')
    info.mockRestore()
  })

  test('the log has pages of 50, and a cursor that is not a number is refused', async () => {
    await using portal = await startPortal({ limits: { credentials: false } })
    for (let n = 0; n < 51; n++)
      await portal.call(ALICE, 'DELETE', `/tracker_public_share_links/${LINKS.expired}/`).then(() => portal.token(ALICE))
    await portal.call(ALICE, 'DELETE', '/users/sessions/')
    const first = (await portal.call(ALICE, 'GET', '/users/security_log/')).body
    expect([first.entries.length, typeof first.next]).toEqual([50, 'string'])
    const second = (await portal.call(ALICE, 'GET', `/users/security_log/?before=${first.next}`)).body
    expect(second.entries.length).toBeGreaterThan(1)
    expect(await portal.call(ALICE, 'GET', '/users/security_log/?before=abc')).toMatchObject({
      status: 400,
      body: { code: 'validation_error' },
    })
  })
})

describe('positions read by support', () => {
  const read = (portal: Portal, path: string) => portal.call(SUPPORT, 'GET', path)
  const reads = async (portal: Portal, email: string) => (await log(portal, email)).filter(({ kind }) => kind === 'positions_read')

  test('the owner sees which support person read the positions of which tracker', async () => {
    await using portal = await startPortal()
    const { status } = await read(
      portal,
      `/devices/${SEED.devices.rex}/tracker_data/?start_date=2026-03-01T00:00:00Z&end_date=2026-03-02T00:00:00Z`,
    )
    expect(status).toBe(200)
    expect(await reads(portal, ALICE)).toEqual([
      { at: '2026-03-02T09:00:00Z', kind: 'positions_read', who: SUPPORT, where: NETWORK, about: 'Rex' },
    ])
    expect(await reads(portal, 'zoe@example.com')).toEqual([])
  })

  test('a read that the database could not store is not logged as one', async () => {
    await using portal = await startPortal()
    const { db, log: ownLog } = portal.world
    const headers = { authorization: `Bearer ${await portal.token(SUPPORT)}` }
    const readRex = async () => (await portal.call(null, 'GET', `/devices/${SEED.devices.rex}/`, undefined, headers)).status
    const write = db.write.bind(db)
    const full = vi.spyOn(db, 'write').mockImplementation((lock, work) =>
      write(lock, async (tx) => {
        await work(tx)
        throw new Error('database or disk is full')
      }),
    )
    const info = vi.spyOn(ownLog, 'info')
    const logged = () => info.mock.calls.filter(([data]) => 'security' in (data as object)).length
    expect([await readRex(), logged()]).toEqual([500, 0])
    full.mockRestore()
    expect([await readRex(), logged()]).toEqual([200, 1])
    info.mockRestore()
  })

  test('reading a tracker again within the hour adds no line, another tracker or a later hour does', async () => {
    await using portal = await startPortal()
    const { rex, misty } = SEED.devices
    for (const id of [rex, rex, misty]) await read(portal, `/devices/${id}/`)
    expect((await reads(portal, ALICE)).map(({ about }) => about)).toEqual(['Misty', 'Rex'])
    portal.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    await read(portal, `/devices/${rex}/`)
    expect(await reads(portal, ALICE)).toHaveLength(3)
  })

  test('a list of all trackers adds one line to each account with trackers, and a rejected request none', async () => {
    await using portal = await startPortal()
    await read(portal, '/devices/987654321/')
    expect(await reads(portal, ALICE)).toEqual([])
    for (let n = 0; n < 2; n++) await read(portal, '/devices/?type=tracker')
    expect(await reads(portal, ALICE)).toMatchObject([{ who: SUPPORT, about: null }])
    expect(await reads(portal, 'zoe@example.com')).toHaveLength(1)
  })

  test("an owner's own reads are not recorded", async () => {
    await using portal = await startPortal()
    await portal.call(ALICE, 'GET', `/devices/${SEED.devices.rex}/`)
    expect(await log(portal, ALICE)).toEqual([])
  })
})
