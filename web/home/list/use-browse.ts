import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import type { Place } from '#contracts/places.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { orderForMap } from '#web/home/map/map-order.ts'
import { useSteadyNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { usePlaces } from '#web/places/places.queries.ts'
import { useOwners } from '#web/trackers/use-owners.ts'
import { countStates, createFilter, createSorter, groupRows, type Surroundings, toRows } from './arrange.ts'
import { EMPTY_VIEW, firstView, type ListView, readView, saveView, stripView, writeView } from './list-view.ts'

/**
 * What the list shows and in which order: by default the map's own order, for support by owner. Unused trackers are separate unless the list
 * is searched, filtered, sorted or grouped. Counts are of all trackers, not the shown ones.
 */
export function useBrowse(devices: readonly Device[]) {
  const places = usePlaces()
  const owners = useOwners()
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const now = useSteadyNow()
  const [view, change] = useViewInAddress()
  const placeOf = useMemo(() => createPlaceLookup(places), [places])
  const [sortDevices] = useState(createSorter)
  const group = view.group ?? (owners ? 'owner' : 'none')
  const { query, states, tags, endsThisMonth, sort } = view
  const isFiltered = query.trim() !== '' || states.length > 0 || tags.length > 0 || endsThisMonth
  const around: Surroundings = useMemo(
    () => ({ t, language: i18n.language, now, placeOf, ownerOf: ({ id }) => owners?.get(id) }),
    [t, i18n.language, now, placeOf, owners],
  )
  const shown = useMemo(() => {
    const matches = createFilter({ ...EMPTY_VIEW, query, states, tags, endsThisMonth }, around)
    const matching = isFiltered ? devices.filter(matches) : devices
    if (sort.length > 0) return { used: sortDevices(matching, sort, around), unused: [] }
    const { used, unused } = orderForMap(matching, around.now)
    return isFiltered ? { used: [...used, ...unused], unused: [] } : { used, unused }
  }, [devices, isFiltered, query, states, tags, endsThisMonth, sort, sortDevices, around])
  const all = useMemo(() => [...shown.used, ...shown.unused], [shown])
  const rows = useMemo(
    () =>
      group === 'none' ? toRows(all) : groupRows(all, group, around, { formatMonth: formats.month, rest: t(`trackers.without.${group}`) }),
    [all, group, around, formats, t],
  )
  return {
    view,
    change,
    query,
    setQuery: (next: string) => change({ query: next }),
    reset: () => change({ query: '', states: [], tags: [], endsThisMonth: false }),
    isFiltered,
    group,
    owners,
    now,
    placeOf,
    /** All trackers that match, in their order. */
    shown: all,
    /** The same with the heads of groups. */
    rows,
    /** The last trackers of an ungrouped list, which it collapses. */
    unused: group === 'none' ? shown.unused : [],
    counts: useMemo(() => countStates(devices, now), [devices, now]),
  }
}

export type Browse = ReturnType<typeof useBrowse>

/** Milliseconds without typing after which a search is in the address: browsers refuse many changes at once. */
const TYPING_MS = 400

/**
 * The view of the list. The address follows it, also on the pages of trackers; an address that names another view, such as a link to a tag,
 * changes it.
 */
function useViewInAddress() {
  const { search, pathname, state } = useLocation()
  const navigate = useNavigate()
  const [view, setView] = useState(() => firstView(new URLSearchParams(search)))
  const named = writeView(readView(new URLSearchParams(search))).toString()
  const [seen, setSeen] = useState(named)
  if (named !== seen) {
    setSeen(named)
    if (named !== '' && !state?.isFromList) setView(firstView(new URLSearchParams(named)))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the path keeps the view
  useEffect(() => {
    const written = writeView(view)
    if (written.toString() === named) return
    const write = () => {
      const params = stripView(new URLSearchParams(location.search))
      for (const [key, value] of written) params.set(key, value)
      void navigate({ search: params.toString() }, { replace: true, state: { ...state, isFromList: true } })
    }
    if (written.get('q') === new URLSearchParams(named).get('q')) return write()
    const timer = setTimeout(write, TYPING_MS)
    return () => clearTimeout(timer)
  }, [view, named, pathname])
  const change = (part: Partial<ListView>) => {
    const next = { ...view, ...part }
    setView(next)
    saveView(next)
  }
  return [view, change] as const
}

/** Finds the name of the place at which a tracker is, once per tracker object. */
function createPlaceLookup(places: readonly Place[]) {
  const known = new WeakMap<Device, string | undefined>()
  return (device: Device) => {
    if (!known.has(device)) known.set(device, findContainingPlace(places, device.tracker_status.last_position)?.name)
    return known.get(device)
  }
}
