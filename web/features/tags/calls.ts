import { tags } from '#contracts/tags.ts'
import { trackers } from '#contracts/trackers.ts'
import { createClient } from '#web/lib/api.ts'
import { outside } from '#web/lib/outside.ts'

export const calls = createClient(tags, outside)

/** A tag is put on a tracker by changing the tracker. */
export const trackerCalls = createClient({ change: trackers.change }, outside)
