import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { emails } from '#db/schema/messages.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { createDispatcher } from './mail-dispatch.ts'
import { operateMails } from './mail-operator.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

/** A portal where the mail server has refused the link for a new password. */
async function startRefused() {
  const portal = await startPortal()
  const { db, clock } = portal.world
  await db.write('everything', (tx) => tx.update(emails).set({ sentAt: clock.now() }))
  const taken: unknown[] = []
  const refusal = Object.assign(new Error('550 no mailbox <alice@example.com>'), { code: 'EENVELOPE', responseCode: 550 })
  const failures = [refusal]
  const sender = {
    close() {},
    async sendMail(message: { text?: unknown }) {
      const failure = failures.shift()
      if (failure) throw failure
      taken.push(message.text)
      return { envelope: { from: '', to: [] }, messageId: '' }
    },
  }
  const dispatcher = createDispatcher(() => portal.world, { from: 'a@example.com', sender: sender as never, host: 'smtp.example:25' })
  await portal.call(null, 'POST', '/users/password_reset/', { email: 'alice@example.com' })
  expect(await dispatcher.run()).toBe(0)
  return { ...portal, dispatcher, taken, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

async function operate({ world }: Portal, ...args: string[]) {
  const lines: string[] = []
  await operateMails(world.db, args, { now: world.clock.now(), print: (line) => void lines.push(line) })
  return lines
}

test('a refused mail is listed with reason, host and message, and sent again with its link on request', async () => {
  await using portal = await startRefused()
  const listed = (await operate(portal)).map((line) => JSON.parse(line))
  expect(listed).toMatchObject([
    { to: 'alice@example.com', template: 'password_reset', reason: 'EENVELOPE', host: 'smtp.example:25', message: '550 no mailbox <…>' },
  ])
  expect(await operate(portal, '--again')).toEqual(['1 mails are sent again by the running server.'])
  expect([await portal.dispatcher.run(), await operate(portal)]).toEqual([1, []])
  expect(portal.taken).toEqual([expect.stringMatching(/&key=[0-9a-f]{40}/)])
})

test('one mail is sent again by its id, and an unknown id is refused', async () => {
  await using portal = await startRefused()
  const { db, clock } = portal.world
  const other = {
    to: 'b@example.org',
    template: 'low_battery',
    language: 'en' as const,
    data: { tracker: 'Rex', datetime: '2026-03-02T09:00:00Z' },
  }
  await db.write('everything', (tx) => tx.insert(emails).values({ ...other, createdAt: clock.now(), givenUpAt: clock.now() }))
  const [{ id } = { id: 0 }] = await db.read.select().from(emails).where(eq(emails.to, other.to))
  await expect(operate(portal, `--again=${id + 1}`)).rejects.toThrow(`No given-up mail has the id ${id + 1}.`)
  await expect(operate(portal, '--again=all')).rejects.toThrow('Usage')
  await expect(operate(portal, '--new')).rejects.toThrow('Usage')
  expect(await operate(portal, '--again', String(id))).toEqual(['1 mails are sent again by the running server.'])
  expect([await portal.dispatcher.run(), (await operate(portal)).length]).toEqual([1, 1])
})

test('a mail with an expired link is not sent again', async () => {
  await using portal = await startRefused()
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 3 * 3_600_000) })
  const [{ id }] = (await operate(portal)).map((line) => JSON.parse(line)) as [{ id: number }]
  expect(await operate(portal, '--again')).toEqual([
    '0 mails are sent again by the running server.',
    `1 have a link that has ended, so they are not sent: ${id}`,
  ])
  expect(await portal.dispatcher.run()).toBe(0)
})
