import { setTimeout as delay } from 'node:timers/promises'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import type { Cluster } from './cluster.ts'

const RETRY_MS = 40

type Account = { accountId: number; email: string }
type Received = { id: number; type: string; device: number }

/** Signs in at a server; returns the headers of its session. */
export async function signIn(url: string, email: string) {
  const body = JSON.stringify({ username: email, password: DEMO_PASSWORD })
  const response = await fetch(`${url}/api/v1/auth/web_get_token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (response.status !== 200) throw new Error(`${email} cannot sign in: ${response.status} ${await response.text()}`)
  return { authorization: `Bearer ${((await response.json()) as { token: string }).token}` }
}

/**
 * Opens a live stream for each account. Its client reconnects to the next server with its cursor whenever the stream ends, like the portal.
 * `stop` waits until every client has received all current events of its account.
 */
export async function openStreams({ urls, query, waitUntil }: Cluster, accounts: Account[]) {
  const aborter = new AbortController()
  const seen = { reconnects: 0, resets: 0 }

  async function follow({ email }: Account, nth: number) {
    const session = await signIn(urls()[nth % urls().length]!, email)
    const received: Received[] = []
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    async function read(turn: number) {
      const last = received.at(-1)?.id
      const headers = { ...session, ...(last !== undefined && { 'last-event-id': String(last) }) }
      const response = await fetch(`${urls()[turn % urls().length]}/devices/live/`, { headers, signal: aborter.signal })
      if (response.status !== 200) return void (await response.text())
      const decoder = new TextDecoder()
      let text = ''
      for await (const chunk of response.body!) {
        begin()
        text += decoder.decode(chunk, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop()!
        for (const block of blocks) {
          const [, id, type, data = ''] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(block) ?? []
          if (type === 'reset') seen.resets++
          else if (id) received.push({ id: Number(id), type: type!, device: JSON.parse(data).device })
        }
      }
    }
    async function readOn() {
      for (let turn = nth; !aborter.signal.aborted; turn++) {
        await read(turn).catch(() => undefined)
        if (aborter.signal.aborted) return
        seen.reconnects++
        await delay(RETRY_MS)
      }
    }
    const ended = readOn()
    await begun
    return { received, ended }
  }

  const streams = await Promise.all(accounts.map(follow))

  /** The database's event ids for some trackers, one list per account. */
  async function listRecorded(firstDevice: number) {
    const rows = await query<{ account: string; id: string }>(
      'select account_id as account, id from recorded_events where device_id >= $1 order by id',
      [firstDevice],
    )
    return accounts.map(({ accountId }) => rows.filter(({ account }) => Number(account) === accountId).map(({ id }) => Number(id)))
  }

  return {
    seen,
    /** Returns the events that each client received for some trackers, and those in the database up to then, in order. */
    async stop(firstDevice: number) {
      const newest = (await listRecorded(firstDevice)).map((ids) => ids.at(-1) ?? 0)
      await waitUntil(
        () => streams.every(({ received }, nth) => (received.at(-1)?.id ?? 0) >= newest[nth]!),
        'every stream has the newest event',
      )
      aborter.abort()
      await Promise.all(streams.map(({ ended }) => ended))
      // The jobs of the servers keep running: they may append events that no client had time to receive.
      const recorded = await listRecorded(firstDevice)
      return {
        received: streams.map(({ received }) => received.filter(({ device }) => device >= firstDevice).map(({ id }) => id)),
        expected: recorded.map((ids, nth) => ids.filter((id) => id <= (streams[nth]!.received.at(-1)?.id ?? 0))),
      }
    },
  }
}
