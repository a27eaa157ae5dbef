import { createTransport, type Transporter } from 'nodemailer'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { count } from '#server/lib/counts.ts'
import { isLoopback } from '#server/lib/loopback.ts'
import { createSender, LIST_LIMIT, STOPPED } from '#server/lib/send-claimed.ts'
import {
  claimMails,
  givenUpColumns,
  isInDoubt,
  isUrgent,
  listDueMails,
  MAX_ATTEMPTS,
  type MailRow,
  recordSentMails,
  updateMail,
} from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'
import { classifyFailure, describeFailure, type MailOutcome } from './mail-failures.ts'
import { buildMessage, type MailPorts } from './mail-render.ts'

const TICK_MS = 1000
/** Pauses of 1, 2, 4 … 60 minutes add up to about seven hours of attempts. */
const MAX_PAUSE_MINUTES = 60
/** Another process sends the mail after this time if its sender was killed. */
const LEASE_MS = 5 * MINUTE_MS
/** Time limit for sending one mail, whatever the mail server does: shorter than the lease. */
const SEND_MS = 3 * MINUTE_MS
const CONNECTIONS = 10
/** How long to wait for a connection and for each response. */
const TIMEOUTS = { connectionTimeout: '10000', greetingTimeout: '10000', socketTimeout: '30000' }

type Transport = Pick<Transporter, 'sendMail'> & { close(options?: { force: boolean }): void }
type Sending = {
  from?: string | undefined
  sender: Transport
  /** The mail server, for the log. */
  host?: string
  connections?: number
  onOutcome?: (outcome: MailOutcome) => void
}
type Outbox = MailPorts & Pick<World, 'log'>
type Claimed = { world: Outbox; mail: MailRow }
/** `change` is saved; without one it is unknown whether the mail was sent, so it stays claimed. */
type Result = Claimed & { outcome: MailOutcome | 'unknown'; change?: Parameters<typeof updateMail>[2]; isServerDown?: boolean }

type Options = { url: string; from?: string | undefined; onOutcome?: Sending['onOutcome'] }

/**
 * Sends the outbox by SMTP until stopped; `stop` waits for the mails in progress. `worldNow` is called for each run, because a reset
 * replaces the world.
 */
export function dispatchMail(worldNow: () => Outbox, { url, from, onOutcome }: Options) {
  const address = completeSmtpUrl(url)
  const { host, searchParams } = new URL(address)
  const sending = { from, sender: createTransport(address), host, connections: Number(searchParams.get('maxConnections')) }
  const dispatcher = createDispatcher(worldNow, { ...sending, ...(onOutcome && { onOutcome }) })
  const timer = setInterval(() => void dispatcher.run(), TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await dispatcher.stop()
    },
  }
}

/** `run` sends everything that is due by the world's clock, urgent mails first, and resolves to how many were sent. */
export function createDispatcher(
  worldNow: () => Outbox,
  { from, sender, host = '', connections = CONNECTIONS, onOutcome = () => {} }: Sending,
) {
  const logFailure = limitLog((error) => worldNow().log.error({ err: error }, 'the outbox could not be read or written'))
  const handleFailure = (error: unknown) => {
    count(worldNow().db, 'job_failures_total', { work: 'mail' })
    logFailure(error)
  }
  const { run, stop } = createSender<Claimed, Result>(
    {
      async list(busy) {
        const world = worldNow()
        const mails = await listDueMails(world.db.read, world.clock.now(), { busy, limit: LIST_LIMIT })
        return mails.map((mail) => ({ world, mail }))
      },
      idOf: ({ mail }) => mail.id,
      isUrgent: ({ mail }) => isUrgent(mail),
      destinationsOf: ({ mail }) => listDestinations(mail, connections),
      claim: claimListed,
      send: async (claimed, signal) => {
        const result = await sendMail(claimed, { from, sender, host, signal })
        if (result.outcome !== 'unknown') onOutcome(result.outcome)
        return result
      },
      async record(results) {
        const world = worldNow()
        // Mails of a world that was reset are gone.
        const left = results.filter((result) => result.world.db === world.db)
        await world.db.write([], (tx) => recordResults(tx, left))
      },
      judge: ({ outcome, isServerDown }) => (isServerDown ? 'pause' : outcome === 'sent' ? 'sent' : 'failed'),
      onError: handleFailure,
    },
    { connections, sendMs: SEND_MS },
  )
  return {
    run,
    async stop() {
      await stop()
      sender.close({ force: true })
    },
  }
}

/** A sent mail is sent again if the process is killed before this commits, so most take one statement together. */
async function recordResults(tx: Tx, results: Result[]) {
  const sent = results.filter(({ mail, outcome }) => outcome === 'sent' && !('key' in mail.data))
  const sentAt = sent.at(-1)?.change?.sentAt
  const mails = sent.map(({ mail }) => mail)
  if (sentAt) await recordSentMails(tx, mails, sentAt)
  for (const { mail, change } of results) if (change && !mails.includes(mail)) await updateMail(tx, mail, change)
}

/** A slow recipient, or the slow mailboxes of a domain, must not occupy all connections. */
function listDestinations({ to }: Pick<MailRow, 'to'>, connections: number) {
  const address = to.toLowerCase()
  return [
    { name: address, most: Math.ceil(connections / 5) },
    { name: address.slice(address.lastIndexOf('@') + 1), most: Math.ceil(connections / 2) },
  ]
}

/** Claims mails in one transaction: when it fails, such as on a full disk, none of them is sent. */
async function claimListed(listed: Claimed[]): Promise<Claimed[]> {
  const { world } = listed[0]!
  const now = world.clock.now()
  const ids = listed.map(({ mail }) => mail.id)
  const until = new Date(now.getTime() + LEASE_MS)
  const claimed = new Map((await world.db.write([], (tx) => claimMails(tx, ids, { now, until }))).map((mail) => [mail.id, mail]))
  return listed.flatMap(({ mail: before }) => {
    const mail = claimed.get(before.id)
    if (!mail) return []
    const about = { mail: mail.id, template: mail.template, attempts: mail.attempts }
    if (isInDoubt(before)) world.log.warn(about, 'a mail is sent again that may have arrived: its server ended before it was recorded')
    return [{ world, mail }]
  })
}

type Way = Required<Pick<Sending, 'sender' | 'host'>> & { from: string | undefined; signal: AbortSignal }

async function sendMail({ world, mail }: Claimed, { from, sender, host, signal }: Way): Promise<Result> {
  const { clock, log } = world
  try {
    await sender.sendMail({ ...(await buildMessage(world, mail, { from, date: clock.now() })), signal })
  } catch (error) {
    if (signal.reason === STOPPED) return { world, mail, outcome: 'unknown' }
    const { isRefused, isServerDown } = classifyFailure(error)
    const failure = describeFailure(error, host)
    const outcome = isRefused ? 'refused' : mail.attempts >= MAX_ATTEMPTS ? 'given_up' : 'failed'
    const about = { mail: mail.id, template: mail.template, attempts: mail.attempts, outcome, ...failure }
    log.warn(about, 'a mail was not sent')
    const pause = Math.min(2 ** (mail.attempts - 1), MAX_PAUSE_MINUTES) * MINUTE_MS
    const change = outcome === 'failed' ? { nextAttemptAt: new Date(clock.now().getTime() + pause) } : givenUpColumns(clock.now())
    return { world, mail, outcome, change: { ...change, failure }, isServerDown }
  }
  return { world, mail, outcome: 'sent', change: { sentAt: clock.now(), data: withoutKey(mail.data), failure: null } }
}

/** Removes the key of a link: only the recipient has it after sending. */
export const withoutKey = ({ key: _, ...data }: Record<string, string>) => data

const LOG_PAUSE_MS = MINUTE_MS

/** A full disk fails again every second; one log line a minute is enough. */
function limitLog(write: (error: unknown) => void) {
  let last = Number.NEGATIVE_INFINITY
  return (error: unknown) => {
    if (performance.now() - last < LOG_PAUSE_MS) return
    last = performance.now()
    write(error)
  }
}

/**
 * Adds connections, timeouts, and mandatory TLS: without it Nodemailer sends in clear text to a server that offers none. A server on this
 * machine and an address with `ignoreTLS=true` need none.
 */
export function completeSmtpUrl(url: string) {
  const complete = new URL(url)
  const { hostname, searchParams } = complete
  const isClear = isLoopback(hostname) || searchParams.get('ignoreTLS') === 'true' || complete.protocol === 'smtps:'
  const defaults = { pool: 'true', maxConnections: String(CONNECTIONS), ...TIMEOUTS, ...(!isClear && { requireTLS: 'true' }) }
  for (const [name, value] of Object.entries(defaults)) if (!searchParams.has(name)) searchParams.set(name, value)
  return complete.href
}
