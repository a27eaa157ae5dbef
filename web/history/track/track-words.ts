import type { TFunction } from 'i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { Place } from '#contracts/places.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import { fixAt } from '#contracts/rules/history/fixes.ts'
import type { Leg } from '#contracts/rules/history/trips.ts'
import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import { batteryDisplay, type DeviceType, KINDS, type Kind } from '#contracts/rules/tracking/tracker.ts'
import { addressAt } from '#contracts/track/columns.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { batteryWords } from '#web/lib/i18n/words.ts'
import type { Bounds } from '#web/lib/period.ts'
import { findLeg, interpolateMoment, type Track } from './track.ts'

/** A shorter way within one place is no walk: the tracker moved about in it. */
const WAY_M = 100

/** Slower is shown as 0, which says nothing. */
const SLOWEST_KMH = 1

type LegWords = { title: string; detail: string; speed?: string }

type Context = { track: Track; kind: Kind; places?: readonly Place[] }

export function legWords(t: TFunction, formats: Formats, leg: Leg, { track, kind, places = [] }: Context): LegWords {
  const known = (index: number) => findContainingPlace(places, fixAt(track.positions, index))?.name
  const address = (index: number) => addressAt(track.positions, index)
  if (leg.kind === 'stop') {
    const detail = address(leg.first) ?? address(leg.last) ?? t('history.noAddress')
    return { title: known(leg.first) ?? t('history.stop'), detail }
  }
  if (leg.kind === 'gap') return { title: t('history.gap'), detail: t('history.gapDetail', { distance: formats.distance(leg.meters) }) }
  const home = known(leg.last)
  if (leg.meters < WAY_M && home !== undefined && home === known(leg.first))
    return { title: t('history.movingAt', { place: home }), detail: address(leg.last) ?? t('history.noAddress') }
  const place = home ?? shortAddress(address(leg.last))
  const speed = leg.topSpeedKmh < SLOWEST_KMH ? {} : { speed: t('history.tripUpTo', { speed: formats.speed(leg.topSpeedKmh) }) }
  const title = t(`history.trip.${pickListed(KINDS, kind, 'other')}`, { distance: formats.distance(leg.meters) })
  return { title, detail: place ? t('history.tripTo', { place }) : t('history.noAddress'), ...speed }
}

/** Allows 25 hours, because the day on which the clocks go back is an hour longer. */
export const isOneDay = ({ start, end }: Bounds) => end - start <= DAY_MS + HOUR_MS

/** "12:31", with the day when the period spans several. */
export const timeWords = (formats: Formats, time: number, bounds: Bounds) => {
  const at = new Date(time)
  return isOneDay(bounds) ? formats.time(at) : `${formats.shortDay(at)} ${formats.time(at)}`
}

/** "7 km/h · 340 m · 82%", without an unknown height. */
export const momentWords = (t: TFunction, formats: Formats, { type, track, time }: { type: DeviceType; track: Track; time: number }) => {
  const moment = interpolateMoment(track, time)
  if (!moment) return ''
  const height = moment.height === null ? [] : [formats.meters(moment.height)]
  return [formats.speed(moment.kmh), ...height, batteryWords(t, batteryDisplay(type, moment.battery))].join(' · ')
}

/** "Stopped · 42 min · Avenida Brasil 3029, Montevideo": what the tracker did at a time; empty before its first leg. */
export function whereWords(t: TFunction, formats: Formats, time: number, context: Context) {
  const leg = context.track.legs[findLeg(context.track.legs, time)]
  if (!leg) return ''
  const { title, detail } = legWords(t, formats, leg, context)
  return [title, formats.duration(leg.durationMs), detail].join(' · ')
}

/** Street and house number of an address, where space is short. */
export const shortAddress = (address: string | null | undefined): string | null => address?.split(',')[0]?.trim() || null

/** File name of an export, without the characters that file names must not contain. */
export const exportFileName = (name: string, from: string, to: string, format = 'csv') =>
  `${name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}_${from}_${to}.${format}`
