import type { SentDownlink } from '#contracts/mock/downlinks.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Events } from '#server/mock/events/events.ts'
import type { Clock } from '#server/ports/clock.ts'
import { createServerCheck, type Downlinks } from '#server/ports/downlinks.ts'

/** The network servers that every world allows; no requests are sent to them. */
const FAKE_SERVERS = ['https://eu1.cloud.thethings.network', 'https://chirpstack.example.com']
/** A token with which the fake rejects every call. */
const REVOKED = 'revoked'
const MOST = 1000

export type NetworkFake = Downlinks & { sent(): readonly SentDownlink[]; clear(): void }

/** Fake of the networks' APIs: accepts every message and records it. Nothing counts as delivered until a network's event says so. */
export function createNetworkFake({ clock, events }: { clock: Clock; events: Events }): NetworkFake {
  const sent: SentDownlink[] = []
  let last = 0
  return {
    ...createServerCheck(FAKE_SERVERS),
    async post({ url, headers, body }) {
      const token = Object.values(headers)
        .join('')
        .replace(/^Bearer /, '')
      const isAccepted = token !== REVOKED
      const id = ++last
      sent.push({ id, at: formatInstant(clock.now()), url, token, body: body as SentDownlink['body'], accepted: isAccepted })
      if (sent.length > MOST) sent.shift()
      events.publish('downlink', { id, url, accepted: isAccepted })
      if (!isAccepted) throw new Error('The token is revoked')
      return 'deviceQueueItem' in body ? { fCnt: id } : { id: `queue-item-${id}` }
    },
    sent: () => sent,
    clear: () => void sent.splice(0),
  }
}
