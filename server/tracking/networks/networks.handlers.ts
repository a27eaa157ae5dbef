import type {
  networkKeys as keysContract,
  uplinkMappings as mappingsContract,
  NetworkKey,
  NetworkNumbers,
  NewNetworkKey,
  networkNumbers as numbersContract,
  networkServer as serverContract,
  UplinkMappingState,
} from '#contracts/networks.ts'
import { MAX_NETWORK_KEYS, NETWORKS, NUMBER_KINDS, type NumberKind } from '#contracts/rules/reading/network-number.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import { presentMaker } from '#db/people.ts'
import type { DeviceRow } from '#db/scope.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { findRestStart } from '#server/trackers/records/service.ts'
import { listNumbers, readUplink } from './decoded.ts'
import { findNetworkServer, removeNetworkServer, removeRoutesOfServer, saveNetworkServer } from './downlinks.store.ts'
import { sealToken, serverOwnerOf } from './downlinks.ts'
import {
  countUplinks,
  findMapping,
  findNetworkNumbers,
  insertNetworkKey,
  listNetworkKeys,
  listTakenKinds,
  listUplinks,
  type NetworkKeyRow,
  removeNetworkKey,
  saveMapping,
  saveNetworkNumbers,
} from './networks.store.ts'
import { readUplinksAgain } from './report-uplink.ts'

export const networkNumbers: Handlers<typeof numbersContract> = {
  async read({ params }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    return findNetworkNumbers(context.db.read, id)
  },
  async save({ params, body }, { db, viewer }) {
    await writeDevices(db, [`account:${viewer.accountId}`, ...numberLocks(body)], async (tx) => {
      const { id } = await getOwnedDeviceInTx(tx, viewer, params.id)
      const taken = await listTakenKinds(tx, id, body)
      if (taken.length > 0) throw numberTaken(taken)
      await saveNetworkNumbers(tx, id, body)
    })
    return body
  },
}

/** No two trackers have the same number, whatever their accounts. */
const numberLocks = (numbers: NetworkNumbers) => NUMBER_KINDS.map((kind) => `network_number:${kind} ${numbers[kind]}` as const)

/** The message contains the numbers, but not their owner. */
const numberTaken = (kinds: NumberKind[]) =>
  new Failure('identifier_taken', { errors: Object.fromEntries(kinds.map((kind) => [kind, ['Another tracker has it']])) })

export const networkKeys: Handlers<typeof keysContract> = {
  async list(_, { db, viewer }) {
    return (await listNetworkKeys(db.read, viewer)).map(({ key, maker }) => ({ ...presentKey(key), ...presentMaker(maker) }))
  },
  async create({ body }, context): Promise<NewNetworkKey> {
    const { db, viewer, clock, ids, origin } = context
    const key = ids.token()
    const row = { hash: sha256(key), label: body.label, accountId: viewer.accountId, createdAt: clock.now(), createdBy: viewer.userId }
    const added = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const inserted = await insertNetworkKey(tx, row, MAX_NETWORK_KEYS)
      if (inserted) await recordEvent(tx, context, { kind: 'key_added', about: body.label })
      return inserted
    })
    if (!added) throw new Failure('too_many_keys')
    const urls = Object.fromEntries(NETWORKS.map((network) => [network, `${origin}/ingest/${network}`])) as NewNetworkKey['urls']
    return { ...presentKey(added), key, urls }
  },
  async remove({ params }, context) {
    const isRemoved = await writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
      const removed = await removeNetworkKey(tx, context.viewer.accountId, params.key)
      if (removed) await recordEvent(tx, context, { kind: 'key_removed' })
      return removed
    })
    if (!isRemoved) throw new Failure('not_found')
    return { id: params.key }
  },
}

export const networkServer: Handlers<typeof serverContract> = {
  read: async (_, context) => presentServer(context, (await findNetworkServer(context.db.read, context.viewer.accountId))?.url),
  async save({ body }, context) {
    const { db, viewer, downlinks } = context
    const url = body.url.endsWith('/') ? body.url : `${body.url}/`
    if (!downlinks?.isAllowed(url)) throw invalidField('url', 'not_allowed')
    const token = sealToken(context, serverOwnerOf(viewer.accountId), body.token)
    await writeDevices(db, [`account:${viewer.accountId}`], (tx) => saveNetworkServer(tx, { accountId: viewer.accountId, url, token }))
    return presentServer(context, url)
  },
  async remove(_, context) {
    const { db, viewer } = context
    await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      await removeNetworkServer(tx, viewer.accountId)
      for (const device of await removeRoutesOfServer(tx, viewer.accountId)) touch(tx, device)
    })
    return presentServer(context)
  },
}

const presentServer = ({ downlinks }: ViewerContext, server: string | null = null) => ({
  server,
  servers: [...(downlinks?.servers ?? [])],
})

const presentKey = ({ id, label, createdAt, lastUsedAt }: NetworkKeyRow): NetworkKey => ({
  id,
  label,
  created_at: formatInstant(createdAt),
  last_used_at: lastUsedAt && formatInstant(lastUsedAt),
})

export const uplinkMappings: Handlers<typeof mappingsContract> = {
  async read({ params }, context) {
    const device = await getOwnedDevice(context, params.id)
    return loadMappingState(context, device)
  },
  async save({ params, body }, context) {
    const device = await getOwnedDevice(context, params.id)
    await writeDevices(context.db, [`account:${context.viewer.accountId}`], (tx) => saveMapping(tx, device.id, body))
    const added = await readUplinksAgain(context, device.id, body)
    return { ...(await loadMappingState(context, device)), added }
  },
}

type MappingPorts = Pick<ViewerContext, 'db' | 'clock' | 'graceDays'>

/** Without the newest uplink if the tracker sent it while resting. */
async function loadMappingState({ db, clock, graceDays }: MappingPorts, device: DeviceRow): Promise<UplinkMappingState> {
  const mapping = (await findMapping(db.read, device.id)) ?? { latitude: null, longitude: null, battery: null }
  const [newest] = await listUplinks(db.read, device.id, 1)
  const restsSince = findRestStart(device, clock.now(), graceDays)
  const isShown = newest !== undefined && (restsSince === null || new Date(newest.at) < restsSince)
  return {
    ...mapping,
    uplinks: await countUplinks(db.read, device.id),
    newest: isShown
      ? {
          datetime: newest.at,
          fields: newest.decoded ? listNumbers(newest.decoded) : {},
          has_position: readUplink(newest, mapping).positions.length > 0,
        }
      : null,
  }
}
