import { createTransport } from 'nodemailer'
import { afterEach, describe, expect, test } from 'vitest'
import { emails } from '#db/schema/messages.ts'
import { queueMail } from '#server/outbox/outbox.store.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { openStored } from '#server/test/test-database.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { findFreePort } from '#server/test/test-process.ts'
import { dispatchAndDie, getHeader, splitParts, startSmtp } from '#server/test/test-smtp.ts'
import { createDispatcher } from './mail-dispatch.ts'

const from = 'Whereabouts <no-reply@example.com>'
type Outbox = ReturnType<Parameters<typeof createDispatcher>[0]>

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function dispatch(world: Outbox, url: string) {
  const dispatcher = createDispatcher(() => world, { from, sender: createTransport(url) })
  closing.push(() => dispatcher.stop())
  return dispatcher
}

const queue = ({ db, clock }: Pick<Outbox, 'db' | 'clock'>, to: string, language: 'en' | 'ja' = 'en') =>
  db.write('everything', (tx) =>
    queueMail(tx, {
      to,
      template: 'low_battery',
      language,
      data: { tracker: 'ポチ', device: '31', datetime: clock.now().toISOString() },
      now: clock.now(),
    }),
  )
const rowTo = async ({ db }: Pick<Outbox, 'db'>, to: string) => (await db.read.select().from(emails)).find((mail) => mail.to === to)!

describe('a real mail server', () => {
  test("R-1.23 a mail arrives in the recipient's language, as text and HTML, with intact headers", async () => {
    await using portal = await startPortal()
    await using smtp = await startSmtp()
    await queue(portal.world, 'haruka@example.org', 'ja')
    expect(await dispatch(portal.world, smtp.url).run()).toBe(1)
    const [mail] = smtp.taken
    expect(mail).toMatchObject({ from: 'no-reply@example.com', to: ['haruka@example.org'] })
    expect(getHeader(mail!, 'Subject')).toBe('ポチの電池残量が少なくなっています')
    expect(mail!.source.slice(0, mail!.source.indexOf('\r\n\r\n'))).toMatch(/^[\x20-\x7e\r\n\t]*$/)
    expect(['From', 'To', 'Auto-Submitted', 'Date', 'MIME-Version'].map((name) => getHeader(mail!, name))).toEqual([
      from,
      'haruka@example.org',
      'auto-generated',
      'Mon, 02 Mar 2026 09:00:00 +0000',
      '1.0',
    ])
    const parts = splitParts(mail!)
    expect([...parts.keys()]).toEqual(['text/plain', 'text/html'])
    expect(parts.get('text/plain')).toContain('トラッカーを見失わないよう')
    expect(parts.get('text/plain')).toContain('http://portal.test/trackers/31')
    expect(parts.get('text/html')).toContain('<html lang="ja">')
    expect(await rowTo(portal.world, 'haruka@example.org')).toMatchObject({ sentAt: portal.clock.now(), attempts: 1 })
  })

  test("a busy mail server is tried again after a minute of the world's clock and accepts the mail", async () => {
    await using portal = await startPortal()
    await using smtp = await startSmtp()
    const dispatcher = dispatch(portal.world, smtp.url)
    await queue(portal.world, 'busy@example.org')
    expect([await dispatcher.run(), await dispatcher.run(), smtp.taken.length]).toEqual([0, 0, 0])
    expect(await rowTo(portal.world, 'busy@example.org')).toMatchObject({ sentAt: null, attempts: 1 })
    portal.clock.set({ at: new Date(ANCHOR.getTime() + 60_000) })
    expect(await dispatcher.run()).toBe(1)
    expect(smtp.taken).toHaveLength(1)
  })

  test('a mail to an unknown address is not retried, and the next mail is sent', async () => {
    await using portal = await startPortal()
    await using smtp = await startSmtp()
    const dispatcher = dispatch(portal.world, smtp.url)
    for (const to of ['gone@example.org', 'bob@example.org']) await queue(portal.world, to)
    expect(await dispatcher.run()).toBe(1)
    portal.clock.set({ at: new Date(ANCHOR.getTime() + 86_400_000) })
    expect(await dispatcher.run()).toBe(0)
    expect(smtp.taken.map(({ to }) => to)).toEqual([['bob@example.org']])
    expect(await rowTo(portal.world, 'gone@example.org')).toMatchObject({ sentAt: null, givenUpAt: ANCHOR })
  })

  test('mails wait for a mail server that is down', async () => {
    await using portal = await startPortal()
    const port = await findFreePort()
    const dispatcher = dispatch(portal.world, `smtp://127.0.0.1:${port}`)
    await queue(portal.world, 'bob@example.org')
    for (const minutes of [0, 1, 3]) {
      portal.clock.set({ at: new Date(ANCHOR.getTime() + minutes * 60_000) })
      expect(await dispatcher.run()).toBe(0)
    }
    await using smtp = await startSmtp(port)
    expect(await dispatcher.run()).toBe(0)
    portal.clock.set({ at: new Date(ANCHOR.getTime() + 7 * 60_000) })
    expect([await dispatcher.run(), smtp.taken.length]).toEqual([1, 1])
  })
})

test('a dispatcher killed before recording a sent mail sends it again with the same id and loses none', async () => {
  await using stored = await openStored()
  await using smtp = await startSmtp()
  const { db } = stored
  for (const to of ['bob@example.org', 'carol@example.org']) await queue({ db, clock: { now: () => ANCHOR } }, to)
  expect(await dispatchAndDie(stored.address, smtp.url)).toBe('SIGKILL')
  expect(smtp.taken.map(({ to }) => to)).toEqual([['bob@example.org']])
  expect(await rowTo({ db }, 'bob@example.org')).toMatchObject({ sentAt: null, attempts: 1 })

  await using portal = await startPortal()
  // The claim of the dead dispatcher has expired by then.
  const clock = { now: () => new Date(ANCHOR.getTime() + 5 * 60_000) }
  const dispatcher = dispatch({ ...portal.world, db, clock }, smtp.url)
  expect([await dispatcher.run(), await dispatcher.run()]).toEqual([2, 0])
  expect(smtp.taken.map(({ to }) => to[0])).toEqual(['bob@example.org', 'bob@example.org', 'carol@example.org'])
  const [first, second, third] = smtp.taken.map((mail) => getHeader(mail, 'Message-ID'))
  expect(first).toMatch(/^<main-\d+-\d+@portal\.test>$/)
  expect([second === first, third === first]).toEqual([true, false])
})
