import { createTransport, type Transporter } from 'nodemailer'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { isLoopback } from '#server/lib/loopback.ts'
import type { World } from '#server/ports/world.ts'
import { listDueMails, type MailRow, updateMail } from './mail-outbox.store.ts'
import { buildMessage, type MailPorts } from './mail-render.ts'

const TICK_MS = 2000
const BATCH = 20
/** With pauses of 1, 2, 4 … 60 minutes: about seven hours of trying. */
export const MAX_ATTEMPTS = 12
const MAX_PAUSE_MINUTES = 60
/** One connection for all mails, and how long to wait for it. */
const CONNECTION = { pool: 'true', maxConnections: '1', connectionTimeout: '10000', greetingTimeout: '10000', socketTimeout: '30000' }

type Sender = Pick<Transporter, 'sendMail' | 'close'>
type Sending = { from?: string | undefined; sender: Sender }
type Outbox = MailPorts & Pick<World, 'log'>

/**
 * Sends the outbox by SMTP until stopped; `stop` waits for the mail in progress. `worldNow` is called for each run, because a reset
 * replaces the world.
 */
export function dispatchMail(worldNow: () => Outbox, { url, from }: { url: string; from?: string | undefined }) {
  const sender = createTransport(completeSmtpUrl(url))
  const dispatcher = createDispatcher(worldNow, { from, sender })
  const timer = setInterval(() => void dispatcher.run(), TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await dispatcher.stop()
    },
  }
}

/** `run` sends everything that is due by the world's clock, oldest first, and returns how many were sent. */
export function createDispatcher(worldNow: () => Outbox, { from, sender }: Sending) {
  let isStopping = false
  let running: Promise<number> | undefined

  async function sendDue() {
    const world = worldNow()
    let sent = 0
    for (const mail of await listDueMails(world.db.read, world.clock.now(), { maxAttempts: MAX_ATTEMPTS, limit: BATCH })) {
      if (isStopping) break
      if (await sendMail(world, mail, { from, sender })) sent++
    }
    return sent
  }

  return {
    run() {
      running ??= sendDue()
        .catch((error) => {
          worldNow().log.error({ err: error }, 'could not read the outbox')
          return 0
        })
        .finally(() => {
          running = undefined
        })
      return running
    },
    async stop() {
      isStopping = true
      await running
      sender.close()
    },
  }
}

/** Longer than sending one mail can take. Another process sends it when its sender was killed. */
const LEASE_MS = 5 * MINUTE_MS

/** Returns the mail as this process may send it, or undefined when another one does. */
function claimMail({ db, clock }: Outbox, mail: MailRow) {
  if (!db.isShared) return mail
  const nextAttemptAt = new Date(clock.now().getTime() + LEASE_MS)
  return db.write([], (tx) => updateMail(tx, mail, { attempts: mail.attempts + 1, nextAttemptAt }))
}

async function sendMail(world: Outbox, mail: MailRow, { from, sender }: Sending) {
  const { db, clock, log } = world
  const claimed = await claimMail(world, mail)
  if (!claimed) return false
  try {
    await sender.sendMail(await buildMessage(world, mail, { from, date: clock.now() }))
  } catch (error) {
    const attempts = isPermanentRefusal(error) ? MAX_ATTEMPTS : mail.attempts + 1
    const nextAttemptAt = new Date(clock.now().getTime() + Math.min(2 ** mail.attempts, MAX_PAUSE_MINUTES) * MINUTE_MS)
    await db.write([], (tx) => updateMail(tx, claimed, { attempts, nextAttemptAt, ...(attempts >= MAX_ATTEMPTS && givenUpColumns(mail)) }))
    log.warn({ mail: mail.id, template: mail.template, attempts, reason: errorCode(error) }, 'a mail was not sent')
    return false
  }
  await db.write([], (tx) => updateMail(tx, claimed, { sentAt: clock.now(), attempts: mail.attempts + 1, data: withoutKey(mail.data) }))
  return true
}

/** Removes the key of a link: only the recipient has it after sending, and no one after giving up. */
const withoutKey = ({ key: _, ...data }: Record<string, string>) => data

/** Column values of a mail that will never be sent. */
export const givenUpColumns = ({ data }: Pick<MailRow, 'data'>) => ({ sentAt: null, attempts: MAX_ATTEMPTS, data: withoutKey(data) })

export const isGivenUp = ({ sentAt, attempts }: Pick<MailRow, 'sentAt' | 'attempts'>) => sentAt === null && attempts >= MAX_ATTEMPTS

const errorCode = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')

/** A permanently refused address. A wrong password or a full mailbox may recover. */
const isPermanentRefusal = (error: unknown) =>
  error instanceof Error && errorCode(error) === 'EENVELOPE' && 'responseCode' in error && Number(error.responseCode) >= 550

/**
 * Adds timeouts, and TLS as a condition: without it Nodemailer sends in clear text to a server that offers none. A server on this machine
 * and an address with `ignoreTLS=true` need none.
 */
export function completeSmtpUrl(url: string) {
  const complete = new URL(url)
  const { hostname, searchParams } = complete
  const isClear = isLoopback(hostname) || searchParams.get('ignoreTLS') === 'true' || complete.protocol === 'smtps:'
  const defaults = { ...CONNECTION, ...(!isClear && { requireTLS: 'true' }) }
  for (const [name, value] of Object.entries(defaults)) if (!searchParams.has(name)) searchParams.set(name, value)
  return complete.href
}
