import { Button } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Place } from '#contracts/places.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { findContainingPlace, isInsidePlace } from '#contracts/rules/geo/place.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import type { Normal, UsualPlace, UsualWay } from '#contracts/trackers/normal.ts'
import { shortAddress } from '#web/history/track/track-words.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { midnight } from '#web/lib/period.ts'
import { usePlaces } from '#web/places/places.queries.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import proposal from '#web/trackers/usual/proposal.module.css'
import { circleOf, Proposal, useUsualTimes } from '#web/trackers/usual/proposal.tsx'
import { usualApi, usualQuery } from '#web/trackers/usual/usual.queries.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import classes from './usual.module.css'
import { WaySketch } from './ways.tsx'

const UsualMap = lazy(() => import('./usual-map.tsx'))

/** Where a tracker usually is: the switch that lets the server learn it, a map, and the places and ways that it proposes. */
export default function UsualView({ device }: { device: Device }) {
  const { t } = useTranslation()
  const usual = useSuspenseQuery(usualQuery(device.id)).data
  const mayChange = useHasRight('changePlaces')
  const hasAlerts = useFeature('alertRules')
  const change = useChange(device.id)
  return (
    <div className={classes.usual}>
      <p className={classes.lead}>{t('normal.lead', { tracker: device.name })}</p>
      <CheckboxField
        checked={change.isPending ? change.variables.enabled : usual.enabled}
        disabled={!mayChange || change.isPending}
        onChange={({ target }) => change.mutate({ enabled: target.checked })}
        hint={t('normal.hint')}
      >
        {t('normal.switch')}
      </CheckboxField>
      <Learnt device={device} usual={usual} mayChange={mayChange} />
      {mayChange && hasAlerts && (
        <Button
          component={Link}
          to={`/alerts/new?tracker=${encodeURIComponent(device.id)}&rule=unusual`}
          variant="default"
          h={44}
          leftSection={<IconBell size={18} aria-hidden="true" />}
        >
          {t('normal.alert')}
        </Button>
      )}
    </div>
  )
}

function useChange(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { enabled: boolean }) => usualApi.set({ params: { id }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: usualQuery(id).queryKey }),
  })
}

type LearntProps = { device: Device; usual: Normal; mayChange: boolean }

function Learnt({ device, usual, mayChange }: LearntProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { enabled, ready_from, learnt_at, places, ways, cells } = usual
  if (ready_from !== null) return <p role="status">{t('normal.readyFrom', { date: formats.day(midnight(ready_from)) })}</p>
  if (!enabled) return <p role="status">{t('normal.off', { tracker: device.name })}</p>
  if (learnt_at === null) return <p role="status">{t('normal.learning')}</p>
  if (places.length === 0 && ways.length === 0 && cells.length === 0)
    return <p role="status">{t('normal.nothing', { tracker: device.name })}</p>
  return (
    <>
      <Part skeleton={<div className={classes.map} />}>
        <UsualMap usual={usual} label={t('normal.map')} />
      </Part>
      {places.length > 0 && <Places device={device} places={places} mayChange={mayChange} />}
      {ways.length > 0 && <Ways device={device} ways={ways} places={places} mayChange={mayChange} />}
    </>
  )
}

function Places({ device, places, mayChange }: { device: Device; places: readonly UsualPlace[]; mayChange: boolean }) {
  const { t } = useTranslation()
  const known = usePlaces()
  const times = useUsualTimes()
  return (
    <section aria-labelledby="usual-places">
      <h2 id="usual-places">{t('normal.placesHeading')}</h2>
      <ul>
        {places.map((place) => {
          const own = findContainingPlace(known, place)
          const title = own?.name ?? shortAddress(place.address) ?? t('normal.place')
          return (
            <li key={`${place.lat} ${place.lng}`} className={proposal.item}>
              <span>
                <b>{title}</b>
                <small>{times(place)}</small>
              </span>
              {mayChange && !own && !place.dismissed && (
                <Proposal devices={[device.id]} name={title} points={[place]} state={circleOf(place)} />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type WaysProps = { device: Device; ways: readonly UsualWay[]; places: readonly UsualPlace[]; mayChange: boolean }

function Ways({ device, ways, places, mayChange }: WaysProps) {
  const { t } = useTranslation()
  const known = usePlaces()
  const hasShapes = useFeature('placeShapes')
  const nameOf = (point: LatLng) =>
    findContainingPlace(known, point)?.name ?? shortAddress(findContainingPlace(places, point)?.address ?? null) ?? '…'
  return (
    <section aria-labelledby="usual-ways">
      <h2 id="usual-ways">{t('normal.waysHeading')}</h2>
      <ul>
        {ways.map(({ points, days, dismissed }) => {
          const [first, last] = [points[0]!, points.at(-1)!]
          const [from, to] = [nameOf(first), nameOf(last)]
          const name = from !== to ? `${from} – ${to}` : from === '…' ? t('normal.way') : from
          return (
            <li key={`${first.lat} ${first.lng} ${last.lat} ${last.lng} ${points.length}`} className={proposal.item}>
              <WaySketch way={{ points, round: false }} />
              <span>
                <b>{name}</b>
                <small>{t('normal.days', { count: days })}</small>
              </span>
              {mayChange && hasShapes && !dismissed && !isCovered(known, points) && (
                <Proposal
                  devices={[device.id]}
                  name={name}
                  points={[first, points[points.length >> 1]!, last]}
                  state={{ way: points.map(({ lat, lng }) => [lat, lng]) }}
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Whether one place contains all of a way. */
const isCovered = (places: readonly Place[], points: readonly LatLng[]) =>
  places.some((place) => points.every((point) => isInsidePlace(point, place)))
