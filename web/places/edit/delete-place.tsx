import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Place } from '#contracts/places.ts'
import { alertsQuery } from '#web/alerts/alerts.queries.ts'
import { orGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { calls } from '#web/places/places.calls.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import classes from './places.module.css'

/** Confirms the deletion and lists the alerts that the server deletes with the place. */
export function DeletePlace({ place: { id, name }, onClose }: { place: Place; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await calls.remove({ params: { id } }).catch(orGone)
    queries.setQueryData(placesQuery().queryKey, (places) => places?.filter((place) => place.id !== id))
    await queries.invalidateQueries({ queryKey: alertsQuery().queryKey })
    showToast(t('places.deleted'))
  }
  return (
    <ConfirmDialog title={t('places.deleteTitle', { name })} action={t('action.delete')} isDanger onConfirm={remove} onClose={onClose}>
      <p>{t('places.deleteLead')}</p>
      <ItsAlerts place={id} />
    </ConfirmDialog>
  )
}

function ItsAlerts({ place }: { place: number }) {
  const { t } = useTranslation()
  const { data } = useQuery({ ...alertsQuery(), select: (alerts) => alerts.filter((alert) => alert.place === place) })
  // A general warning while the alerts are loading or cannot be loaded.
  if (!data) return <p>{t('places.deleteAnyAlerts')}</p>
  if (data.length === 0) return null
  return (
    <>
      <p>{t('places.deleteAlerts', { count: data.length })}</p>
      <ul className={classes.alerts}>
        {data.map(({ id, name, trigger }) => (
          <li key={id}>{name || t(`places.alert.${trigger ?? 'vehicle'}`)}</li>
        ))}
      </ul>
    </>
  )
}
