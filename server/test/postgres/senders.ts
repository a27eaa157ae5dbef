import { setTimeout as delay } from 'node:timers/promises'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import type { Cluster } from './cluster.ts'
import { RUNS } from './fault-runs.ts'

export const FIRST_ID = 3_000_000
export const FIRST_IDENTIFIER = 8_800_000_000
/** One of this many messages reports a low battery, which causes a mail to the owner. */
const LOW_EVERY = 3
const START_AGO_S = 50 * 60
const RETRY_MS = 40
const PATIENCE_MS = 60_000
/** A test in parallel to others leaves them processor time; repeated runs send without a pause. */
export const PAUSE_MS = RUNS ? 0 : 50

/** Owners in the seeds, each with an account of their own. */
export const listOwners = ({ query }: Pick<Cluster, 'query'>, count = 4) =>
  query<{ accountId: number; email: string }>(
    `select account_id::int as "accountId", min(email) as email from users where email_confirmed and role = 'user' group by 1 order by 1 limit ${count}`,
  )

/** Adds trackers to the accounts in rotation. */
export async function addTrackers({ query }: Pick<Cluster, 'query'>, trackers: number, accounts: { accountId: number }[]) {
  const columns = await query<{ name: string }>(
    "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'devices'",
  )
  const changes: Record<string, string> = {
    id: `${FIRST_ID} + n`,
    account_id: `(array[${accounts.map(({ accountId }) => accountId).join(', ')}])[1 + n % ${accounts.length}]`,
    tag_id: 'null',
    identifier: `cast(${FIRST_IDENTIFIER} + n as text)`,
    serial: `'FAULT' || (1000000 + n)`,
    // The subscription of the copied tracker may be over: then the tracker rests.
    sub_state: `'active'`,
    sub_end_date: 'null',
    position_at: 'null',
    stationary_since: 'null',
    battery: '80',
  }
  const names = columns.map(({ name }) => name)
  await query(
    `insert into devices (${names.map((name) => `"${name}"`).join(', ')})
     select ${names.map((name) => changes[name] ?? `devices."${name}"`).join(', ')} from devices, generate_series(0, ${trackers - 1}) n where id = 1`,
  )
}

/** The messages of a tracker that the servers have acknowledged. */
type Ledger = { deviceId: number; times: number[]; messages: number; lows: number }

/**
 * Trackers that send one message after the other, each until a server acknowledges it, to any of them. `stop` resolves to the acknowledged
 * messages, including all that the trackers have sent. With a short timeout a server may still process a message that was given up and sent
 * again; its battery then counts twice, because it has no time of its own, so no battery is low.
 */
export function startSenders(
  { urls }: Pick<Cluster, 'urls'>,
  trackers: number,
  { patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS, lowEvery = LOW_EVERY } = {},
) {
  let isStopping = false
  const seen = { acknowledged: 0, refused: 0, lost: 0, refusals: [] as string[], shortestRefusalMs: Number.POSITIVE_INFINITY }
  const start = Math.floor(Date.now() / 1000) - START_AGO_S

  async function post(body: string, turn: number) {
    const all = urls()
    const begun = performance.now()
    try {
      const response = await fetch(`${all[turn % all.length]}/devices/ingest/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-device-key': DEVICE_KEY },
        body,
        signal: AbortSignal.timeout(patienceMs),
      })
      const text = await response.text()
      if (response.status === 201) return true
      seen.refused++
      seen.shortestRefusalMs = Math.min(seen.shortestRefusalMs, performance.now() - begun)
      seen.refusals.push(`${response.status} ${text}`)
    } catch {
      seen.lost++
    }
    return false
  }

  async function send(index: number): Promise<Ledger> {
    const ledger: Ledger = { deviceId: FIRST_ID + index, times: [], messages: 0, lows: 0 }
    let turn = index
    while (!isStopping) {
      const isLow = patienceMs === PATIENCE_MS && ledger.messages % lowEvery === lowEvery - 1
      const times = Array.from({ length: 1 + (ledger.messages % 3) }, (_, nth) => start + ledger.times.length + nth)
      const body = JSON.stringify({
        identifier: String(FIRST_IDENTIFIER + index),
        battery: isLow ? 3 : 80,
        positions: times.map((time) => ({
          lat: -34.9 + index / 100,
          lng: -56.2 + (time - start) / 1e5,
          precision: 6,
          datetime: new Date(time * 1000).toISOString(),
        })),
      })
      while (!(await post(body, turn++))) await delay(RETRY_MS)
      seen.acknowledged++
      ledger.times.push(...times)
      ledger.messages++
      if (isLow) ledger.lows++
      await delay(pauseMs)
    }
    return ledger
  }
  const ledgers = Array.from({ length: trackers }, (_, index) => send(index))
  return {
    seen,
    stop() {
      isStopping = true
      return Promise.all(ledgers)
    },
  }
}

/** The state of each tracker in the database, in the form of the ledgers; `mails` and `firings` are the alerts of a low battery. */
export async function readTruth({ query }: Pick<Cluster, 'query'>, ledgers: Ledger[]) {
  const ids = ledgers.map(({ deviceId }) => deviceId)
  const rows = await query<{ id: number; times: string[]; messages: string; alerts: string; firings: string }>(
    `select tracker.id::int, coalesce((select array_agg(time order by time) from positions where device_id = tracker.id), '{}') as times,
       (select count(*) from recorded_events where device_id = tracker.id and type = 'position') as messages,
       (select count(*) from recorded_events where device_id = tracker.id and type = 'alert' and body like '%low_battery%') as alerts,
       (select count(*) from alert_firings where device_id = tracker.id and kind = 'low_battery') as firings
     from unnest($1::bigint[]) tracker(id) order by 1`,
    [ids],
  )
  const mails = await query<{ n: string }>("select count(*) as n from emails where template = 'low_battery' and created_at > $1", [
    Date.now() - 3_600_000,
  ])
  return {
    trackers: rows.map(({ id, times, messages, alerts, firings }) => ({
      deviceId: id,
      times: times.map(Number),
      messages: Number(messages),
      alerts: Number(alerts),
      firings: Number(firings),
    })),
    mails: Number(mails[0]?.n),
  }
}

/** The expected result of `readTruth` if nothing acknowledged is lost or duplicated. */
export const expectedOf = (ledgers: Ledger[]) => ({
  trackers: ledgers.map(({ deviceId, times, messages, lows }) => ({ deviceId, times, messages, alerts: lows, firings: lows })),
  mails: ledgers.reduce((sum, { lows }) => sum + lows, 0),
})
