import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_LINK_DURATION_HOURS, TEXT_LENGTH } from '#contracts/constants.ts'
import { client } from '#web/lib/client.ts'
import { clock } from '#web/lib/clock.ts'
import { TextField } from '#web/ui/fields.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { Choices } from './choices.tsx'
import { linksQuery } from './links-query.ts'
import { DURATIONS, hoursOf, LinkForm, linkRequest } from './new-link.ts'
import classes from './share-dialog.module.css'

/** A name, an end, and how much it shows. */
export function NewLinkForm({ device }: { device: number }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [duration, setDuration] = useState(`h${DEFAULT_LINK_DURATION_HOURS}`)
  const [isPast, setPast] = useState(false)
  const { form, field, isBusy, failure } = useForm({
    schema: LinkForm,
    submit: async (values) => {
      const body = linkRequest(values, clock.now())
      setPast(body === null)
      if (!body) return
      await client.links.create({ params: { id: device }, body })
      await queries.invalidateQueries({ queryKey: linksQuery(device).queryKey })
    },
    failure: ({ code }) => (code === 'too_many_links' ? t('links.tooMany') : undefined),
  })
  const words = (value: string) => {
    const hours = hoursOf(value)
    if (hours === 0) return value === 'date' ? t('links.untilDate') : t('links.permanent')
    return hours > 24 ? t('links.days', { count: hours / 24 }) : t('links.hours', { count: hours })
  }
  return (
    <form {...form} className={classes.form}>
      <FormAlert>{isPast ? t('links.endPast') : failure}</FormAlert>
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
        choices={DURATIONS.map((value) => ({ value, label: words(value) }))}
      />
      {duration === 'date' && <TextField {...field('end')} type="date" label={t('links.endDate')} required />}
      <Tick name="from_beginning">{t('links.fromBeginning')}</Tick>
      <Tick name="last_point">{t('links.lastPoint')}</Tick>
      <Button type="submit" h={44} loading={isBusy}>
        {t('links.create')}
      </Button>
    </form>
  )
}

const Tick = ({ name, children }: { name: string; children: ReactNode }) => (
  <label className={classes.tick}>
    <input type="checkbox" name={name} />
    {children}
  </label>
)
