import { describe, expect, test } from 'vitest'
import { emails } from '#db/schema/messages.ts'
import { listCounts } from '#server/lib/counts.ts'
import { queueMail, updateMail } from '#server/outbox/outbox.store.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { createDispatcher } from './mail-dispatch.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Sender = Parameters<typeof createDispatcher>[1]['sender']
type Message = Parameters<Sender['sendMail']>[0]

const from = 'Ada <no-reply@example.com>'

const queue = ({ world, clock }: Portal, to: string) =>
  world.db.write('everything', (tx) =>
    queueMail(tx, { to, template: 'confirm_email', language: 'de', data: { key: 'key' }, now: clock.now() }),
  )
const rowTo = async ({ world }: Portal, to: string) => (await world.db.read.select().from(emails)).find((mail) => mail.to === to)!

/** A mail server that accepts one address only when `finish` is called, and others at once. */
function slowServer(isSlow: (address: string) => boolean = () => false) {
  const started: string[] = []
  const waiting: (() => void)[] = []
  const sender: Sender = {
    close() {},
    async sendMail(message: Message) {
      const { address } = message.to as { address: string }
      started.push(address)
      if (isSlow(address)) await new Promise<void>((resolve) => waiting.push(resolve))
      return { envelope: { from: '', to: [] }, messageId: '' }
    },
  }
  return { started, sender, finish: () => void waiting.splice(0).map((resolve) => resolve()) }
}

describe('mails are claimed before they are sent', () => {
  /** A database whose next writes fail while `isFull` returns true. */
  const fillable = ({ world }: Portal, isFull: () => boolean) => ({
    ...world,
    log: { ...world.log, error() {} },
    db: {
      ...world.db,
      write: (...args: unknown[]) => (isFull() ? Promise.reject(new Error('disk full')) : Reflect.apply(world.db.write, null, args)),
    },
  })

  test('a mail that cannot be claimed is not sent, and is sent once it can be', async () => {
    await using portal = await startPortal()
    const { started: taken, sender } = slowServer()
    await queue(portal, 'one@example.org')
    let isFull = true
    const world = fillable(portal, () => isFull)
    const dispatcher = createDispatcher(() => world as never, { from, sender })
    const failures = () => listCounts(world.db as never, 'job_failures_total').find(({ labels }) => labels.work === 'mail')?.value
    for (let run = 0; run < 5; run++) expect(await dispatcher.run()).toBe(0)
    expect([taken.length, (await rowTo(portal, 'one@example.org')).attempts, failures()]).toEqual([0, 0, 5])
    isFull = false
    expect([await dispatcher.run(), await dispatcher.run(), taken.length]).toEqual([1, 0, 1])
  })

  test('a sent mail that cannot be recorded is not sent again by this process, and recorded once it can be', async () => {
    await using portal = await startPortal()
    const { started: taken, sender } = slowServer()
    await queue(portal, 'one@example.org')
    await queue(portal, 'two@example.org')
    const world = fillable(portal, () => taken.length > 0 && isFull)
    let isFull = true
    const dispatcher = createDispatcher(() => world as never, { from, sender, connections: 1 })
    for (const minute of [0, 1, 6, 12, 60]) {
      portal.clock.set({ at: new Date(Date.UTC(2026, 2, 2, 9, minute)) })
      await dispatcher.run()
    }
    expect(taken.length).toBe(1)
    isFull = false
    await dispatcher.run()
    expect(taken).toEqual(['one@example.org', 'two@example.org'])
    for (const to of ['one@example.org', 'two@example.org'])
      expect(await rowTo(portal, to)).toMatchObject({ sentAt: expect.any(Date), attempts: 1 })
  })

  test('a sent mail is recorded at once, even while the claim of another takes long', async () => {
    await using portal = await startPortal()
    const { started, sender, finish } = slowServer((address) => address.startsWith('one'))
    const held: (() => void)[] = []
    const hold = async (...args: unknown[]) => {
      // While the first mail is being sent, the second is claimed.
      if (started.length === 1 && held.length === 0) await new Promise<void>((resolve) => held.push(resolve))
      return Reflect.apply(portal.world.db.write, null, args)
    }
    const world = { ...portal.world, db: { ...portal.world.db, write: hold } }
    const dispatcher = createDispatcher(() => world as never, { from, sender })
    await queue(portal, 'one@example.org')
    const running = [dispatcher.run()]
    await expect.poll(() => started).toEqual(['one@example.org'])
    await queue(portal, 'two@example.org')
    running.push(dispatcher.run())
    await expect.poll(() => held.length).toBe(1)
    finish()
    await expect.poll(async () => (await rowTo(portal, 'one@example.org')).sentAt).toBeInstanceOf(Date)
    expect(started).toEqual(['one@example.org'])
    held[0]!()
    await Promise.all(running)
    expect(await rowTo(portal, 'two@example.org')).toMatchObject({ sentAt: expect.any(Date), attempts: 1 })
  })

  test('a mail whose server ended before recording it is sent again with a line in the log; a failed one without that line', async () => {
    await using portal = await startPortal()
    const [MAIL_SERVER_BUSY, CLAIMED_UNTIL] = [{ code: 'EENVELOPE', responseCode: 451 }, new Date(portal.clock.now().getTime() - 1000)]
    let isBusy = true
    const sender: Sender = {
      close() {},
      async sendMail(message: Message) {
        if (isBusy && (message.to as { address: string }).address.startsWith('failed'))
          throw Object.assign(new Error('busy'), MAIL_SERVER_BUSY)
        return { envelope: { from: '', to: [] }, messageId: '' }
      },
    }
    const logged: unknown[] = []
    const warn = (about: { mail: number }, words: string) => void logged.push([about.mail, words])
    const dispatcher = createDispatcher(() => ({ ...portal.world, log: { ...portal.world.log, warn } }), { from, sender })
    for (const to of ['doubtful@example.org', 'failed@example.org']) await queue(portal, to)
    const doubtful = await rowTo(portal, 'doubtful@example.org')
    const claim = { attempts: 1, nextAttemptAt: CLAIMED_UNTIL }
    await portal.world.db.write([], async (tx) => void (await updateMail(tx, doubtful, claim)))
    await dispatcher.run()
    isBusy = false
    portal.clock.set({ at: new Date(portal.clock.now().getTime() + 60_000) })
    await dispatcher.run()
    expect(await rowTo(portal, 'failed@example.org')).toMatchObject({ attempts: 2, sentAt: expect.any(Date) })
    expect(logged).toEqual([
      [doubtful.id, 'a mail is sent again that may have arrived: its server ended before it was recorded'],
      [expect.any(Number), 'a mail was not sent'],
    ])
  })

  test('never more mails are sent without a record than there are connections', async () => {
    await using portal = await startPortal()
    const CONNECTIONS = 4
    const { sender } = slowServer()
    const unsent = async () => (await portal.world.db.read.select().from(emails)).filter(({ sentAt }) => !sentAt).length
    let [taken, most] = [0, 0]
    const counting: Sender = {
      ...sender,
      async sendMail(message: Message) {
        taken++
        most = Math.max(most, taken - (total - (await unsent())))
        return sender.sendMail(message)
      },
    }
    for (let nth = 0; nth < 20; nth++) await queue(portal, `one@${nth}.example`)
    const total = await unsent()
    await createDispatcher(() => portal.world, { from, sender: counting, connections: CONNECTIONS }).run()
    expect([taken, await unsent()]).toEqual([total, 0])
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(CONNECTIONS)
  })
})

describe('slow answers', () => {
  const alertTo = ({ world, clock }: Portal, addresses: string[]) =>
    world.db.write('everything', async (tx) => {
      const data = { tracker: 'Rex', datetime: '2026-03-02T09:00:00Z' }
      for (const to of addresses) await queueMail(tx, { to, template: 'vehicle_alert', language: 'en', data, now: clock.now() })
    })
  const countSentTo = async ({ world }: Portal, domain: string) =>
    (await world.db.read.select().from(emails)).filter(({ to, sentAt }) => sentAt && to.endsWith(`@${domain}`)).length
  const many = (count: number, domain: string) => Array.from({ length: count }, (_, nth) => `${nth}@${domain}`)

  test.each([
    ['recipient', Array.from({ length: 300 }, () => 'slow@example.org')],
    ['domain', many(300, 'slow.example')],
  ])('a slow %s with many mails delays no other recipient', async (_, slow) => {
    await using portal = await startPortal()
    const { started, sender, finish } = slowServer((address) => address.includes('slow'))
    const dispatcher = createDispatcher(() => portal.world, { from, sender })
    await alertTo(portal, [...slow, ...many(50, 'fast.example')])
    const running = dispatcher.run()
    await expect.poll(() => countSentTo(portal, 'fast.example')).toBe(50)
    expect(started.filter((address) => address.includes('slow')).length).toBeLessThanOrEqual(5)
    const stopped = dispatcher.stop()
    finish()
    await Promise.all([running, stopped])
  })

  test('alerts delayed by a slow mail server do not delay a password reset', async () => {
    await using portal = await startPortal()
    const { started, sender, finish } = slowServer((address) => address.includes('alert'))
    const dispatcher = createDispatcher(() => portal.world, { from, sender })
    await alertTo(
      portal,
      Array.from({ length: 100 }, (_, nth) => `alert@${nth}.example`),
    )
    const running = dispatcher.run()
    await expect.poll(() => started.length).toBeGreaterThan(5)
    await queue(portal, 'person@person.example')
    void dispatcher.run()
    await expect.poll(() => countSentTo(portal, 'person.example')).toBe(1)
    const stopped = dispatcher.stop()
    finish()
    await Promise.all([running, stopped])
  })
})

test('2,000 alerts are sent eight at a time, over parallel connections', async () => {
  await using portal = await startPortal()
  const CONNECTIONS = 10
  // A quarter of the connections is reserved for urgent mails.
  const AT_ONCE = 8
  const total = 2000
  await portal.world.db.write('everything', async (tx) => {
    const data = { tracker: 'Rex', datetime: '2026-03-02T09:00:00Z' }
    for (let nth = 0; nth < total; nth++)
      await queueMail(tx, { to: `${nth}@${nth}.example`, template: 'vehicle_alert', language: 'en', data, now: portal.clock.now() })
  })
  const addresses = new Set<string>()
  let waiting: (() => void)[] = []
  let most = 0
  /** Responds only when all eight have arrived, which sequential sending never achieves. */
  const sender: Sender = {
    close() {},
    async sendMail(message: Message) {
      addresses.add((message.to as { address: string }).address)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        most = Math.max(most, waiting.length)
        if (waiting.length < AT_ONCE) return
        const arrived = waiting
        waiting = []
        for (const answer of arrived) answer()
      })
      return { envelope: { from: '', to: [] }, messageId: '' }
    },
  }
  const dispatcher = createDispatcher(() => portal.world, { from, sender, connections: CONNECTIONS })
  await expect
    .poll(async () => {
      void dispatcher.run()
      return (await portal.world.db.read.select().from(emails)).filter(({ sentAt, template }) => sentAt && template === 'vehicle_alert')
        .length
    })
    .toBeGreaterThanOrEqual(total)
  expect([addresses.size, most]).toEqual([total, AT_ONCE])
})
