import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Place } from '#contracts/places.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import proposal from '#web/trackers/usual/proposal.module.css'
import { circleOf, Proposal, useUsualTimes } from '#web/trackers/usual/proposal.tsx'
import { suggestedPlacesQuery } from '#web/trackers/usual/usual.queries.ts'
import classes from './suggested-places.module.css'

/** Suggestions shown at a time: those with the most days. */
const SHOWN = 3

/** Where trackers usually are, offered as new places. */
export function SuggestedPlaces({ places }: { places: readonly Place[] }) {
  const { t } = useTranslation()
  const times = useUsualTimes()
  const enabled = [useFeature('normal'), useHasRight('changePlaces')].every(Boolean)
  const devices = useQuery(devicesQuery()).data ?? []
  const found = useQuery({ ...suggestedPlacesQuery(), enabled }).data ?? []
  const suggested = found.filter((each) => !findContainingPlace(places, each)).slice(0, SHOWN)
  if (!enabled || suggested.length === 0) return null
  return (
    <section className={classes.suggested} aria-labelledby="suggested-places">
      <h2 id="suggested-places">{t('normal.suggested')}</h2>
      <p>{t('normal.suggestedLead')}</p>
      <ul>
        {suggested.map((place) => {
          const title = place.address ?? t('normal.place')
          const names = devices.filter(({ id }) => place.devices.includes(id)).map(({ name }) => name)
          return (
            <li key={`${place.lat} ${place.lng}`} className={proposal.item}>
              <span>
                <b>{title}</b>
                <small>{t('normal.forTracker', { tracker: names.join(', '), what: times(place) })}</small>
              </span>
              <Proposal devices={place.devices} name={title} points={[place]} state={circleOf(place)} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
