import type { TFunction } from 'i18next'
import type { Kind } from '#contracts/constants.ts'
import type { Leg } from '#contracts/rules/trips.ts'
import type { Formats } from '#web/lib/format.ts'
import { shortAddress } from './place-words.ts'
import type { Track } from './track.ts'

type LegWords = { title: string; detail: string; speed?: string }

/** What happened on a leg, and where or how fast. */
export function legWords(t: TFunction, formats: Formats, leg: Leg, { track, kind }: { track: Track; kind: Kind }): LegWords {
  const address = (index: number) => track.points[index]?.address ?? null
  if (leg.kind === 'stop') return { title: t('history.stop'), detail: address(leg.first) ?? address(leg.last) ?? t('history.noAddress') }
  if (leg.kind === 'gap') return { title: t('history.gap'), detail: t('history.gapDetail', { distance: formats.distance(leg.meters) }) }
  const place = shortAddress(address(leg.last))
  const speed = t('history.tripUpTo', { speed: formats.speed(leg.topSpeedKmh) })
  const title = t(`history.trip.${kind}`, { distance: formats.distance(leg.meters) })
  return { title, detail: place ? t('history.tripTo', { place }) : t('history.noAddress'), speed }
}
