import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { UsualPlace } from '#contracts/trackers/normal.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import classes from './proposal.module.css'
import { usualApi, usualKeys } from './usual.queries.ts'

type Props = { devices: readonly number[]; name: string; points: readonly LatLng[]; state: unknown }

/** Offers to make a place of what is usual. `state` is what the form of a new place begins with. */
export function Proposal({ devices, name, points, state }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const body = { points: points.map(({ lat, lng }) => ({ lat, lng })) }
  const dismiss = useMutation({
    mutationFn: async () => {
      for (const id of devices) await usualApi.dismiss({ params: { id }, body })
    },
    onSuccess: () => {
      showToast(t('normal.dismissed'))
      return queries.invalidateQueries({ queryKey: usualKeys.all })
    },
  })
  return (
    <span className={classes.buttons}>
      <Button component={Link} to="/places/new" state={state} variant="default" h={44} aria-label={`${t('normal.makePlace')}: ${name}`}>
        {t('normal.makePlace')}
      </Button>
      <Button
        variant="subtle"
        h={44}
        loading={dismiss.isPending}
        onClick={() => dismiss.mutate()}
        aria-label={`${t('normal.notNow')}: ${name}`}
      >
        {t('normal.notNow')}
      </Button>
    </span>
  )
}

/** The circle of a usual place, with which the form of a new place begins. */
export const circleOf = ({ address, lat, lng, radius }: Pick<UsualPlace, 'address' | 'lat' | 'lng' | 'radius'>) => ({
  circle: { address: address ?? '', lat, lng, radius },
})

/** "on 29 days · usually from 19:00 to 08:00". */
export function useUsualTimes() {
  const { t } = useTranslation()
  const formats = useFormats()
  return ({ days, hours }: Pick<UsualPlace, 'days' | 'hours'>) => {
    const on = t('normal.days', { count: days })
    return hours ? `${on} · ${t('normal.hours', { from: formats.time(hourOf(hours.from)), to: formats.time(hourOf(hours.to)) })}` : on
  }
}

/** An hour of any day, local to this browser. */
const hourOf = (hour: number) => new Date(2000, 0, 1, hour).toISOString()
