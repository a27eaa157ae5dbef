import { sessions } from '#contracts/sessions.ts'
import { createClient } from '#web/lib/api/api.ts'
import { outside } from '#web/lib/api/outside.ts'

/** The one call of the hand-off pages, which are small otherwise. */
export const calls = createClient({ who: sessions.who }, outside)
