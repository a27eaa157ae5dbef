import { createTransport } from 'nodemailer'
import { describe, expect, test } from 'vitest'
import { emails } from '#db/schema/messages.ts'
import { queueMail } from '#server/outbox/outbox.store.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { completeSmtpUrl, createDispatcher, dispatchMail } from './mail-dispatch.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Sender = Parameters<typeof createDispatcher>[1]['sender']
type Message = Parameters<Sender['sendMail']>[0]

const from = 'Ada <no-reply@example.com>'

function server(failures: object[] = []) {
  const taken: Message[] = []
  let isClosed = false
  const sender: Sender = {
    async sendMail(message: Message) {
      const failure = failures.shift()
      if (failure) throw Object.assign(new Error('refused'), failure)
      taken.push(message)
      return { envelope: { from: '', to: [] }, messageId: '' }
    },
    close() {
      isClosed = true
    },
  }
  return { taken, sender, isClosed: () => isClosed }
}

const queue = ({ world, clock }: Portal, to: string, key = 'secret-key') =>
  world.db.write('everything', (tx) => queueMail(tx, { to, template: 'confirm_email', language: 'de', data: { key }, now: clock.now() }))
const rowTo = async ({ world }: Portal, to: string) => (await world.db.read.select().from(emails)).find((mail) => mail.to === to)!

describe('sending mails', () => {
  test('each mail is sent once, oldest first, in the language of the recipient', async () => {
    await using portal = await startPortal()
    const { taken, sender } = server()
    const dispatcher = createDispatcher(() => portal.world, { from, sender })
    await queue(portal, 'one@example.org')
    await queue(portal, 'two@example.org')
    expect(await dispatcher.run()).toBe(2)
    expect(await dispatcher.run()).toBe(0)
    expect(taken.map(({ to }) => to)).toEqual(['one@example.org', 'two@example.org'].map((address) => ({ name: '', address })))
    expect(taken[0]).toMatchObject({ from, subject: 'Bestätigen Sie Ihre E-Mail-Adresse', headers: { 'Auto-Submitted': 'auto-generated' } })
    expect(taken[0]!.text).toContain('http://portal.test/account_confirmation?key=secret-key')
  })

  test('mails that users wait for are sent first, and the flood of one account delays no other', async () => {
    await using portal = await startPortal()
    const { taken, sender } = server()
    const alert = { tracker: 'Rex', datetime: '2026-03-02T09:00:00Z' }
    await portal.world.db.write('everything', async (tx) => {
      const mail = { template: 'vehicle_alert', language: 'en', data: alert, now: portal.clock.now() } as const
      for (let n = 0; n < 30; n++) await queueMail(tx, { ...mail, to: `flood${n}@example.org`, userId: 1 })
      await queueMail(tx, { ...mail, to: 'other@example.org', userId: 2 })
    })
    await queue(portal, 'waits@example.org')
    await createDispatcher(() => portal.world, { from, sender }).run()
    const addresses = taken.map(({ to }) => (to as { address: string }).address)
    expect(addresses.slice(0, 3)).toEqual(['waits@example.org', 'flood0@example.org', 'other@example.org'])
  })

  test.each([
    [from, from],
    [undefined, { name: 'Acme', address: 'no-reply@example.com' }],
  ])('a mail names the product, whatever its sender: %s', async (given, sent) => {
    await using portal = await startPortal()
    const { taken, sender } = server()
    await queue(portal, 'one@example.org')
    await createDispatcher(() => ({ ...portal.world, productName: 'Acme' }), { from: given, sender }).run()
    expect(taken[0]).toMatchObject({
      from: sent,
      text: expect.stringContaining('Automatisch gesendet von Acme'),
      html: expect.stringContaining('>Acme</p>'),
    })
  })

  test('only the recipient has the key after sending', async () => {
    await using portal = await startPortal()
    await queue(portal, 'one@example.org')
    await createDispatcher(() => portal.world, { from, sender: server().sender }).run()
    expect(await rowTo(portal, 'one@example.org')).toMatchObject({ sentAt: portal.clock.now(), attempts: 1, data: {} })
  })

  function composer() {
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
    const composed: { source: string; recipients: unknown }[] = []
    const sender: Sender = {
      async sendMail(message: Message) {
        const info = await transport.sendMail(message)
        composed.push({ source: String(info.message), recipients: info.envelope.to })
        return info
      },
      close: () => transport.close(),
    }
    return { composed, sender }
  }

  test('a message has text and HTML, encoded headers and the same id at each attempt', async () => {
    await using portal = await startPortal()
    const { composed, sender } = composer()
    await queue(portal, 'one@example.org')
    await createDispatcher(() => portal.world, { from, sender }).run()
    const { id, createdAt } = await rowTo(portal, 'one@example.org')
    expect(composed).toHaveLength(1)
    const { source, recipients } = composed[0]!
    expect(recipients).toEqual(['one@example.org'])
    expect(source).toContain('From: Ada <no-reply@example.com>\nTo: one@example.org\nSubject: =?UTF-8?Q?Best=C3=A4tigen')
    expect(source).toContain(`Message-ID: <main-${id}-${createdAt.getTime()}@portal.test>`)
    expect(source).toMatch(/multipart\/alternative[\s\S]*text\/plain[\s\S]*text\/html/)
  })

  test('an address that contains two reaches at most one mailbox', async () => {
    await using portal = await startPortal()
    const { composed, sender } = composer()
    await queue(portal, 'a@example.org,b@example.org')
    await createDispatcher(() => portal.world, { from, sender }).run()
    expect(composed.map(({ recipients }) => recipients)).toEqual([[expect.any(String)]])
  })
})

describe('mails that fail', () => {
  const atMinute = (minutes: number) => new Date(Date.UTC(2026, 2, 2, 9, minutes))

  test("a failed mail is retried after 1, 2 and 4 minutes of the world's clock", async () => {
    await using portal = await startPortal()
    const { taken, sender } = server([{ code: 'ESOCKET' }, { code: 'EAUTH' }, { code: 'EENVELOPE', responseCode: 451 }])
    const dispatcher = createDispatcher(() => portal.world, { from, sender })
    await queue(portal, 'one@example.org')
    for (const [minute, next] of [
      [0, 1],
      [1, 3],
      [3, 7],
    ] as const) {
      portal.clock.set({ at: atMinute(minute) })
      expect(await dispatcher.run()).toBe(0)
      expect((await rowTo(portal, 'one@example.org')).nextAttemptAt).toEqual(atMinute(next))
      expect(await dispatcher.run()).toBe(0)
    }
    portal.clock.set({ at: atMinute(7) })
    expect(await dispatcher.run()).toBe(1)
    expect(taken).toHaveLength(1)
    expect(await rowTo(portal, 'one@example.org')).toMatchObject({ attempts: 4, sentAt: atMinute(7) })
  })

  test('a failed mail does not delay the next, and its log line has host and message but neither address nor key', async () => {
    await using portal = await startPortal()
    const logged: unknown[] = []
    const log = { ...portal.world.log, warn: (...told: unknown[]) => void logged.push(told) }
    const key = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
    const message = `451 <one@example.org> is busy, see https://portal.test/?key=${key}`
    const { taken, sender } = server([{ code: 'EENVELOPE', responseCode: 451, message }])
    await queue(portal, 'one@example.org', key)
    await queue(portal, 'two@example.org')
    expect(await createDispatcher(() => ({ ...portal.world, log }), { from, sender, host: 'smtp.example:587' }).run()).toBe(1)
    expect(taken).toHaveLength(1)
    const failure = { reason: 'EENVELOPE', host: 'smtp.example:587', message: '451 <…> is busy, see https://portal.test/?key=…' }
    expect(logged).toEqual([
      [{ mail: expect.any(Number), template: 'confirm_email', attempts: 1, outcome: 'failed', ...failure }, 'a mail was not sent'],
    ])
    expect(await rowTo(portal, 'one@example.org')).toMatchObject({ failure })
  })

  test('a mail to a permanently refused address is given up at once, others after twelve attempts', async () => {
    await using portal = await startPortal()
    const { taken, sender } = server([{ code: 'EENVELOPE', responseCode: 550 }, ...Array.from({ length: 12 }, () => ({ code: 'ESOCKET' }))])
    const outcomes: string[] = []
    const onOutcome = (outcome: string) => void outcomes.push(outcome)
    const dispatcher = createDispatcher(() => portal.world, { from, sender, onOutcome })
    await queue(portal, 'gone@example.org')
    await queue(portal, 'down@example.org')
    for (let hour = 0; hour < 20; hour++) {
      portal.clock.set({ at: atMinute(hour * 60) })
      await dispatcher.run()
    }
    expect(taken).toEqual([])
    for (const to of ['gone@example.org', 'down@example.org'])
      expect(await rowTo(portal, to)).toMatchObject({ sentAt: null, givenUpAt: expect.any(Date), data: { key: 'secret-key' } })
    expect(outcomes).toEqual(['refused', ...Array.from({ length: 11 }, () => 'failed'), 'given_up'])
  })

  test.each([
    ['the address', 'refused', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }],
    ['the message', 'refused', { code: 'EMESSAGE', command: 'DATA', responseCode: 554 }],
    ['the sender', 'failed', { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553 }],
    ['the password', 'failed', { code: 'EAUTH', responseCode: 535 }],
    ['a recipient of strangers', 'failed', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 530 }],
    ['for now', 'failed', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 }],
  ])('a mail server that refuses %s makes the mail %s', async (_, outcome, failure) => {
    await using portal = await startPortal()
    await queue(portal, 'one@example.org')
    const outcomes: string[] = []
    await createDispatcher(() => portal.world, { from, sender: server([failure]).sender, onOutcome: (each) => outcomes.push(each) }).run()
    expect(outcomes).toEqual([outcome])
  })

  test('while the mail server is unreachable, one mail at a time tests whether it is back', async () => {
    await using portal = await startPortal()
    const down = { code: 'ESOCKET', syscall: 'connect' }
    const { taken, sender } = server(Array.from({ length: 4 }, () => down))
    const dispatcher = createDispatcher(() => portal.world, { from, sender, connections: 3 })
    for (let nth = 0; nth < 20; nth++) await queue(portal, `one@${nth}.example`)
    const tries = async () =>
      (await portal.world.db.read.select().from(emails)).filter(({ to, attempts }) => to.startsWith('one@') && attempts > 0).length
    await dispatcher.run()
    const first = await tries()
    await dispatcher.run()
    expect([first, await tries(), taken.length]).toEqual([3, 4, 0])
    await dispatcher.run()
    expect([await tries(), taken.length]).toEqual([20, 16])
  })

  test('an unreadable outbox is logged, not thrown', async () => {
    await using portal = await startPortal()
    const told: string[] = []
    const log = { ...portal.world.log, error: (_: object, message: string) => void told.push(message) }
    const broken = { ...portal.world.db, read: { ...portal.world.db.read, select: () => expect.unreachable('gone') } }
    expect(await createDispatcher(() => ({ ...portal.world, log, db: broken as never }), { from, sender: server().sender }).run()).toBe(0)
    expect(told).toEqual(['the outbox could not be read or written'])
  })
})

describe('stopping the dispatcher', () => {
  test('stopping waits for the mail in progress, leaves the next for later and closes the connection', async () => {
    await using portal = await startPortal()
    const { taken, sender, isClosed } = server()
    let finish = () => {}
    let isSending = () => {}
    const sending = new Promise<void>((resolve) => {
      isSending = resolve
    })
    const slow: Sender = {
      close: sender.close,
      async sendMail(message: Message) {
        await new Promise<void>((resolve) => {
          finish = resolve
          isSending()
        })
        return sender.sendMail(message)
      },
    }
    await queue(portal, 'one@example.org')
    await queue(portal, 'two@example.org')
    const dispatcher = createDispatcher(() => portal.world, { from, sender: slow, connections: 1 })
    const running = dispatcher.run()
    await sending
    const stopped = dispatcher.stop()
    expect(isClosed()).toBe(false)
    finish()
    await stopped
    expect([await running, taken.length, isClosed()]).toEqual([1, 1, true])
    expect(await rowTo(portal, 'one@example.org')).toMatchObject({ sentAt: portal.clock.now() })
    expect(await rowTo(portal, 'two@example.org')).toMatchObject({ sentAt: null, attempts: 0 })
  })

  test('the dispatcher starts and stops even if the mail server does not exist', async () => {
    await using portal = await startPortal()
    await dispatchMail(() => portal.world, { url: 'smtp://127.0.0.1:1', from }).stop()
  })
})

test('mail leaves the machine over TLS, unless the address declares the network as private', () => {
  const requiresTls = (url: string) => new URL(completeSmtpUrl(url)).searchParams.get('requireTLS')
  expect(requiresTls('smtp://user:secret@mail.example:587')).toBe('true')
  for (const url of ['smtp://127.0.0.1:25', 'smtp://localhost', 'smtps://mail.example', 'smtp://mailpit:1025?ignoreTLS=true'])
    expect(requiresTls(url), url).toBeNull()
})
