import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_LINK_DURATION_HOURS, MAX_PUBLIC_LINKS, TEXT_LENGTH, UNNAMED } from '#contracts/lib/constants.ts'
import type { PublicLink } from '#contracts/links.ts'
import type { LinkFault } from '#contracts/rules/link.ts'
import { clock } from '#web/lib/clock.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Choices } from '#web/ui/form/choices.tsx'
import { DateField } from '#web/ui/form/date-field.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { linkKeys, linksApi } from './links.queries.ts'
import { buildLinkRequest, DURATIONS, EXTENTS, type Extent, LinkForm, parseDurationHours } from './new-link.schema.ts'
import classes from './new-link-form.module.css'

type Props = { device: number; isFull?: boolean; onMade: (link: PublicLink) => void }

/** Needs the locale namespace `links`. */
export function NewLinkForm({ device: id, isFull = false, onMade }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const device = useQuery(devicesQuery()).data?.find((each) => each.id === id)
  const [duration, setDuration] = useState(`h${DEFAULT_LINK_DURATION_HOURS}`)
  const [extent, setExtent] = useState<Extent>('now')
  const [label, setLabel] = useState<string | null>(null)
  const [fault, setFault] = useState<LinkFault | null>(null)
  const refresh = () => queries.invalidateQueries({ queryKey: linkKeys.all })
  const reloadAndRethrow = (error: unknown) => {
    void refresh()
    throw error
  }
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: LinkForm,
    submit: async (values) => {
      const body = buildLinkRequest(values, clock.now(), device?.tracker_status.last_position?.datetime ?? null)
      if (typeof body === 'string') return setFault(body)
      setFault(null)
      const link = await confirmed((options) => linksApi.create({ params: { id }, body }, options)).catch(reloadAndRethrow)
      await refresh()
      onMade(link)
    },
    failure: ({ code }) => (code === 'too_many_links' ? t('links.tooMany', { n: MAX_PUBLIC_LINKS }) : undefined),
  })
  const words = (value: string) => {
    if (value === 'permanent') return t('links.permanent')
    const hours = parseDurationHours(value)
    if (hours === 0) return t('links.untilDate')
    return hours > 24 ? t('links.days', { count: hours / 24 }) : t('links.hours', { count: hours })
  }
  const suggested = [device?.name === UNNAMED ? '' : device?.name, parseDurationHours(duration) > 0 && words(duration)]
  const extents = { now: t('publicLinks.now'), today: t('publicLinks.today'), all: t('publicLinks.all') }
  const hints = { now: t('publicLinks.nowHint'), today: t('publicLinks.todayHint'), all: t('publicLinks.allHint') }
  return (
    <>
      <form
        {...form}
        onChange={(event) => {
          form.onChange(event)
          setFault(null)
        }}
        className={classes.form}
      >
        <FormAlert>{isFull ? t('links.tooMany', { n: MAX_PUBLIC_LINKS }) : fault ? t('links.endPast') : failure}</FormAlert>
        <div>
          <Choices
            legend={t('publicLinks.extent')}
            name="extent"
            value={extent}
            onChange={(value) => setExtent(EXTENTS.find((each) => each === value) ?? 'now')}
            choices={EXTENTS.map((value) => ({ value, label: extents[value] }))}
          />
          <p className={classes.hint} aria-live="polite">
            {hints[extent]}
          </p>
        </div>
        <Choices
          legend={t('links.duration')}
          name="duration"
          value={duration}
          onChange={setDuration}
          choices={DURATIONS.map((value) => ({ value, label: words(value) }))}
        />
        {duration === 'date' && <DateField {...field('end')} type="date" label={t('links.endDate')} required />}
        <TextField
          {...field('label')}
          label={t('links.label')}
          placeholder={t('links.labelExample')}
          maxLength={TEXT_LENGTH.linkLabel}
          value={label ?? suggested.filter(Boolean).join(', ').slice(0, TEXT_LENGTH.linkLabel)}
          onChange={({ target }) => setLabel(target.value)}
          required
        />
        <DialogFoot>
          <Button type="submit" h={44} loading={isBusy} disabled={isFull}>
            {t('links.create')}
          </Button>
        </DialogFoot>
        <UnsavedGuard isDirty={isDirty} />
      </form>
      {dialog}
    </>
  )
}
