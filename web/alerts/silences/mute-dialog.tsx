import { IconChevronDown } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { SILENCES } from '#contracts/accounts/silences.ts'
import { FIRING_KINDS, type FiringKind } from '#contracts/firings.ts'
import { parseId } from '#contracts/lib/common.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { parseRole } from '#contracts/rules/user.ts'
import { clock } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import disclosure from '#web/ui/disclosure.module.css'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { ChoiceCards } from '#web/ui/form/choices.tsx'
import { DateField } from '#web/ui/form/date-field.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { ENDS, type End, findEnd, useAccountZone, useWhen } from './ends.ts'
import classes from './silences.module.css'
import { silencesApi, silencesQuery } from './silences.queries.ts'

const Form = z.object({
  end: z.enum(ENDS),
  until: z.optional(z.string()),
  note: z.optional(z.string()),
  everyone: z._default(z.boolean(), false),
})

/** What the dialog begins with. */
export type ProposedSilence = { tracker?: string; kind?: FiringKind }

/** Mutes alerts until an instant: of one tracker, or of one that is chosen, or of all. */
export function MuteDialog({ device, about, onClose }: { device?: number; about: ProposedSilence; onClose: () => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const when = useWhen()
  const queries = useQueryClient()
  const [now] = useState(() => clock.now())
  const [end, setEnd] = useState<End>('hour')
  const zone = useAccountZone()
  const [place, setPlace] = useState('')
  const [kinds, setKinds] = useState(() => FIRING_KINDS.filter((kind) => kind === about.kind))
  const places = useQuery({ ...placesQuery(), enabled: useFeature('places') }).data ?? []
  const [chosen, setChosen] = useState(device === undefined ? (about.tracker ?? '') : String(device))
  const devices = useQuery(devicesQuery()).data ?? []
  const isMember = parseRole(useQuery(sessionQuery()).data?.role ?? 'user') === 'pro'
  const form = useForm({
    schema: Form,
    async submit({ end, until, note, everyone }) {
      const instant = end === 'date' ? new Date(until ?? '') : findEnd(end, clock.now(), zone)
      const about = {
        ...(chosen !== '' && { devices: [parseId(chosen)] }),
        ...(place !== '' && { place: parseId(place) }),
        kinds,
        ...(note && { note }),
        everyone,
      }
      const body = { ...about, until: toInstant(instant) }
      const { until: saved } = await silencesApi.create({ body })
      await queries.invalidateQueries(silencesQuery())
      showToast(t('silence.muted', { when: when(saved) }))
      onClose()
    },
    words: { until: t('silence.past') },
    failure: ({ code }) => (code === 'limit_reached' ? t('silence.full', { n: SILENCES.running }) : undefined),
  })
  const choices = ENDS.flatMap((value) => {
    const at = value === 'date' ? undefined : findEnd(value, now, zone)
    if (at === null) return []
    const hint = at && (value === 'hour' ? formats.time(at.toISOString()) : when(at.toISOString()))
    return [{ value, label: t(`silence.ends.${value}`), ...(hint && { hint }) }]
  })
  return (
    <FormDialog title={t('silence.title')} lead={t('silence.lead')} of={form} action={t('silence.create')} onClose={onClose}>
      {device === undefined && (
        <SelectField
          label={t('fired.tracker')}
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
          data={[{ value: '', label: t('fired.allTrackers') }, ...devices.map(({ id, name }) => ({ value: String(id), label: name }))]}
        />
      )}
      {/* A proposed kind is shown without scrolling; the others are below. */}
      {about.kind && <KindChoice offered={[about.kind]} value={kinds} onChange={setKinds} />}
      <ChoiceCards legend={t('silence.until')} name="end" choices={choices} value={end} onChange={(value) => setEnd(value as End)} />
      {end === 'date' && (
        <div ref={reveal}>
          <DateField {...form.field('until')} type="datetime-local" required label={t('silence.date')} />
        </div>
      )}
      {zone !== Intl.DateTimeFormat().resolvedOptions().timeZone && (
        <p className={classes.zone}>{t('silence.zone', { zone: zone.replaceAll('_', ' ') })}</p>
      )}
      <details className={disclosure.disclosure}>
        <summary>
          {t('silence.more')}
          <IconChevronDown size={16} aria-hidden="true" />
        </summary>
        <div className={classes.more}>
          {places.length > 0 && (
            <SelectField
              label={t('fired.place')}
              value={place}
              onChange={({ target }) => setPlace(target.value)}
              data={[{ value: '', label: t('fired.allPlaces') }, ...places.map(({ id, name }) => ({ value: String(id), label: name }))]}
            />
          )}
          <KindChoice offered={FIRING_KINDS.filter((kind) => kind !== about.kind)} value={kinds} onChange={setKinds} />
          <TextField {...form.field('note')} label={t('silence.note')} maxLength={TEXT_LENGTH.silenceNote} />
        </div>
      </details>
      {!(isMember && chosen === '') && (
        <CheckboxField name="everyone" hint={t('silence.everyoneHint')}>
          {t('silence.everyone')}
        </CheckboxField>
      )}
    </FormDialog>
  )
}

/** In the middle of the dialog, because the buttons at its end cover what is only just in view. */
const reveal = (field: Element | null) => void field?.scrollIntoView({ block: 'center' })

type KindChoiceProps = { offered: readonly FiringKind[]; value: readonly FiringKind[]; onChange: (kinds: FiringKind[]) => void }

/** Chooses among the offered kinds, and keeps the others as they are. */
function KindChoice({ offered, value, onChange }: KindChoiceProps) {
  const { t } = useTranslation()
  const isOffered = (kind: FiringKind) => offered.includes(kind)
  return (
    <MultiChoice
      name="kinds"
      legend={t('fired.kind')}
      options={offered.map((kind) => ({ id: FIRING_KINDS.indexOf(kind), label: t(`fired.kinds.${kind}`) }))}
      value={value.filter(isOffered).map((kind) => FIRING_KINDS.indexOf(kind))}
      onChange={(ids) => onChange(FIRING_KINDS.filter((kind, id) => (isOffered(kind) ? ids.includes(id) : value.includes(kind))))}
    />
  )
}

/** The server names what is wrong with an instant; text that is no date is sent as it is. */
const toInstant = (at: Date | null) => (at && !Number.isNaN(at.getTime()) ? at.toISOString() : '')
