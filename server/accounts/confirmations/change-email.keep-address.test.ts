import { expect, test } from 'vitest'
import { insertPasskey, listPasskeys } from '#server/accounts/factors/factors.store.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { keyMailedTo, mailsTo } from '#server/test/test-mail.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [OLD, NEW, PASSWORD] = ['bruno@example.com', 'intruder@example.net', 'Demo-1234']

const requestChange = (portal: Portal, who: string, email: string) =>
  portal.call(who, 'POST', '/users/change_email/', { email, password: PASSWORD })
async function change(portal: Portal, from = OLD, to = NEW) {
  expect((await requestChange(portal, from, to)).status).toBe(200)
  const key = await keyMailedTo(portal.world, to, 'change_email')
  expect((await portal.call(null, 'POST', '/users/change_email/confirm/', { key })).status).toBe(200)
}
const pageOf = (key: string, language = 'en') => `/mail/keep-address/?language=${language}&key=${key}`
const noticeTo = (portal: Portal, to: string) => keyMailedTo(portal.world, to, 'change_notice')
const keep = (portal: Portal, key: string) => portal.call(null, 'POST', pageOf(key))
const signIn = (portal: Portal, username: string, password = PASSWORD) =>
  portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username, password })

test('the link in the notice of an e-mail change asks for confirmation, in the language of the mail, and changes nothing', async () => {
  await using portal = await startPortal()
  await change(portal)
  const page = await portal.call(null, 'GET', pageOf(await noticeTo(portal, OLD), 'fr'))
  expect(page.status).toBe(200)
  expect(page.raw.toString()).toContain('Garder cette adresse pour votre compte')
  expect((await signIn(portal, NEW)).status).toBe(200)
})

test('an owner reverts an e-mail change, which ends all sessions and tokens, and sets a new password', async () => {
  await using portal = await startPortal()
  await change(portal)
  const intruder = (await signIn(portal, NEW)).body.token
  const done = await keep(portal, await noticeTo(portal, OLD))
  expect([done.status, done.raw.toString().includes(OLD)]).toEqual([200, true])
  expect((await signIn(portal, NEW)).status).toBe(401)
  const headers = { authorization: `Bearer ${intruder}` }
  expect((await portal.call(null, 'GET', '/users/me/', undefined, headers)).status).toBe(401)
  const key = await keyMailedTo(portal.world, OLD, 'password_reset')
  expect((await portal.call(null, 'POST', '/users/password_reset/confirm/', { key, new_password: 'another-Demo-77' })).status).toBeLessThan(
    300,
  )
  expect((await signIn(portal, OLD, 'another-Demo-77')).status).toBe(200)
})

test('an unconfirmed e-mail change is cancelled', async () => {
  await using portal = await startPortal()
  await requestChange(portal, OLD, NEW)
  expect((await keep(portal, await noticeTo(portal, OLD))).status).toBe(200)
  const key = await keyMailedTo(portal.world, NEW, 'change_email')
  expect((await portal.call(null, 'POST', '/users/change_email/confirm/', { key })).status).toBe(410)
})

test('a factor added after the notice is removed, an older one stays', async () => {
  await using portal = await startPortal()
  const { body: me } = await portal.call(OLD, 'GET', '/users/me/')
  const addPasskey = (credentialId: string) =>
    portal.world.db.write('everything', (tx) =>
      insertPasskey(tx, {
        userId: me.id,
        credentialId,
        publicKey: 'x',
        counter: 0,
        transports: null,
        name: credentialId,
        createdAt: portal.world.clock.now(),
      }),
    )
  await addPasskey('own')
  portal.clock.set({ at: new Date('2026-03-02T09:01:00Z') })
  await requestChange(portal, OLD, NEW)
  await addPasskey('foreign')
  await keep(portal, await noticeTo(portal, OLD))
  expect((await listPasskeys(portal.world.db.read, me.id)).map(({ name }) => name)).toEqual(['own'])
})

test('the notice of a later change does not invalidate an earlier one, whose link reverts both', async () => {
  await using portal = await startPortal()
  await change(portal)
  portal.clock.set({ at: new Date('2026-03-02T09:01:00Z') })
  await change(portal, NEW, 'second@example.net')
  const intruders = await noticeTo(portal, NEW)
  expect((await keep(portal, await noticeTo(portal, OLD))).status).toBe(200)
  expect((await keep(portal, intruders)).status).toBe(404)
  expect((await signIn(portal, 'second@example.net')).status).toBe(401)
  expect(await mailsTo(portal.world, OLD, 'password_reset')).toHaveLength(1)
})

test('a link that is used, a week old, or for an address that another user has now shows that it does not work', async () => {
  await using portal = await startPortal()
  expect((await portal.call(null, 'GET', '/mail/keep-address/')).status).toBe(404)
  expect((await portal.call(null, 'GET', pageOf('nonsense'))).status).toBe(404)
  await change(portal)
  const key = await noticeTo(portal, OLD)
  const body = { email: OLD, username: 'other', password: 'long-Enough-99', first_name: 'O', last_name: 'O' }
  await portal.call(null, 'POST', '/users/register', body)
  expect((await keep(portal, key)).status).toBe(404)
  portal.clock.set({ at: new Date('2026-03-09T09:00:00Z') })
  expect((await portal.call(null, 'GET', pageOf(key))).status).toBe(404)
})
