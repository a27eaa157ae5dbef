import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { parseId } from '#contracts/lib/common.ts'
import { UNNAMED } from '#contracts/lib/unknown-values.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import type { PublicLink } from '#contracts/links.ts'
import { computeLinkDates, LINK_DURATION_HOURS, type LinkFault, MAX_PUBLIC_LINKS } from '#contracts/rules/link.ts'
import { Phone, Text } from '#contracts/rules/reading/text-fields.ts'
import { HOUR_MS, type Instant, millis } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { clock } from '#web/lib/clock.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { placesQuery } from '#web/places/places.queries.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Choices } from '#web/ui/form/choices.tsx'
import { DateField } from '#web/ui/form/date-field.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { createLink, refreshLinks } from './links.queries.ts'
import classes from './new-link-form.module.css'

const DEFAULT_LINK_DURATION_HOURS = 24

/** `h` with a number of hours, `date`, or `permanent`. */
export const DURATIONS = [...LINK_DURATION_HOURS.map((hours) => `h${hours}`), 'date', 'permanent']

export const parseDurationHours = (duration: string) => Number(/^h(\d+)$/.exec(duration)?.[1] ?? 0)

/** What visitors see: the tracker's current position, also its track since midnight, or all of its track. */
const EXTENTS = ['now', 'today', 'all'] as const
type Extent = (typeof EXTENTS)[number]

const LinkForm = z.object({
  label: Text(1, TEXT_LENGTH.linkLabel),
  duration: z.string(),
  end: z.optional(z.string()),
  extent: z.enum(EXTENTS),
  /** Id of a place; empty for none. */
  destination: z.optional(z.string()),
  shared_by: z.optional(z.string()),
  phone: z.optional(Phone),
  note: z.optional(z.string()),
})

/**
 * Returns the request body, or the reason why the end date is invalid. A link covers its whole last day. A link of today's track starts at
 * the last fix if that is older than today, so that visitors see the tracker's position at once.
 */
export const buildLinkRequest = (form: z.output<typeof LinkForm>, now: Date, lastFix: Instant | null) => {
  const { label, duration, end, extent, destination, shared_by, phone, note } = form
  // The last position of a resting tracker predates the link, so sharing only that position requires `from_beginning`.
  const common = {
    label,
    permanent: duration === 'permanent',
    from_beginning: extent !== 'today',
    last_point: extent === 'now',
    ...(extent === 'today' && { start_date: startOfTrack(now, lastFix) }),
    ...(destination && { destination: parseId(destination) }),
    ...(shared_by && { shared_by }),
    ...(phone && { phone }),
    ...(note && { note }),
  }
  if (common.permanent) return common
  const endsAt = duration === 'date' ? new Date(`${end}T23:59:59`) : new Date(now.getTime() + parseDurationHours(duration) * HOUR_MS)
  if (Number.isNaN(endsAt.getTime())) return 'required'
  const request = { ...common, end_date: endsAt.toISOString() }
  const dates = computeLinkDates(request, now)
  return typeof dates === 'string' ? dates : request
}

function startOfTrack(now: Date, lastFix: Instant | null) {
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  return new Date(Math.min(midnight.getTime(), lastFix === null ? Infinity : millis(lastFix))).toISOString()
}

type Props = {
  devices: readonly number[]
  /** A common name of the trackers, such as their tag; their names by default. */
  name?: string | undefined
  isFull?: boolean
  onMade: (link: PublicLink) => void
}

/** The form of a link for one tracker or several. Needs the locale part `trackers`. */
export function NewLinkForm({ devices: ids, name, isFull = false, onMade }: Props) {
  const { t, i18n } = useTranslation()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const all = useQuery(devicesQuery()).data
  const devices = ids.flatMap((id) => all?.find((each) => each.id === id) ?? [])
  const isSeveral = ids.length > 1
  const hasDestinations = useFeature('linkDestination')
  const hasAnswer = useFeature('linkAnswer')
  const places = useQuery({ ...placesQuery(), enabled: hasDestinations }).data ?? []
  const [duration, setDuration] = useState(`h${DEFAULT_LINK_DURATION_HOURS}`)
  const [extent, setExtent] = useState<Extent>('now')
  const [destination, setDestination] = useState('')
  const [label, setLabel] = useState<string | null>(null)
  const [fault, setFault] = useState<LinkFault | null>(null)
  const refresh = () => refreshLinks(queries, ids)
  const reloadAndRethrow = (error: unknown) => {
    void refresh()
    throw error
  }
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: LinkForm,
    submit: async (values) => {
      const body = buildLinkRequest(values, clock.now(), findOldestFix(devices))
      if (typeof body === 'string') return setFault(body)
      setFault(null)
      const link = await confirmed((options) => createLink(ids, body, options)).catch(reloadAndRethrow)
      await refresh()
      onMade(link)
    },
    failure: ({ code, extras, fields }) => {
      if (fields.devices) return t('publicLinks.gone')
      if (code !== 'too_many_links') return undefined
      const full = devices.filter(({ id }) => Array.isArray(extras.devices) && extras.devices.includes(id))
      if (full.length === 0) return t('links.tooMany', { n: MAX_PUBLIC_LINKS })
      return t('publicLinks.full', {
        n: MAX_PUBLIC_LINKS,
        names: new Intl.ListFormat(i18n.language).format(full.map((device) => device.name)),
      })
    },
  })
  const words = (value: string) => {
    if (value === 'permanent') return t('links.permanent')
    const hours = parseDurationHours(value)
    if (hours === 0) return t('links.untilDate')
    return hours > 24 ? t('links.days', { count: hours / 24 }) : t('links.hours', { count: hours })
  }
  const own = isSeveral ? t('publicLinks.trackers', { count: devices.length }) : devices[0]?.name
  const suggested = [name ?? (own === UNNAMED ? '' : own), parseDurationHours(duration) > 0 && words(duration)]
  const extents = { now: t('publicLinks.now'), today: t('publicLinks.today'), all: t('publicLinks.all') }
  const hints = isSeveral
    ? { now: t('publicLinks.nowHintSeveral'), today: t('publicLinks.todayHintSeveral'), all: t('publicLinks.allHintSeveral') }
    : { now: t('publicLinks.nowHint'), today: t('publicLinks.todayHint'), all: t('publicLinks.allHint') }
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
        {places.length > 0 && (
          <div>
            <SelectField
              {...field('destination')}
              label={t('publicLinks.destination')}
              value={destination}
              onChange={({ target }) => setDestination(target.value)}
              data={[
                { value: '', label: t('publicLinks.noDestination') },
                ...places.map((place) => ({ value: String(place.id), label: place.name })),
              ]}
            />
            <p className={classes.hint} aria-live="polite" hidden={!destination}>
              {t('publicLinks.destinationHint')}
            </p>
          </div>
        )}
        <TextField
          {...field('label')}
          label={t('links.label')}
          placeholder={t('links.labelExample')}
          maxLength={TEXT_LENGTH.linkLabel}
          value={label ?? suggested.filter(Boolean).join(', ').slice(0, TEXT_LENGTH.linkLabel)}
          onChange={({ target }) => setLabel(target.value)}
          required
        />
        {hasAnswer && (
          <details className={classes.answer}>
            <summary>{t('publicLinks.answer')}</summary>
            <TextField
              {...field('shared_by')}
              label={t('publicLinks.sharedBy')}
              autoComplete="given-name"
              maxLength={TEXT_LENGTH.personName}
            />
            <TextField {...field('phone')} type="tel" label={t('publicLinks.phone')} autoComplete="tel" maxLength={TEXT_LENGTH.phone} />
            <TextField
              {...field('note')}
              label={t('publicLinks.note')}
              placeholder={t('publicLinks.noteExample')}
              maxLength={TEXT_LENGTH.linkNote}
            />
          </details>
        )}
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

/** The oldest of the last fixes: a link from then shows every tracker where it was last seen. */
const findOldestFix = (devices: readonly Device[]) => {
  const fixes = devices.flatMap(({ tracker_status }) => tracker_status.last_position?.datetime ?? [])
  return fixes.toSorted((a, b) => millis(a) - millis(b))[0] ?? null
}
