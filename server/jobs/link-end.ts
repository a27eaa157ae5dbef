import { presentStatus } from '#server/devices/devices.present.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { Job } from './job.ts'
import { linksDue, markLinkEndPublished, nextLinkEnd } from './jobs.store.ts'

/** Publishes the end of a public link as a `status` event of each of its trackers, which says whether that is still public. */
export const linkEnd: Job = {
  name: 'link_end',
  next: nextLinkEnd,
  due: async (db, by) =>
    (await linksDue(db, by)).map(({ uuid, accountId }) => ({
      ref: `links/${uuid}`,
      lock: [`account:${accountId}`] as const,
      async run(tx, now) {
        const ended = await markLinkEndPublished(tx, uuid, now)
        if (!ended) return null
        const events: LiveEvent[] = []
        for (const { device, isPublic } of ended) {
          const body = { tracker_status: presentStatus(device, now), is_public: isPublic }
          events.push(await appendLiveEvent(tx, { device, type: 'status', body, at: now }))
        }
        return { changed: ended.map(({ device }) => device), events }
      },
    })),
}
