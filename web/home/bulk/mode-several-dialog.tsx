import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { modeWords } from '#web/lib/i18n/words.ts'
import { showToast } from '#web/lib/toasts.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { devicesApi, updateCachedDevices } from '#web/trackers/trackers.queries.tsx'
import { Choices } from '#web/ui/form/choices.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import classes from './bulk-bar.module.css'
import { changeSeveral, namesOf } from './change-several.ts'
import { listModes, planModes, SKIP_REASONS, undoModes } from './plan-modes.ts'

type Props = { devices: readonly Device[]; onClose: () => void }

/** Requests one mode for several trackers: says before which change, and afterwards which did not. */
export default function ModeSeveralDialog({ devices: ticked, onClose }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const role = useQuery(sessionQuery()).data?.role ?? 'user'
  // The trackers as they were when the dialog was opened, so that the result does not change while they answer.
  const [devices] = useState(ticked)
  const [name, setName] = useState<string | null>(null)
  const plan = name === null ? null : planModes(devices, name, role, now)
  const setModes = useSetModes()
  const change = useMutation({
    async mutationFn(changes: NonNullable<typeof plan>['changes']) {
      const failed = await setModes(changes)
      return { failed, done: changes.filter(({ device }) => !failed.includes(device)) }
    },
  })
  const undo = async () => {
    if (!change.data) return
    onClose()
    const failed = await setModes(undoModes(change.data.done))
    showToast(failed.length > 0 ? t('list.bulk.failed', { names: namesOf(failed, formats.number) }) : t('list.bulk.undone'))
  }
  if (change.data)
    return (
      <Dialog title={t('mode.label')} onClose={onClose}>
        <div className={classes.result} role="status">
          <p>{t('list.bulk.requested', { number: formats.number(change.data.done.length) })}</p>
          {change.data.failed.length > 0 && <p>{t('list.bulk.failed', { names: namesOf(change.data.failed, formats.number) })}</p>}
        </div>
        <DialogFoot>
          {change.data.done.length > 0 && (
            <Button variant="default" h={44} onClick={() => void undo()}>
              {t('action.undo')}
            </Button>
          )}
          <Button h={44} onClick={onClose}>
            {t('action.close')}
          </Button>
        </DialogFoot>
      </Dialog>
    )
  return (
    <Dialog title={t('mode.label')} lead={t('list.bulk.modeLead')} onClose={onClose}>
      <Choices
        isList
        legend={t('mode.label')}
        name="mode"
        {...(name !== null && { value: name })}
        onChange={setName}
        choices={listModes(devices).map(({ name, code }) => {
          const label = modeLabel(code)
          return { value: name, label: modeWords(t, label.kind === 'level' ? { ...label, variant: 'none' } : label) }
        })}
      />
      {plan && (
        <div className={classes.result} aria-live="polite">
          <p>
            <b>{t('list.bulk.willChange', { number: formats.number(plan.changes.length) })}</b>{' '}
            {namesOf(
              plan.changes.map(({ device }) => device),
              formats.number,
            )}
          </p>
          {SKIP_REASONS.map((reason) => {
            const left = plan.skipped.filter((one) => one.reason === reason).map(({ device }) => device)
            return (
              left.length > 0 && (
                <p key={reason}>
                  {t(`list.bulk.skip.${reason}`)}: {namesOf(left, formats.number)}
                </p>
              )
            )
          })}
        </div>
      )}
      <DialogFoot>
        <Button
          h={44}
          loading={change.isPending}
          disabled={!plan || plan.changes.length === 0}
          onClick={() => plan && change.mutate(plan.changes)}
        >
          {t('list.bulk.useMode')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function useSetModes() {
  const queries = useQueryClient()
  return (changes: readonly { device: Device; code: number }[]) =>
    changeSeveral(changes, async ({ device: { id }, code }) => {
      const tracker_config = await devicesApi.setMode({ params: { id }, body: { mode: code } })
      updateCachedDevices(queries, new Map([[id, { tracker_config }]]))
    })
}
