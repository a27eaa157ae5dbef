import { expect, test } from 'vitest'
import { DAY_MS, formatInstant, HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { accounts, users } from '#db/schema/accounts.ts'
import { emails } from '#db/schema/messages.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { operateAnnouncements } from './announce-command.ts'

const { email: alice } = getPersona('alice')
type Portal = Awaited<ReturnType<typeof startPortal>>

async function openDesk(portal: Portal) {
  const staff = await signInStaffAs(portal.world, { email: 'help@shop.example', name: 'Help', role: 'support' })
  const now = portal.clock.now().getTime()
  const at = (ms: number) => formatInstant(new Date(now + ms))
  return {
    at,
    send: (method: string, path: string, body?: unknown, headers = {}) =>
      portal.call(null, method, `/operator/api/${path}`, body, { ...staff, ...headers }),
    shown: async () => (await portal.call(alice, 'GET', '/users/announcements/')).body,
    forward: (ms: number) => portal.clock.set({ at: new Date(now + ms) }),
  }
}

test('an announcement is shown to users from its beginning to its end', async () => {
  await using portal = await startPortal()
  const { at, send, shown, forward } = await openDesk(portal)
  const body = {
    level: 'warning',
    texts: { en: 'The map rests', de: 'Die Karte ruht' },
    starts_at: at(10 * MINUTE_MS),
    ends_at: at(20 * MINUTE_MS),
  }
  const made = await send('POST', 'announcements/', body)
  expect(made).toMatchObject({ status: 200, body: { state: 'coming', is_mailed: false } })
  expect(await shown()).toEqual([])
  forward(10 * MINUTE_MS)
  expect(await shown()).toEqual([
    { id: made.body.id, level: 'warning', texts: body.texts, starts_at: body.starts_at, ends_at: body.ends_at },
  ])
  forward(20 * MINUTE_MS)
  expect(await shown()).toEqual([])
  expect((await send('GET', 'announcements/?state=past')).body).toMatchObject({ announcements: [{ id: made.body.id }], next: null })
})

test('an announcement ends at once, stands in the log, and cannot end twice', async () => {
  await using portal = await startPortal()
  const { at, send, shown } = await openDesk(portal)
  const { id } = (await send('POST', 'announcements/', { level: 'info', texts: { en: 'Hello' }, ends_at: at(DAY_MS) })).body
  expect(await shown()).toHaveLength(1)
  expect((await send('POST', `announcements/${id}/end/`, {})).body).toMatchObject({ state: 'past' })
  expect(await shown()).toEqual([])
  expect(await send('POST', `announcements/${id}/end/`, {})).toMatchObject({ status: 410, body: { code: 'expired' } })
  const admin = await signInStaffAs(portal.world, { email: 'boss@shop.example', name: 'Boss', role: 'admin' })
  const { body } = await portal.call(null, 'GET', '/operator/api/deeds/', undefined, admin)
  expect(body.deeds.map(({ kind, subject, who }: Record<string, string>) => [kind, subject, who])).toEqual([
    ['announcement_ended', `${id}: Hello`, 'Help'],
    ['announcement_made', `${id}: Hello`, 'Help'],
  ])
})

test('a repeat with the same idempotency key makes no second announcement', async () => {
  await using portal = await startPortal()
  const { at, send, shown } = await openDesk(portal)
  const body = { level: 'info', texts: { en: 'Hello' }, ends_at: at(DAY_MS) }
  const first = await send('POST', 'announcements/', body, { 'idempotency-key': 'a1' })
  expect((await send('POST', 'announcements/', body, { 'idempotency-key': 'a1' })).body).toEqual(first.body)
  expect(await shown()).toHaveLength(1)
})

test('texts in no known language and an end in the wrong place are refused with the field', async () => {
  await using portal = await startPortal()
  const { at, send } = await openDesk(portal)
  const good = { level: 'info', texts: { en: 'Hello' }, ends_at: at(DAY_MS) }
  for (const [field, change] of [
    ['texts', { texts: {} }],
    ['texts', { texts: { en: 'x'.repeat(501) } }],
    ['texts', { texts: { xx: 'Hello' } }],
    ['ends_at', { ends_at: at(-HOUR_MS) }],
    ['ends_at', { starts_at: at(2 * DAY_MS) }],
    ['level', { level: 'loud' }],
  ] as const) {
    const { status, body } = await send('POST', 'announcements/', { ...good, ...change })
    expect([status, Object.keys(body.errors).map((name) => name.split('.')[0])], JSON.stringify(change)).toEqual([400, [field]])
  }
})

test('every owner with a confirmed address gets the mail once, also if the server stops between two batches', async () => {
  await using portal = await startPortal()
  const { world } = portal
  const { at, send } = await openDesk(portal)
  const createdAt = portal.clock.now()
  await world.db.write('everything', async (tx) => {
    for (let number = 0; number < 250; number++) {
      const [account] = await tx.insert(accounts).values({}).returning({ id: accounts.id })
      const email = `owner${number}@example.com`
      const person = { accountId: account!.id, username: email, email, firstName: 'O', lastName: 'W', createdAt }
      await tx.insert(users).values({ ...person, emailConfirmed: number !== 7, language: number === 8 ? 'de' : 'fr' })
    }
  })
  const body = { level: 'info', texts: { en: 'Hello', de: 'Hallo' }, ends_at: at(DAY_MS), is_mailed: true }
  const { id } = (await send('POST', 'announcements/', body)).body
  const readMails = async () => (await world.db.read.select().from(emails)).filter(({ template }) => template === 'announcement')
  await runDue(world, portal.clock.now())
  expect(await readMails()).not.toHaveLength(0)
  expect((await send('GET', 'announcements/')).body.announcements[0]).toMatchObject({ id, mailed_at: null })
  for (const _ of [1, 2, 3]) await runDue(world, portal.clock.now())
  const mails = (await readMails()).filter(({ to }) => to.startsWith('owner'))
  expect(new Set(mails.map(({ to }) => to)).size).toBe(249)
  expect(mails).toHaveLength(249)
  expect(mails.find(({ to }) => to === 'owner8@example.com')).toMatchObject({ language: 'de', data: { text: 'Hallo' } })
  expect(mails.find(({ to }) => to === 'owner9@example.com')).toMatchObject({ data: { text: 'Hello' } })
  expect((await send('GET', 'announcements/')).body.announcements[0].mailed_at).not.toBeNull()
})

test('operator.js makes, prints and ends an announcement', async () => {
  await using portal = await startPortal()
  const { at, shown } = await openDesk(portal)
  const printed: string[] = []
  const ports = { db: portal.world.db, clock: portal.clock, print: (line: string) => void printed.push(line) }
  expect(await operateAnnouncements(ports, ['Hello', '--de=Hallo', `--until=${at(DAY_MS)}`, '--warning'])).toBe(true)
  expect(await shown()).toMatchObject([{ level: 'warning', texts: { en: 'Hello', de: 'Hallo' } }])
  await operateAnnouncements(ports, [])
  const { id } = JSON.parse(printed[1]!)
  expect(printed[0]).toBe(`The announcement ${id} is shown now, until ${at(DAY_MS)}.`)
  await operateAnnouncements(ports, ['end', String(id)])
  expect(await shown()).toEqual([])
  await expect(operateAnnouncements(ports, ['end', String(id)])).rejects.toThrow('The announcement has ended already.')
  await expect(operateAnnouncements(ports, ['Hello', `--until=${at(-DAY_MS)}`])).rejects.toThrow('ends_at: is in the past')
  await expect(operateAnnouncements(ports, ['Hello'])).rejects.toThrow('ends_at')
  expect(await operateAnnouncements(ports, ['Hello', 'world'])).toBe(false)
})
