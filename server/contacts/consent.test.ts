import { expect, test } from 'vitest'
import { moveRex } from '#server/alerts/notices/test-rex.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Mail = { id: number; template: string; text: string }

const ALICE = 'alice@example.com'
const ERIN = 'erin@example.net'
const { rex } = SEED.devices

const startAsking = () => startPortal({ asksContacts: true })

const mailsTo = async (portal: Portal, to: string): Promise<Mail[]> => (await portal.call(null, 'GET', `/mock/mail?to=${to}`)).body
const templatesTo = async (portal: Portal, to: string) => (await mailsTo(portal, to)).map(({ template }) => template)

const add = async (portal: Portal, email: string, as = ALICE) =>
  (await portal.call(as, 'POST', '/tracker_contacts/', { name: 'Erin', email })).body

const alertOn = (portal: Portal, contact: { id: number }) =>
  portal.call(ALICE, 'POST', '/tracker_alerts/', { devices: [rex], contacts: [contact.id], place: SEED.places.home, trigger: 'leave' })

/** Follows the link in the newest mail, and agrees on its page. */
async function agree(portal: Portal, to: string) {
  const [mail] = await mailsTo(portal, to)
  const { text } = (await portal.call(null, 'GET', `/mock/mail/${mail!.id}`)).body as Mail
  const { pathname, search } = new URL(/http\S+\/mail\/allow\/\S+/.exec(text)![0])
  const page = await portal.call(null, 'GET', pathname + search)
  await portal.call(null, 'POST', pathname + search, {}, { 'content-type': 'application/x-www-form-urlencoded' })
  return page.body as string
}

test('a new contact gets a consent mail first, and alerts after agreeing', async () => {
  await using portal = await startAsking()
  const erin = await add(portal, ERIN)
  expect(erin).toMatchObject({ mail_asked_at: '2026-03-02T09:00:00Z' })
  expect(erin).not.toHaveProperty('mail_stopped_at')
  await alertOn(portal, erin)
  await moveRex(portal, 5000)
  expect(await templatesTo(portal, ERIN)).toEqual(['ask_alerts'])
  expect(await agree(portal, ERIN)).toContain('Receive alert e-mails?')
  const [contact] = (await portal.call(ALICE, 'GET', '/tracker_contacts/')).body.filter(({ email }: { email: string }) => email === ERIN)
  expect(contact).not.toHaveProperty('mail_asked_at')
  await moveRex(portal, 0)
  await moveRex(portal, 5000)
  expect(await templatesTo(portal, ERIN)).toEqual(['place_alert', 'ask_alerts'])
})

test('adding a contact again sends no second consent mail, and the owner can resend it once a day', async () => {
  await using portal = await startAsking()
  const first = await add(portal, ERIN)
  await portal.call(ALICE, 'DELETE', `/tracker_contacts/${first.id}/`)
  const { id } = await add(portal, ERIN)
  const ask = () => portal.call(ALICE, 'POST', `/tracker_contacts/${id}/ask_again/`)
  expect(await ask()).toMatchObject({ status: 429, body: { code: 'throttled' } })
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 25 * 3_600_000) })
  expect((await ask()).status).toBe(200)
  expect(await templatesTo(portal, ERIN)).toEqual(['ask_alerts', 'ask_alerts'])
})

test('a contact with a new address gets a request for consent, unless a user of the account has confirmed the address', async () => {
  await using portal = await startAsking()
  const erin = await add(portal, ERIN)
  const change = (email: string) => portal.call(ALICE, 'PATCH', `/tracker_contacts/${erin.id}/`, { email })
  expect((await change('erin@example.org')).body).toHaveProperty('mail_asked_at')
  expect(await templatesTo(portal, 'erin@example.org')).toEqual(['ask_alerts'])
  expect((await change(ALICE)).body).not.toHaveProperty('mail_asked_at')
})

test('an account without a confirmed address sends no requests for consent', async () => {
  await using portal = await startAsking()
  const erin = await add(portal, ERIN, 'chloe@example.com')
  expect(erin).toHaveProperty('mail_asked_at')
  expect(await mailsTo(portal, ERIN)).toEqual([])
  const again = await portal.call('chloe@example.com', 'POST', `/tracker_contacts/${erin.id}/ask_again/`)
  expect(again).toMatchObject({ status: 409, body: { code: 'email_unconfirmed' } })
})

test('each account asks a person for itself', async () => {
  await using portal = await startAsking()
  await add(portal, ERIN)
  await agree(portal, ERIN)
  const others = await add(portal, ERIN, 'admin@pro.example.com')
  expect(others).toHaveProperty('mail_asked_at')
})

test('a server that presumes consent sends no requests for it', async () => {
  await using portal = await startPortal()
  expect(await add(portal, ERIN)).not.toHaveProperty('mail_asked_at')
  expect(await mailsTo(portal, ERIN)).toEqual([])
})
