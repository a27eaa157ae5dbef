import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_LINK_DURATION_HOURS, TEXT_LENGTH } from '#contracts/lib/constants.ts'
import type { LinkFault } from '#contracts/rules/link.ts'
import { clock, useNow } from '#web/lib/clock.ts'
import { showToast } from '#web/lib/toasts.ts'
import { trackerState } from '#web/trackers/state.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { Choices } from '#web/ui/form/choices.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { linkKeys, linksApi } from './links.queries.ts'
import { buildLinkRequest, DURATIONS, LinkForm, parseDurationHours } from './new-link.schema.ts'
import classes from './new-link-form.module.css'

type Props = { device: number; isFull?: boolean; onMade?: (uuid: string) => void }

/** Needs the locale namespace `links`. */
export function NewLinkForm({ device, isFull = false, onMade }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [duration, setDuration] = useState(`h${DEFAULT_LINK_DURATION_HOURS}`)
  const [isPermanent, setPermanent] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const [isLast, setLast] = useState(false)
  const [start, setStart] = useState('')
  const [fault, setFault] = useState<LinkFault | null>(null)
  const refresh = () => queries.invalidateQueries({ queryKey: linkKeys.all })
  const reloadAndRethrow = (error: unknown) => {
    void refresh()
    throw error
  }
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: LinkForm,
    submit: async (values) => {
      const body = buildLinkRequest(values, clock.now())
      if (typeof body === 'string') return setFault(body)
      setFault(null)
      const { uuid } = await linksApi.create({ params: { id: device }, body }).catch(reloadAndRethrow)
      showToast(t('publicLinks.created'))
      await refresh()
      onMade?.(uuid)
    },
    failure: ({ code }) => (code === 'too_many_links' ? t('links.tooMany') : undefined),
  })
  const words = (value: string) => {
    const hours = parseDurationHours(value)
    if (hours === 0) return t('links.untilDate')
    return hours > 24 ? t('links.days', { count: hours / 24 }) : t('links.hours', { count: hours })
  }
  const problem = fault && (fault === 'before_start' ? t('publicLinks.endBeforeStart') : t('links.endPast'))
  return (
    <form
      {...form}
      onChange={(event) => {
        form.onChange(event)
        setFault(null)
      }}
      className={classes.form}
    >
      <FormAlert>{isFull ? t('links.tooMany') : (problem ?? failure)}</FormAlert>
      <TextField
        {...field('label')}
        label={t('links.label')}
        placeholder={t('links.labelExample')}
        maxLength={TEXT_LENGTH.linkLabel}
        required
      />
      <Choices
        legend={t('links.duration')}
        name="duration"
        value={duration}
        onChange={setDuration}
        isDisabled={isPermanent}
        choices={DURATIONS.map((value) => ({ value, label: words(value) }))}
      />
      {duration === 'date' && !isPermanent && <TextField {...field('end')} type="date" label={t('links.endDate')} required />}
      <TextField
        {...field('start')}
        type="date"
        label={t('publicLinks.start')}
        description={t('publicLinks.startHint')}
        disabled={isWhole}
        onChange={({ target }) => setStart(target.value)}
      />
      <div>
        <CheckboxField name="permanent" onChange={({ target }) => setPermanent(target.checked)}>
          {t('links.permanent')}
        </CheckboxField>
        <CheckboxField name="from_beginning" onChange={({ target }) => setWhole(target.checked)}>
          {t('links.fromBeginning')}
        </CheckboxField>
        <CheckboxField name="last_point" checked={isLast} onChange={({ target }) => setLast(target.checked)}>
          {t('links.lastPoint')}
        </CheckboxField>
      </div>
      {!isWhole && !isLast && !start && <RestingNote device={device} onShow={() => setLast(true)} />}
      <DialogFoot>
        <Button type="submit" h={44} loading={isBusy} disabled={isFull}>
          {t('links.create')}
        </Button>
      </DialogFoot>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}

/** Warns that a link to a resting tracker shows no position for hours, because links start now. */
function RestingNote({ device: id, onShow }: { device: number; onShow: () => void }) {
  const { t } = useTranslation()
  const now = useNow()
  const device = useQuery(devicesQuery()).data?.find((each) => each.id === id)
  if (!device || ['moving', 'lost', 'unplaced'].includes(trackerState(device, now))) return null
  return (
    <p className={classes.resting}>
      {t('publicLinks.resting')}
      <button type="button" onClick={onShow}>
        {t('publicLinks.showLast')}
      </button>
    </p>
  )
}
