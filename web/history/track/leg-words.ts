import type { TFunction } from 'i18next'
import type { Kind } from '#contracts/lib/constants.ts'
import type { Place } from '#contracts/places.ts'
import { placeAt } from '#contracts/rules/geo/place.ts'
import type { Leg } from '#contracts/rules/tracking/trips.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { shortAddress } from './place-words.ts'
import type { Track } from './track.ts'

type LegWords = { title: string; detail: string; speed?: string }

type Context = { track: Track; kind: Kind; places?: readonly Place[] }

/** Describes a leg: what it was, where, and how fast. */
export function legWords(t: TFunction, formats: Formats, leg: Leg, { track, kind, places = [] }: Context): LegWords {
  const known = (index: number) => placeAt(places, track.fixes[index])?.name
  const address = (index: number) => track.points[index]?.address ?? null
  if (leg.kind === 'stop') {
    const detail = address(leg.first) ?? address(leg.last) ?? t('history.noAddress')
    return { title: known(leg.first) ?? t('history.stop'), detail }
  }
  if (leg.kind === 'gap') return { title: t('history.gap'), detail: t('history.gapDetail', { distance: formats.distance(leg.meters) }) }
  const place = known(leg.last) ?? shortAddress(address(leg.last))
  const speed = t('history.tripUpTo', { speed: formats.speed(leg.topSpeedKmh) })
  const title = t(`history.trip.${kind}`, { distance: formats.distance(leg.meters) })
  return { title, detail: place ? t('history.tripTo', { place }) : t('history.noAddress'), speed }
}
