import type { DeviceKey, NewDeviceKey } from '#contracts/device-keys.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { KeyRow } from './device-keys.store.ts'

export const presentKey = ({ id, label, createdAt, lastUsedAt }: KeyRow): DeviceKey => ({
  id,
  label,
  created_at: createdAt && formatInstant(createdAt),
  last_used_at: lastUsedAt && formatInstant(lastUsedAt),
})

export const presentNewKey = (row: KeyRow, key: string, origin: string): NewDeviceKey => ({
  ...presentKey(row),
  key,
  urls: { osmand: `${origin}/ingest/osmand`, owntracks: `${origin}/ingest/owntracks`, ingest: `${origin}/devices/ingest/` },
})
