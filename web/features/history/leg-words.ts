import type { TFunction } from 'i18next'
import type { Kind } from '#contracts/constants.ts'
import type { Leg } from '#contracts/rules/trips.ts'
import type { Formats } from '#web/lib/format.ts'
import { shortAddress } from './place-words.ts'
import type { Track } from './track.ts'

type Sentence = { title: string; detail: string }

/** What happened on a leg, and where or how fast. */
export function legWords(t: TFunction, formats: Formats, leg: Leg, { track, kind }: { track: Track; kind: Kind }): Sentence {
  const address = (index: number) => track.points[index]?.address ?? null
  if (leg.kind === 'stop') return { title: t('history.stop'), detail: address(leg.first) ?? address(leg.last) ?? t('history.noAddress') }
  if (leg.kind === 'gap') return { title: t('history.gap'), detail: t('history.gapDetail', { distance: formats.distance(leg.meters) }) }
  const [place, speed] = [shortAddress(address(leg.last)), formats.speed(leg.topSpeedKmh)]
  return {
    title: t(`history.trip.${kind}`, { distance: formats.distance(leg.meters) }),
    detail: place ? t('history.tripTo', { place, speed }) : t('history.tripUpTo', { speed }),
  }
}
