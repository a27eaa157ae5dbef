import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import { type DeviceRow, deviceLock } from '#db/scope.ts'
import { count } from '#server/lib/counts.ts'
import { runPeriodically } from '#server/lib/run-periodically.ts'
import { open, seal } from '#server/lib/secrets.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import type { DownlinkCall, Downlinks } from '#server/ports/downlinks.ts'
import type { World } from '#server/ports/world.ts'
import { loadConfig } from '#server/trackers/records/device.ts'
import { updateDevice } from '#server/trackers/records/devices.store.ts'
import type { Delivery, DownlinkRoute } from '#server/tracking/networks/formats/uplink.ts'
import {
  type DownlinkRow,
  findDeviceById,
  findDownlink,
  findNetworkServer,
  listInterrupted,
  removeDownlinkRoute,
  saveDownlinkRoute,
  updateDownlink,
  updateMessage,
} from './downlinks.store.ts'

export type DownlinkWorld = Pick<World, 'db' | 'clock' | 'ids' | 'log' | 'secondFactor' | 'downlinks'>

/** A mode is one byte on this LoRaWAN port. */
const PORT = 10
const IV_HEX_DIGITS = 24
/** Longer than a network call can take. */
const LEASE_MS = MINUTE_MS
const TICK_MS = 30_000
/** Interrupted calls that are repeated at once. */
const MAX_AGAIN = 20

export const sealToken = ({ secondFactor, ids }: Pick<World, 'secondFactor' | 'ids'>, owner: string, token: string) =>
  seal(token, { key: secondFactor.key, owner, iv: ids.token().slice(0, IV_HEX_DIGITS) })

/** Null for a token that was encrypted with another key. */
function openToken({ secondFactor: { key } }: Pick<World, 'secondFactor'>, owner: string, sealed: string) {
  try {
    return open(sealed, { key, owner })
  } catch {
    return null
  }
}

const downlinkOwner = (deviceId: number) => `downlink/${deviceId}`
export const serverOwnerOf = (accountId: number) => `network server/${accountId}`

/** Saves how to reach a tracker, according to its uplink. Nothing changes for a server that the operator does not allow. */
export async function followRoute(world: DownlinkWorld, deviceId: number, route: DownlinkRoute | undefined) {
  const { db, downlinks } = world
  if (!route || !downlinks) return
  const known = await findDownlink(db.read, deviceId)
  const to = await resolveRoute(world, deviceId, route, downlinks)
  if (!to) {
    if (known && known.network !== 'tts' && route.network !== 'tts')
      await writeDevices(db, deviceLock(deviceId), async (tx) => {
        await removeDownlinkRoute(tx, deviceId)
        const device = await findDeviceById(tx, deviceId)
        if (device) touch(tx, device)
      })
    return
  }
  if (known?.network === route.network && known.url === to.url && openToken(world, downlinkOwner(deviceId), known.token) === to.token)
    return
  const token = sealToken(world, downlinkOwner(deviceId), to.token)
  await db.write(deviceLock(deviceId), (tx) => saveDownlinkRoute(tx, { deviceId, network: route.network, url: to.url, token }))
}

async function resolveRoute(world: DownlinkWorld, deviceId: number, route: DownlinkRoute, { isAllowed }: Downlinks) {
  if (route.network === 'tts') return isAllowed(route.url) ? { url: route.url, token: route.token } : null
  const { read } = world.db
  const accountId = (await findDeviceById(read, deviceId))?.accountId
  const server = accountId ? await findNetworkServer(read, accountId) : undefined
  const token = server && openToken(world, serverOwnerOf(server.accountId), server.token)
  return server && token && isAllowed(server.url) ? { url: new URL(`api/devices/${route.devEui}/queue`, server.url).href, token } : null
}

/**
 * Passes the pending mode of a tracker to its network, unless the network has it already. If a pending mode that the network has was
 * cancelled, the tracker's current mode is sent after it. A failed call is repeated after the next uplink. If a server is killed during its
 * call, the others send the mode a minute later.
 */
async function sendPendingMode(world: DownlinkWorld, deviceId: number) {
  const { db, downlinks, log, ids, clock } = world
  const known = downlinks && (await findDownlink(db.read, deviceId))
  const token = known && openToken(world, downlinkOwner(deviceId), known.token)
  if (!token) return
  if (unsavedOf(db).has(deviceId)) await saveUnsaved(world)
  const messageId = `whereabouts:${ids.token().slice(0, IV_HEX_DIGITS)}`
  const mode = await db.write(deviceLock(deviceId), (tx) => claimMode(tx, deviceId, messageId, clock.now()))
  if (mode === null) return
  const settle = (change: Parameters<typeof updateMessage>[3]) =>
    db.write(deviceLock(deviceId), (tx) => updateMessage(tx, deviceId, messageId, { ...change, sendingUntil: null }))
  let response: unknown
  try {
    response = await downlinks.post({ url: known.url, ...formatDownlink(known.network, { mode, messageId, token }) })
  } catch (error) {
    count(db, 'job_failures_total', { work: 'downlinks' })
    log.warn({ device: deviceId, network: known.network, reason: String((error as Error).cause ?? error) }, 'a downlink was not sent')
    return settle({ mode: null, messageId: null })
  }
  const save = () => settle({ messageId: readQueueId(known.network, response) ?? messageId })
  await save().catch((error) => {
    unsavedOf(db).set(deviceId, save)
    throw error
  })
}

/**
 * Messages that networks accepted but a database could not save, by tracker: remembered in this process, so that it does not send them
 * again.
 */
const unsaved = new WeakMap<DownlinkWorld['db'], Map<number, () => Promise<unknown>>>()

function unsavedOf(db: DownlinkWorld['db']) {
  const known = unsaved.get(db) ?? new Map<number, () => Promise<unknown>>()
  unsaved.set(db, known)
  return known
}

/** Saves earlier results, before anything is sent again. */
async function saveUnsaved({ db }: DownlinkWorld) {
  const known = unsavedOf(db)
  for (const [deviceId, save] of [...known]) {
    await save()
    known.delete(deviceId)
  }
}

async function claimMode(tx: Tx, deviceId: number, messageId: string, now: Date) {
  const [device, row] = [await findDeviceById(tx, deviceId), await findDownlink(tx, deviceId)]
  if (!device || !row) return null
  const wanted = device.pendingMode ?? (row.mode === null ? null : device.mode)
  const isInterrupted = row.sendingUntil !== null && row.sendingUntil <= now
  if (wanted === null || (wanted === row.mode && !isInterrupted)) return null
  await updateDownlink(tx, deviceId, { mode: wanted, messageId, sendingUntil: new Date(now.getTime() + LEASE_MS) })
  return wanted
}

type Content = { mode: number; messageId: string; token: string }

/** The Things Stack: `down/push` or `down/replace` of a webhook. ChirpStack: the queue of its REST API, which versions 4 and 3 name alike. */
function formatDownlink(network: DownlinkRow['network'], { mode, messageId, token }: Content): Omit<DownlinkCall, 'url'> {
  const data = Buffer.of(mode).toString('base64')
  if (network !== 'tts') {
    const item = { confirmed: false, fPort: PORT, data }
    return {
      headers: { 'grpc-metadata-authorization': `Bearer ${token}` },
      body: network === 'chirpstack' ? { queueItem: item } : { deviceQueueItem: item },
    }
  }
  const downlink = { f_port: PORT, frm_payload: data, priority: 'NORMAL', correlation_ids: [messageId] }
  return { headers: { authorization: `Bearer ${token}` }, body: { downlinks: [downlink] } }
}

/** ChirpStack's id of the message in its events: version 4 by its id, version 3 by its frame counter. */
function readQueueId(network: DownlinkRow['network'], response: unknown) {
  const { id, fCnt } = (response ?? {}) as { id?: unknown; fCnt?: unknown }
  if (network === 'chirpstack' && typeof id === 'string') return id
  return network === 'chirpstack3' && typeof fCnt === 'number' ? `fCnt ${fCnt}` : null
}

/** Applies the mode that a network reports as delivered, or discards one it failed to deliver, so that it is sent again. */
export async function settleDownlink({ db, clock }: DownlinkWorld, deviceId: number, { ids, isDelivered }: Delivery) {
  await writeDevices(db, deviceLock(deviceId), async (tx) => {
    const [device, row] = [await findDeviceById(tx, deviceId), await findDownlink(tx, deviceId)]
    if (!device || !row?.messageId || row.mode === null || !ids.includes(row.messageId)) return
    await updateDownlink(tx, deviceId, { mode: null, messageId: null, sendingUntil: null })
    if (!isDelivered) return
    await applyMode(tx, device, row.mode, clock.now())
  })
}

async function applyMode(tx: Tx, device: DeviceRow, mode: number, at: Date) {
  const pendingMode = device.pendingMode === mode ? null : device.pendingMode
  const changes = { mode, pendingMode, lastEvent: 'mode_applied' as const, lastEventAt: at }
  await updateDevice(tx, device.id, changes)
  await appendLiveEvent(tx, { device, type: 'mode', body: { tracker_config: await loadConfig(tx, { ...device, ...changes }, at) }, at })
}

/** Passes each mode that a transaction of this process requests to the network of its tracker. Returns the unsubscribe function. */
export const sendRequestedModes = (world: DownlinkWorld) =>
  world.db.onEvent(({ type, deviceId }) => {
    if (type === 'mode') sendLater(world, deviceId)
  })

/** Passes on the modes of calls that were interrupted by a server's end. */
export async function sendInterrupted(world: DownlinkWorld) {
  await saveUnsaved(world)
  const interrupted = await listInterrupted(world.db.read, world.clock.now(), MAX_AGAIN)
  await Promise.all(interrupted.map(({ deviceId }) => sendPendingMode(world, deviceId)))
}

/** Like `sendRequestedModes`, and also repeats calls of killed servers, until stopped. */
export function runDownlinks(world: DownlinkWorld) {
  const unsubscribe = sendRequestedModes(world)
  const again = runPeriodically(
    () =>
      sendInterrupted(world).catch((error) => {
        count(world.db, 'job_failures_total', { work: 'downlinks' })
        world.log.error({ err: error }, 'interrupted downlinks were not sent')
      }),
    TICK_MS,
  )
  return {
    async stop() {
      unsubscribe()
      await again.stop()
    },
  }
}

/** A network's server may be slow, so nothing waits for it. */
export function sendLater(world: DownlinkWorld, deviceId: number) {
  sendPendingMode(world, deviceId).catch((error: unknown) => world.log.error({ err: error, device: deviceId }, 'a downlink failed'))
}
