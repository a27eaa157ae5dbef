import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { DAY_MS } from '#contracts/rules/time.ts'
import { NETWORK_SILENCE_DAYS, silenceStart } from '#contracts/rules/tracking/reporting.ts'
import { compareDevices, type OrderableDevice } from '#contracts/rules/tracking/sorting.ts'
import { Device } from '#contracts/trackers/devices.ts'
import type { Db } from '#db/db.ts'
import { rowVersion } from '#db/schema/columns.ts'
import { findDevice, kindOf, listDeviceIds, type Viewer } from '#db/scope.ts'
import { formatEtag } from '#server/http/encoding/etag.ts'
import type { Composed } from '#server/http/serve.ts'
import { lookUpInBatches } from '#server/lib/batches.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { chooseSerialView, type SerialView, showSerial } from '#server/trackers/serials/shown-serial.ts'
import { type DeviceFacts, presentDevice } from './devices.present.ts'
import { type DeviceVersion, listDeviceFacts, listDeviceVersions, listHiddenDeviceIds } from './devices.store.ts'

/** Valid from `from` to before `until` (ms), unless data changes after `moment`. */
type Kept = { moment: number; from: number; until: number }
/** A tracker encoded as JSON, once visible and once hidden. */
type Entry = Kept & { version: string; order: OrderableDevice; digest: string; shown: Buffer; hidden: Buffer | null }
/** `entries` are in the order of the list. */
type List = Kept & { version: string; entries: Entry[]; answer: Composed }
type Model = {
  entries: Map<number, Entry>
  lists: Map<string, List>
  /** Running queries for versions, by the kind of their viewers or by the key of a long list. */
  lookups: Map<string, (asked: ListRead) => Promise<DeviceVersion[] | undefined>>
}

const MAX_LISTS = 1000
const MAX_ENTRIES = 50_000
const models = new WeakMap<Db, Model>()
const CompiledDevice = z.compile(Device)

/** Returns the viewer's list of trackers from the cache; only changed trackers are read and encoded again. */
export async function deviceList({ db, clock, viewer }: Pick<ViewerContext, 'db' | 'clock' | 'viewer'>): Promise<Composed> {
  const model = findModel(db)
  const key = `${viewer.role}:${viewer.accountId}:${viewer.userId}:${viewer.limitedTo ?? ''}:${viewer.isProgram ?? false}`
  const now = clock.now()
  const serials = chooseSerialView(viewer)
  if (rowVersion) {
    const versions = await findVersions(db, model, { key, viewer })
    return listByVersions(db, model, { key, versions, now, serials })
  }
  const moment = db.changes.moment()
  const known = model.lists.get(key)
  if (known && moment !== null && holds(known, now) && db.changes.areDevicesCurrent(accountOf(viewer), known.moment)) return known.answer
  const changed = known && moment !== null && holds(known, now) ? listChangedDevices(db, viewer, known.moment) : null
  const entries = known && changed ? await updateEntries(known.entries, changed) : await readEntries(await listDeviceIds(db.read, viewer))
  const hidden = await listHiddenDeviceIds(db.read, viewer)
  const answer = compose(entries, hidden, serials)
  if (moment === null) return answer
  saveAtMost(MAX_LISTS, model.lists, key, { moment, version: '', from: now.getTime(), until: earliestEnd(entries), entries, answer })
  return answer

  async function readEntries(ids: number[]) {
    const entries = await readCurrentEntries(db, model, ids, { now, moment })
    return entries.sort((a, b) => compareDevices(a.order, b.order))
  }

  /** Replaces the changed entries of the earlier list, which is sorted again only if the order may have changed. */
  async function updateEntries(earlier: Entry[], changed: number[]) {
    const visible: number[] = []
    for (const id of changed) if (await findDevice(db.read, viewer, id)) visible.push(id)
    const fresh = new Map((await readCurrentEntries(db, model, visible, { now, moment })).map((entry) => [entry.order.id, entry]))
    const gone = new Set(changed)
    let isSorted = true
    const entries: Entry[] = []
    for (const entry of earlier) {
      const next = gone.has(entry.order.id) ? fresh.get(entry.order.id) : entry
      if (!next) continue
      if (next !== entry) isSorted &&= compareDevices(next.order, entry.order) === 0
      fresh.delete(next.order.id)
      entries.push(next)
    }
    if (isSorted && fresh.size === 0) return entries
    return [...entries, ...fresh.values()].sort((a, b) => compareDevices(a.order, b.order))
  }
}

/** A request for a list, and the key of the list. */
type ListRead = { key: string; viewer: Viewer }

/** Viewers with more trackers than this share no query with others, who would wait for its rows. */
const MANY = 200

/** Requests that arrive at the same time share a query, which begins after them. */
async function findVersions({ read }: Db, { lists, lookups }: Model, asked: ListRead): Promise<DeviceVersion[]> {
  const isLarge = (lists.get(asked.key)?.entries.length ?? 0) > MANY
  const shared = isLarge ? asked.key : kindOf(asked.viewer)
  const create = () =>
    lookUpInBatches(
      async (reads: ListRead[]) => {
        const found = await listDeviceVersions(read, reads.map(({ viewer }) => viewer) as [Viewer, ...Viewer[]])
        return new Map(reads.map(({ key }, index) => [key, found[index]!]))
      },
      ({ key }) => key,
    )
  const find = lookups.get(shared) ?? create()
  saveAtMost(MAX_LISTS, lookups, shared, find)
  return (await find(asked))!
}

type VersionedRead = { key: string; versions: DeviceVersion[]; now: Date; serials: SerialView }

/**
 * The list when other processes change trackers too: the database's version of each row determines which of them are read and encoded
 * again.
 */
async function listByVersions(db: Db, model: Model, { key, versions, now, serials }: VersionedRead): Promise<Composed> {
  const versionOf = new Map(versions.map((each) => [each.id, each.version]))
  const nameVersion = () => versions.map(({ id, isHidden }) => `${id} ${versionOf.get(id)} ${isHidden}`).join()
  const known = model.lists.get(key)
  if (known && known.version === nameVersion() && holds(known, now)) return known.answer
  const current = versions
    .map(({ id }) => model.entries.get(id))
    .filter((entry) => entry && holds(entry, now) && entry.version === versionOf.get(entry.order.id))
  const entries = current as Entry[]
  const currentIds = new Set(entries.map(({ order }) => order.id))
  for (const facts of await listDeviceFacts(
    db.read,
    versions.map(({ id }) => id).filter((id) => !currentIds.has(id)),
  )) {
    const { version = '' } = facts
    const entry = encode(facts, now, { version })
    entries.push(entry)
    // Another process may have changed the tracker since its version was read, and may revert the change.
    versionOf.set(facts.device.id, version)
    saveAtMost(MAX_ENTRIES, model.entries, facts.device.id, entry)
  }
  entries.sort((a, b) => compareDevices(a.order, b.order))
  const hidden = new Set(versions.filter(({ isHidden }) => isHidden).map(({ id }) => id))
  const answer = compose(entries, hidden, serials)
  saveAtMost(MAX_LISTS, model.lists, key, {
    moment: 0,
    version: nameVersion(),
    from: now.getTime(),
    until: earliestEnd(entries),
    entries,
    answer,
  })
  return answer
}

/** A full cache is emptied. An LRU cache would allocate its space at once, and each of hundreds of worlds has a cache. */
function saveAtMost<Key, Value>(most: number, cache: Map<Key, Value>, key: Key, value: Value) {
  if (cache.size >= most && !cache.has(key)) cache.clear()
  cache.set(key, value)
}

const earliestEnd = (entries: Entry[]) => entries.reduce((earliest, entry) => Math.min(earliest, entry.until), Number.POSITIVE_INFINITY)

/** More changes than this are not worth reading one by one. */
const MAX_CHANGED = 100

function listChangedDevices(db: Db, viewer: Viewer, since: number) {
  const account = accountOf(viewer)
  const changed = account === null ? null : db.changes.listChangedDevices(account, since)
  return changed && changed.length <= MAX_CHANGED ? changed : null
}

/** The account whose changes affect the viewer's list; null for support, who sees all accounts. */
const accountOf = (viewer: Viewer) => (viewer.role === 'deepsupport' ? null : viewer.accountId)

async function readCurrentEntries(db: Db, model: Model, ids: number[], { now, moment }: { now: Date; moment: number | null }) {
  const current = new Map<number, Entry>()
  for (const id of ids) {
    const entry = moment === null ? undefined : model.entries.get(id)
    if (entry && holds(entry, now) && db.changes.isDeviceCurrent(id, entry.moment)) current.set(id, entry)
  }
  const outdated = ids.filter((id) => !current.has(id))
  for (const facts of await listDeviceFacts(db.read, outdated)) {
    const entry = encode(facts, now, { moment: moment ?? 0 })
    current.set(facts.device.id, entry)
    if (moment !== null) saveAtMost(MAX_ENTRIES, model.entries, facts.device.id, entry)
  }
  return [...current.values()]
}

function encode(facts: DeviceFacts, now: Date, { moment = 0, version = '' }): Entry {
  const device = z.parse(CompiledDevice, presentDevice(facts, now))
  const { id, name, tracker_status } = device
  const { sub_state, sub_end_date } = tracker_status
  // Parsed to a Date once, because sorting compares it many times.
  const order = { id, name, tracker_status: { sub_state, sub_end_date: sub_end_date === null ? null : new Date(sub_end_date) } }
  const shown = Buffer.from(JSON.stringify(device))
  const digest = createHash('sha256').update(shown).digest('base64url')
  return { moment, version, from: now.getTime(), until: validUntil(facts, now), order, digest, shown, hidden: null }
}

function compose(entries: Entry[], hiddenFrom: Set<number>, serials: SerialView): Composed {
  const isHidden = ({ order }: Entry) => hiddenFrom.has(order.id)
  const tag = createHash('sha256')
  tag.update(entries.map((entry) => (isHidden(entry) ? `${entry.digest}-` : entry.digest)).join())
  if (serials !== 'whole') tag.update(`serials ${serials}`)
  const parts = entries.map((entry) => (isHidden(entry) ? hide(entry) : entry.shown))
  const composed = joinParts(serials === 'whole' ? parts : parts.map((part) => hideSerial(part, serials)))
  return { composed, etag: formatEtag(tag.digest('base64url').slice(0, 27)) }
}

const [OPEN, COMMA, CLOSE] = Buffer.from('[,]')

/** Joins encoded objects to a JSON array. */
function joinParts(parts: Buffer[]) {
  const list = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + part.length + 1, parts.length === 0 ? 2 : 1))
  let end = 0
  for (const part of parts) {
    list[end] = end === 0 ? OPEN! : COMMA!
    list.set(part, end + 1)
    end += part.length + 1
  }
  if (parts.length === 0) list[end++] = OPEN!
  list[end] = CLOSE!
  return list
}

/** Quotes within JSON strings are escaped, so the first match is the property itself. */
const hide = (entry: Entry) => (entry.hidden ??= Buffer.from(entry.shown.toString().replace('"visible":true', '"visible":false')))

const hideSerial = (device: Buffer, view: SerialView) =>
  Buffer.from(
    device.toString().replace(/"serial":"([^"]*)"/, (_, serial: string) => `"serial":${JSON.stringify(showSerial(serial, view))}`),
  )

const holds = ({ from, until }: Kept, now: Date) => from <= now.getTime() && now.getTime() < until

function findModel(db: Db) {
  const model: Model = models.get(db) ?? { entries: new Map(), lists: new Map(), lookups: new Map() }
  models.set(db, model)
  return model
}

/** When (ms) a tracker's wire form changes without a write: the end of its subscription, network deactivation, boost or last link. */
function validUntil({ device, linkEndsAt }: DeviceFacts, now: Date) {
  const { subEndDate, boostUntil } = device
  const since = silenceStart(device)
  const changes = [
    subEndDate && subEndDate.getTime() + 1,
    since && since.getTime() + NETWORK_SILENCE_DAYS * DAY_MS + 1,
    boostUntil?.getTime(),
    linkEndsAt?.getTime(),
  ]
  return Math.min(...changes.map((change) => (change && change > now.getTime() ? change : Number.POSITIVE_INFINITY)))
}
