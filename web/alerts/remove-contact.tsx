import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Contact } from '#contracts/contacts.ts'
import { orGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Bone } from '#web/ui/skeleton.tsx'
import { alertsQuery } from './alerts.queries.ts'
import { calls } from './contacts.calls.ts'
import { contactsQuery } from './contacts.queries.ts'
import { useSentences } from './sentences.ts'

/** Confirms the deletion and lists the alerts that would lose their only recipient: the server deletes them too. */
export function RemoveContact({ contact: { id, name }, onClose }: { contact: Contact; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await calls.remove({ params: { id } }).catch(orGone)
    queries.setQueryData(contactsQuery().queryKey, (all) => all?.filter((contact) => contact.id !== id))
    // Deleting a vehicle alert changes the mode of its trackers.
    for (const { queryKey } of [alertsQuery(), devicesQuery()]) void queries.invalidateQueries({ queryKey })
    showToast(t('contacts.deleted'))
  }
  return (
    <ConfirmDialog isDanger title={t('contacts.deleteHeading', { name })} action={t('action.delete')} onConfirm={remove} onClose={onClose}>
      <p>{t('contacts.deleteLead', { name })}</p>
      <Suspense fallback={<Bone height={18} />}>
        <LostAlerts contact={id} />
      </Suspense>
    </ConfirmDialog>
  )
}

function LostAlerts({ contact }: { contact: number }) {
  const { t } = useTranslation()
  const alerts = useSuspenseQuery(alertsQuery()).data
  const { say } = useSentences()
  const lost = alerts.filter(({ contacts }) => contacts.every((id) => id === contact))
  if (lost.length === 0) return null
  if (!say) return <Bone height={18} />
  return (
    <>
      <p>{t('contacts.deletesAlerts', { count: lost.length })}</p>
      <ul>
        {lost.map((alert) => (
          <li key={alert.id}>{[alert.name, ...say(alert)].filter(Boolean).join(' · ')}</li>
        ))}
      </ul>
    </>
  )
}
