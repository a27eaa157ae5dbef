import { IconMapPin } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '#contracts/places.ts'
import { timeAtPlaces } from '#web/history/track/time-at-places.ts'
import type { Track } from '#web/history/track/track.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { PlaceIcon } from '#web/places/place-icon.tsx'
import { BarList } from '#web/ui/lists/bar-list.tsx'
import { Section } from './section.tsx'

/** Time spent at each place; nothing for an account without places. */
export function PlaceBars({ track, places }: { track: Track; places: readonly Place[] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const stays = useMemo(() => timeAtPlaces(track, places), [track, places])
  const longest = stays[0]?.ms ?? 0
  if (places.length === 0 || longest === 0) return null
  return (
    <Section title={t('history.places')} isOpen>
      <BarList
        label={t('history.places')}
        bars={stays.map(({ place, ms }) => ({
          key: String(place?.id),
          label: (
            <>
              {place ? <PlaceIcon type={place.type} size={16} /> : <IconMapPin size={16} aria-hidden="true" />}
              {place?.name ?? t('history.elsewhere')}
            </>
          ),
          share: ms / longest,
          value: formats.duration(ms),
        }))}
      />
    </Section>
  )
}
