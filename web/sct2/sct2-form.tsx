import { Button } from '@mantine/core'
import { IconBattery3 } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { batteryLife, parseWholeNumber, SCT2, type Sct2Candidate, sct2Faults } from '#contracts/rules/tracking/sct2.ts'
import { Sct2Params } from '#contracts/trackers/sct2.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { ChoiceCards } from '#web/ui/form/choices.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './sct2.module.css'
import { sct2Api, sct2ParamsQuery } from './sct2.queries.ts'

type TypedParams = { frequency: string; keepalive_period: string; temp_slice_duration: string }

export const toTypedParams = (params: Sct2Params): TypedParams => ({
  frequency: String(params.frequency),
  keepalive_period: String(params.keepalive_period),
  temp_slice_duration: String(params.temp_slice_duration),
})

/** Parses the fields strictly and adds the parameter that the form does not show. `params` is null if any field is invalid. */
export const parseTypedParams = (typed: TypedParams, known: Sct2Params): { params: Sct2Params | null; faults: (keyof Sct2Candidate)[] } => {
  const candidate = {
    frequency: parseWholeNumber(typed.frequency),
    keepalive_period: parseWholeNumber(typed.keepalive_period),
    temp_uplink_slices_duration: known.temp_uplink_slices_duration,
    temp_slice_duration: parseWholeNumber(typed.temp_slice_duration),
  }
  const faults = sct2Faults(candidate)
  return { params: faults.length === 0 ? (Sct2Params.safeParse(candidate).data ?? null) : null, faults }
}

export const hasSameParams = (one: Sct2Params, other: Sct2Params) =>
  one.frequency === other.frequency &&
  one.keepalive_period === other.keepalive_period &&
  one.temp_slice_duration === other.temp_slice_duration

type Props = { id: number; params: Sct2Params; mayChange: boolean }

/** Validates on each keystroke; only valid changes can be saved. */
export function Sct2Form({ id, params, mayChange }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [typed, setTyped] = useState(() => toTypedParams(params))
  const { params: read, faults } = parseTypedParams(typed, params)
  const isNew = read === null || !hasSameParams(read, params)
  const save = useMutation({
    mutationFn: (body: Sct2Params) => sct2Api.update({ params: { id }, query: { action: 'ui' }, body }),
    onSuccess(saved) {
      queries.setQueryData(sct2ParamsQuery(id).queryKey, saved)
      return queries.invalidateQueries({ queryKey: trackerKeys.devices })
    },
  })
  const minutes = (name: 'frequency' | 'keepalive_period') => ({
    name,
    value: typed[name],
    isFault: faults.includes(name),
    onChange: (value: string) => setTyped((before) => ({ ...before, [name]: value })),
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (read && isNew) save.mutate(read)
      }}
    >
      <fieldset className={classes.fields} disabled={!mayChange}>
        <FormAlert>{save.error instanceof ApiError && !save.error.isLeaving ? t('error.general') : null}</FormAlert>
        <MinutesField {...minutes('frequency')} label={t('settings.sct2.frequency')} range={SCT2.frequency} />
        <MinutesField {...minutes('keepalive_period')} label={t('settings.sct2.keepalive')} range={SCT2.keepalive} />
        <ChoiceCards
          legend={t('settings.sct2.temperature')}
          name="temp_slice_duration"
          value={typed.temp_slice_duration}
          onChange={(temp_slice_duration) => setTyped((before) => ({ ...before, temp_slice_duration }))}
          choices={[
            { value: String(SCT2.slice[0]), label: t('updates.everyHour') },
            { value: String(SCT2.slice[1]), label: t('settings.sct2.everyTwelveHours') },
          ]}
        />
        <BatteryLife frequency={parseWholeNumber(typed.frequency)} />
        <Button type="submit" size="md" h={48} loading={save.isPending} disabled={read === null || !isNew || !mayChange}>
          {t('action.save')}
        </Button>
      </fieldset>
      <UnsavedGuard isDirty={isNew} />
    </form>
  )
}

type MinutesFieldProps = {
  name: string
  label: string
  value: string
  range: readonly [number, number]
  isFault: boolean
  onChange: (value: string) => void
}

/** A text field, because the browser's number field returns an empty value for malformed input. */
function MinutesField({ range: [min, max], isFault, onChange, ...field }: MinutesFieldProps) {
  const { t } = useTranslation()
  return (
    <TextField
      {...field}
      inputMode="numeric"
      autoComplete="off"
      required
      description={t('settings.sct2.range', { min, max })}
      error={isFault && t('settings.sct2.fault', { min, max })}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** Estimated battery life in months; empty for a frequency that is not allowed. */
function BatteryLife({ frequency }: { frequency: number | null }) {
  const { t } = useTranslation()
  const life = frequency === null ? null : batteryLife(frequency)
  return (
    <output className={classes.life}>
      {life && (
        <>
          <IconBattery3 size={22} aria-hidden="true" />
          <span>
            <small>{t('settings.sct2.life')}</small>
            <strong>{t('settings.sct2.months', { min: life.min, count: life.max })}</strong>
          </span>
        </>
      )}
    </output>
  )
}
