import { IconBell, IconBellOff, IconCar, IconLogin2, IconLogout2 } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useMatch } from 'react-router-dom'
import type { Alert } from '#contracts/alerts.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { RULE_KINDS } from '#contracts/rules/tracking/rules/rule.ts'
import { FIRING_ICONS } from '#web/alerts/fired/firing-words.ts'
import { MutedUntil } from '#web/alerts/silences/silences.tsx'
import { ApiError, ignoreGone } from '#web/lib/api/api-error.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { Entries, Entry, EntryDisc } from '#web/ui/lists/entry.tsx'
import { useIsSplit } from '#web/ui/lists/split.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import classes from './alert-entries.module.css'
import { alertsApi, alertsQuery, switchAlert } from './alerts.queries.ts'

type Props = { alerts: readonly Alert[]; describe: (alert: Alert) => string[] }

/** Alerts as sentences, with the actions allowed for each. */
export function AlertEntries({ alerts, describe }: Props) {
  const { t } = useTranslation()
  const [removed, setRemoved] = useState<Alert | null>(null)
  const mayChange = useHasRight('changePlaces')
  const saved = useLocation().state?.saved
  const isSplit = useIsSplit()
  const chosen = useMatch('/alerts/:id')?.params.id
  const canSwitch = useFeature('alertSwitch') && mayChange
  return (
    <>
      <Entries label={t('title.alerts')}>
        {alerts.map((alert) => {
          const sentences = describe(alert)
          const name = alert.name || sentences.join(' ')
          const address = mayChange ? `/alerts/${encodeURIComponent(alert.id)}` : undefined
          return (
            <Entry
              key={alert.id}
              isNew={alert.id === saved}
              name={name}
              icon={<AlertIcon alert={alert} />}
              more={canSwitch && <AlertSwitch alert={alert} name={name} />}
              to={isSplit ? address : undefined}
              isChosen={String(alert.id) === chosen}
              onEdit={isSplit ? undefined : address}
              onDelete={mayChange ? () => setRemoved(alert) : undefined}
            >
              {sentences.map((sentence) => (
                <strong key={sentence}>{sentence}</strong>
              ))}
              {alert.name && <small>{alert.name}</small>}
              {alert.off_since ? <OffSince at={alert.off_since} /> : <MutedUntil alert={alert} />}
            </Entry>
          )
        })}
      </Entries>
      {removed && <DeleteAlertDialog alert={removed} sentences={describe(removed)} onClose={() => setRemoved(null)} />}
    </>
  )
}

function OffSince({ at }: { at: string }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return <small>{t('alerts.offSince', { date: formats.dateTime(at) })}</small>
}

function AlertSwitch({ alert: { id, off_since }, name }: { alert: Alert; name: string }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (isOn: boolean) => switchAlert(id, isOn),
    onSuccess: (saved, isOn) => {
      queries.setQueryData(alertsQuery().queryKey, (all) => all?.map((alert) => (alert.id === id ? saved : alert)))
      // A vehicle alert changes the mode of its trackers.
      void queries.invalidateQueries({ queryKey: trackerKeys.devices })
      showToast(t(isOn ? 'alerts.switchedOn' : 'alerts.switchedOff'))
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.isLeaving) return
      showToast(t(error.code === 'vehicle_only' ? 'alerts.vehicleOnly' : error.status === 404 ? 'alerts.gone' : 'error.general'))
      void queries.invalidateQueries({ queryKey: alertsQuery().queryKey })
    },
  })
  const isOn = change.isPending ? change.variables : off_since === undefined
  return <Switch label={t('alerts.isOn', { name })} isOn={isOn} isBusy={change.isPending} onChange={change.mutate} />
}

function TriggerIcon({ trigger, rule, off_since }: Alert) {
  if (off_since !== undefined) return <IconBellOff size={22} />
  if (rule) {
    const RuleIcon = FIRING_ICONS[pickListed(RULE_KINDS, rule.kind, 'other')]
    return <RuleIcon size={22} />
  }
  if (trigger === null) return <IconCar size={22} />
  if (trigger === 'enter') return <IconLogin2 size={22} />
  return trigger === 'leave' ? <IconLogout2 size={22} /> : <IconBell size={22} />
}

const AlertIcon = ({ alert }: { alert: Alert }) => (
  <EntryDisc isOff={alert.off_since !== undefined}>
    <TriggerIcon {...alert} />
  </EntryDisc>
)

function DeleteAlertDialog({ alert: { id }, sentences, onClose }: { alert: Alert; sentences: string[]; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await alertsApi.remove({ params: { id } }).catch(ignoreGone)
    queries.setQueryData(alertsQuery().queryKey, (all) => all?.filter((alert) => alert.id !== id))
    // Deleting a vehicle alert changes the mode of its trackers.
    void queries.invalidateQueries({ queryKey: trackerKeys.devices })
    showToast(t('alerts.deleted'))
  }
  return (
    <ConfirmDialog isDanger title={t('alerts.deleteHeading')} action={t('action.delete')} onConfirm={remove} onClose={onClose}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  )
}

type SwitchProps = { label: string; isOn: boolean; isBusy?: boolean; onChange: (isOn: boolean) => void }

/** A switch that takes effect at once. */
const Switch = ({ label, isOn, isBusy = false, onChange }: SwitchProps) => (
  <label className={classes.switch} title={label}>
    <input
      type="checkbox"
      role="switch"
      aria-label={label}
      aria-busy={isBusy || undefined}
      aria-checked={isOn}
      checked={isOn}
      onChange={({ target }) => !isBusy && onChange(target.checked)}
    />
  </label>
)
