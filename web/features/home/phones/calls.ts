import { deviceKeys } from '#contracts/device-keys.ts'
import { createClient } from '#web/lib/api.ts'
import { outside } from '#web/lib/outside.ts'

export const calls = createClient(deviceKeys, outside)
