import { conflicts } from '#contracts/conflicts.ts'
import { serialChecks } from '#contracts/serial-checks.ts'
import { createClient } from '#web/lib/api/api.ts'
import { outside } from '#web/lib/api/outside.ts'

export const calls = { ...createClient(conflicts, outside), serial: createClient(serialChecks, outside) }
