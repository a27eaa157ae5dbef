import { LRUCache } from 'lru-cache'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { CELLS_PER_DEGREE, type FindNearestAddress, findCell } from '#db/addresses.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import { toFixed7 } from '#db/positions.ts'
import { count } from '#server/lib/counts.ts'
import { runPeriodically } from '#server/lib/run-periodically.ts'
import type { World } from '#server/ports/world.ts'
import { addAddressToDevices, findAddressCell, listAddressCells, saveAddressCell } from './address-book.store.ts'

/** Addresses in memory, some 20 MB. */
const MAX_KNOWN = 100_000
/** The most cells waiting for their address. Older ones are dropped: they are requested again when they are shown again. */
const MAX_WANTED = 5000
/** Pause after a failure of the geocoder. */
const PAUSE_MS = MINUTE_MS

/** Returns the address nearest to a point, or null when there is none. Rejects when the server does not respond. */
export type ReverseGeocode = (point: LatLng) => Promise<string | null>

type Known = { label: string } | null
type Ports = Pick<World, 'db' | 'clock' | 'log'>

/**
 * Addresses of positions from an external geocoder, which is slow and limits calls. `nearest` returns known addresses at once and queues
 * unknown ones; `lookUp` looks up one address, most recently requested first, and sets it for the trackers at that point.
 */
export async function openAddressBook({ db, clock, log }: Ports, reverse: ReverseGeocode) {
  const known = new LRUCache<number, { address: Known }>({ max: MAX_KNOWN })
  const wanted = new Map<number, LatLng>()
  /** Addresses that were looked up but could not be saved yet. */
  const unsaved = new LRUCache<number, { address: string | null }>({ max: MAX_WANTED })
  let pausedUntil = 0
  for (const { cell, address } of (await listAddressCells(db.read, MAX_KNOWN)).reverse()) known.set(cell, { address: toKnown(address) })

  const nearest: FindNearestAddress = (point) => {
    const cell = findCell(point)
    const found = known.get(cell)
    if (found) return found.address
    wanted.delete(cell)
    wanted.set(cell, point)
    if (wanted.size > MAX_WANTED) wanted.delete(wanted.keys().next().value!)
    return undefined
  }

  /** Resolves to false when there is nothing to look up. */
  async function lookUp() {
    const next = [...wanted].at(-1)
    if (!next || clock.now().getTime() < pausedUntil) return false
    const [cell, point] = next
    const saved = await findAddressCell(db.read, cell)
    const found = saved ?? unsaved.get(cell)
    const address = found ? found.address : await reverse(middleOf(point)).catch(() => undefined)
    if (address === undefined) {
      pausedUntil = clock.now().getTime() + PAUSE_MS
      count(db, 'job_failures_total', { work: 'addresses' })
      log.warn({ wanted: wanted.size }, 'the geocoder did not answer')
      return false
    }
    if (!saved) unsaved.set(cell, { address })
    await writeDevices(db, [], async (tx) => {
      if (!saved) await saveAddressCell(tx, { cell, address, foundAt: clock.now() })
      if (address !== null) for (const device of await addAddressToDevices(tx, { ...edgesOf(point), address })) touch(tx, device)
    })
    known.set(cell, { address: toKnown(address) })
    unsaved.delete(cell)
    wanted.delete(cell)
    return true
  }

  return { nearest, lookUp }
}

/** Looks up addresses at a limited rate until stopped. */
export const runAddressBook = (
  { lookUp }: { lookUp(): Promise<boolean> },
  { db, log }: Pick<World, 'db' | 'log'>,
  callsPerMinute: number,
) =>
  runPeriodically(
    () =>
      lookUp().catch((error) => {
        count(db, 'job_failures_total', { work: 'addresses' })
        log.error({ err: error }, 'an address could not be saved')
      }),
    MINUTE_MS / callsPerMinute,
  )

const toKnown = (address: string | null): Known => (address === null ? null : { label: address })

const toIndex = (degrees: number) => Math.round(degrees * CELLS_PER_DEGREE)

const middleOf = ({ lat, lng }: LatLng): LatLng => ({ lat: toIndex(lat) / CELLS_PER_DEGREE, lng: toIndex(lng) / CELLS_PER_DEGREE })

function edgesOf(point: LatLng) {
  const { lat, lng } = middleOf(point)
  const half = 0.5 / CELLS_PER_DEGREE
  const around = (degrees: number) => [toFixed7(degrees - half), toFixed7(degrees + half)] as const
  return { lat: around(lat), lng: around(lng) }
}
