import type { ChannelKind } from '#contracts/accounts/channels.ts'
import type { HookAnswer, SentHook } from '#contracts/mock/outgoing.ts'
import { formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import type { Events } from '#server/mock/events/events.ts'
import type { Clock } from '#server/ports/clock.ts'
import { createReceivers, type ReceiverRequest, type ReceiverResult, type Receivers } from '#server/ports/receivers.ts'

const MOST = 1000
const ACCEPTED: HookAnswer = { status: 200 }
/** A token that is not valid any more, for Telegram and for ntfy. */
const REVOKED = 'revoked'
const UNKNOWN_CHAT = '404'

export type ReceiverFake = Receivers & {
  /** The time of the next requests while the world replays the past; null: that of its clock. */
  setTime(at: Date | null): void
  sent(): readonly SentHook[]
  clear(): void
  answerWith(answer: HookAnswer): void
}

/** Fake of webhooks, Telegram and ntfy: records every request, and accepts it unless it was told to do otherwise. */
export function createReceiverFake({ clock, events }: { clock: Clock; events: Events }): ReceiverFake {
  const sent: SentHook[] = []
  let last = 0
  let answer = ACCEPTED
  let until: number | null = null
  let replayed: Date | null = null
  const now = () => replayed ?? clock.now()
  return {
    isAllowed: createReceivers().isAllowed,
    async post(request) {
      const kind = kindOf(request)
      if (until !== null && now().getTime() >= until) answer = ACCEPTED
      const isMeant = answer.kind === undefined || answer.kind === kind
      const json = JSON.parse(request.body) as Record<string, unknown>
      const status = isMeant && answer !== ACCEPTED ? answer.status : (findRefusal(kind, request, json) ?? 200)
      const id = ++last
      sent.push({ id, at: formatInstant(now()), kind, ...request, json, status })
      if (sent.length > MOST) sent.shift()
      events.publish('hook', { id, kind, url: request.url, status })
      return judge(status)
    },
    setTime(at) {
      replayed = at
    },
    sent: () => sent,
    clear() {
      sent.splice(0)
      answer = ACCEPTED
    },
    answerWith(given) {
      answer = given
      until = given.minutes === undefined ? null : clock.now().getTime() + given.minutes * MINUTE_MS
    },
  }
}

function judge(status: number | null): ReceiverResult {
  if (status === null) return { failure: { reason: 'timeout', status: null }, retryAfterMs: null }
  return status < 300 ? { failure: null } : { failure: { reason: 'status', status }, retryAfterMs: null }
}

function kindOf({ url, headers }: ReceiverRequest): ChannelKind {
  if (headers['webhook-id']) return 'webhook'
  return url.startsWith('https://api.telegram.org/') ? 'telegram' : 'ntfy'
}

/** What the real services refuse. */
function findRefusal(kind: ChannelKind, { url, headers }: ReceiverRequest, json: Record<string, unknown>) {
  if (kind === 'telegram') {
    if (url.includes(REVOKED)) return 401
    return json.chat_id === UNKNOWN_CHAT || typeof json.text !== 'string' || json.text === '' ? 400 : undefined
  }
  if (kind !== 'ntfy') return undefined
  if (headers.authorization?.endsWith(REVOKED)) return 401
  return /^[\w-]{1,64}$/.test(String(json.topic)) ? undefined : 400
}
