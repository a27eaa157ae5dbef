import { deviceKeys } from '#contracts/device-keys.ts'
import { createClient } from '#web/lib/api/api.ts'
import { outside } from '#web/lib/api/outside.ts'

export const calls = createClient(deviceKeys, outside)
