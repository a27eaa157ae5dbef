import { trackers } from '#contracts/trackers.ts'
import { createClient } from '#web/lib/api.ts'
import { outside } from '#web/lib/outside.ts'

export const calls = createClient(trackers, outside)
