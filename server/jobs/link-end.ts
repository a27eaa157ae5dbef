import { presentStatus } from '#server/devices/devices.present.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import type { Job } from './job.ts'
import { linksDue, markLinkEndPublished, nextLinkEnd } from './jobs.store.ts'

/** Publishes the end of a public link as a `status` event, which says whether the tracker is still public. */
export const linkEnd: Job = {
  name: 'link_end',
  next: nextLinkEnd,
  due: async (db, by) =>
    (await linksDue(db, by)).map(({ uuid }) => ({
      ref: `links/${uuid}`,
      async run(tx, now) {
        const ended = await markLinkEndPublished(tx, uuid, now)
        if (!ended) return null
        const { device, isPublic } = ended
        const body = { tracker_status: presentStatus(device, now), is_public: isPublic }
        return { changed: device, events: [await appendLiveEvent(tx, { device, type: 'status', body, at: now })] }
      },
    })),
}
