import { team } from '#contracts/team.ts'
import { createClient } from '#web/lib/api.ts'
import { outside } from '#web/lib/outside.ts'

export const calls = createClient(team, outside)
