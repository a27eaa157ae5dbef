import { sessions } from '#contracts/sessions.ts'
import { createClient } from '#web/lib/api/api.ts'
import { outside } from '#web/lib/api/outside.ts'

/** Only this endpoint, so that the hand-off pages stay small. */
export const sessionApi = createClient({ who: sessions.who }, outside)
