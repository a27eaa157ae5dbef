import { sct2 } from '#contracts/sct2.ts'
import { createClient } from '#web/lib/api/api.ts'
import { outside } from '#web/lib/api/outside.ts'

export const calls = createClient(sct2, outside)
