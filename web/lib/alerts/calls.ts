import { alerts } from '#contracts/alerts.ts'
import { places } from '#contracts/places.ts'
import { createClient } from '#web/lib/api.ts'
import { outside } from '#web/lib/outside.ts'

export const calls = createClient(alerts, outside)

/** Alerts name places: their list alone. */
export const placeCalls = createClient({ list: places.list }, outside)
