import { formatInstant } from '#contracts/rules/time.ts'
import {
  type deviceKeys as contract,
  type DeviceKey,
  type KeyMessage,
  MAX_DEVICE_KEYS,
  type NewDeviceKey,
} from '#contracts/trackers/device-keys.ts'
import { writeDevices } from '#db/device-changes.ts'
import { presentMaker } from '#db/people.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { insertKey, type KeyRow, type ListedKeyMessage, listKeyMessages, listKeys, removeKey } from './device-keys.store.ts'

export const deviceKeys: Handlers<typeof contract> = {
  async list({ params }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    return (await listKeys(context.db.read, context.viewer, id)).map(({ key, maker }) => ({ ...presentKey(key), ...presentMaker(maker) }))
  },

  async create({ params, body }, context) {
    const { db, viewer, clock, ids, origin } = context
    const key = ids.token()
    const added = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const { id: deviceId, name } = await getOwnedDeviceInTx(tx, viewer, params.id)
      const made = { label: body.label, deviceId, createdAt: clock.now(), createdBy: viewer.userId }
      const row = await insertKey(tx, { hash: sha256(key), ...made }, MAX_DEVICE_KEYS)
      if (row) await recordEvent(tx, context, { kind: 'key_added', aboutId: deviceId, about: name })
      return row
    })
    if (!added) throw new Failure('too_many_keys')
    return presentNewKey(added, key, origin)
  },

  async messages({ params }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    return (await listKeyMessages(context.db.read, id)).map(presentMessage)
  },

  async remove({ params }, context) {
    await writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, context.viewer, params.id)
      if (!(await removeKey(tx, device.id, params.key))) throw new Failure('not_found')
      await recordEvent(tx, context, { kind: 'key_removed', aboutId: device.id, about: device.name })
    })
    return { id: params.key }
  },
}

const presentKey = ({ id, label, createdAt, lastUsedAt }: KeyRow): DeviceKey => ({
  id,
  label,
  created_at: createdAt && formatInstant(createdAt),
  last_used_at: lastUsedAt && formatInstant(lastUsedAt),
})

const presentMessage = ({ keyId, isGateway, at, protocol, outcome, reason, positions }: ListedKeyMessage): KeyMessage => ({
  key: isGateway ? null : keyId,
  datetime: formatInstant(at),
  protocol,
  outcome,
  reason,
  positions,
})

const presentNewKey = (row: KeyRow, key: string, origin: string): NewDeviceKey => ({
  ...presentKey(row),
  key,
  urls: {
    osmand: `${origin}/ingest/osmand`,
    owntracks: `${origin}/ingest/owntracks`,
    overland: `${origin}/ingest/overland`,
    ingest: `${origin}/devices/ingest/`,
  },
})
