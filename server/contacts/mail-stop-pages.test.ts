import { expect, test } from 'vitest'
import { moveRex } from '#server/alerts/notices/test-rex.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Mail = { id: number; template: string; text: string; html: string; links: string[] }

const ALICE = 'alice@example.com'
const [BOB, DAVE] = ['bob@example.net', 'dave@example.net']
const { bob, dave } = SEED.contacts

const mailsTo = async (portal: Portal, to: string): Promise<Mail[]> => (await portal.call(null, 'GET', `/mock/mail?to=${to}`)).body
const alertsTo = async (portal: Portal, to: string) => (await mailsTo(portal, to)).filter(({ template }) => template === 'place_alert')
const contact = async (portal: Portal, id: number) =>
  (await portal.call(ALICE, 'GET', '/tracker_contacts/')).body.find((each: { id: number }) => each.id === id)

/** Path and query of the first link to a page, in the source of the newest mail. */
async function linkIn(portal: Portal, to: string, page: 'stop' | 'allow') {
  const [mail] = await mailsTo(portal, to)
  const { text } = (await portal.call(null, 'GET', `/mock/mail/${mail!.id}`)).body as Mail
  const { pathname, search } = new URL(new RegExp(`http\\S+/mail/${page}/\\S+`).exec(text)![0])
  return pathname + search
}

const ONE_CLICK = { 'content-type': 'application/x-www-form-urlencoded' }
const post = (portal: Portal, url: string) => portal.call(null, 'POST', url, 'List-Unsubscribe=One-Click' as unknown as object, ONE_CLICK)

test('an alert mail links to a page to unsubscribe, which asks on a visit and unsubscribes at one click of a mail program', async () => {
  await using portal = await startPortal()
  await moveRex(portal, 5000)
  const [mail] = await alertsTo(portal, BOB)
  const source = (await portal.call(null, 'GET', `/mock/mail/${mail!.id}/eml`)).raw.toString().replace(/\r\n\s+/g, ' ')
  expect(source).toMatch(/^List-Unsubscribe: <http:\/\/portal\.test\/mail\/stop\/\?[^>]+>/m)
  expect(source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m)
  const url = await linkIn(portal, BOB, 'stop')
  for (let visit = 0; visit < 2; visit++) {
    const page = await portal.call(null, 'GET', url)
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<form method="post">') })
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  }
  expect(await contact(portal, bob)).not.toHaveProperty('mail_stopped_at')
  expect(await post(portal, url)).toMatchObject({ status: 200, body: expect.stringContaining('No more alert e-mails') })
  expect(await contact(portal, bob)).toMatchObject({ mail_stopped_at: '2026-03-02T09:30:00Z' })
  await moveRex(portal, 0)
  await moveRex(portal, 5000)
  expect(await alertsTo(portal, BOB)).toHaveLength(1)
  expect((await alertsTo(portal, 'carol@example.net')).length).toBeGreaterThan(1)
})

test('unsubscribing outlives the contact, and only the link mailed to the person reverts it', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'DELETE', `/tracker_contacts/${dave}/`)
  const again = (await portal.call(ALICE, 'POST', '/tracker_contacts/', { name: 'Dave', email: DAVE })).body
  expect(again).toHaveProperty('mail_stopped_at')
  const ask = () => portal.call(ALICE, 'POST', `/tracker_contacts/${again.id}/ask_again/`)
  expect((await ask()).status).toBe(200)
  expect(await contact(portal, again.id)).toHaveProperty('mail_stopped_at')
  expect(await ask()).toMatchObject({ status: 429, body: { code: 'throttled' } })
  const url = await linkIn(portal, DAVE, 'allow')
  expect((await portal.call(null, 'GET', url)).body).toContain('Receive alert e-mails again?')
  expect(await contact(portal, again.id)).toHaveProperty('mail_stopped_at')
  expect((await post(portal, url)).status).toBe(200)
  expect(await contact(portal, again.id)).not.toHaveProperty('mail_stopped_at')
  expect(await ask()).toMatchObject({ status: 400, body: { code: 'no_change' } })
})

test('a modified link, one for an earlier opt-out or one of an erased account does nothing', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'POST', `/tracker_contacts/${dave}/ask_again/`)
  const allow = await linkIn(portal, DAVE, 'allow')
  await moveRex(portal, 5000)
  const stop = await linkIn(portal, BOB, 'stop')
  for (const url of [
    stop.replace('bob%40', 'carol%40'),
    stop.replace('/stop/', '/allow/'),
    allow.replace('/allow/', '/stop/'),
    stop.replace(/account=\d+/, 'account=2'),
    '/mail/stop/',
    '/mail/allow/?account=x',
  ])
    expect(await post(portal, url), url).toMatchObject({ status: 404, body: expect.stringContaining('This link does not work') })
  expect(await contact(portal, dave)).toHaveProperty('mail_stopped_at')
  await post(portal, allow)
  const again = await post(portal, stop.replace('bob', 'bob'))
  expect(again.status).toBe(200)
  await portal.call(ALICE, 'DELETE', '/users/me/?profile=all')
  expect((await post(portal, stop)).status).toBe(404)
})
