import { tags } from '#contracts/tags.ts'
import { createClient } from '#web/lib/api.ts'
import { outside } from '#web/lib/outside.ts'

export const calls = createClient(tags, outside)
