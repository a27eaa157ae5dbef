import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SCT2 } from '#contracts/lib/constants.ts'
import { parseWholeNumber } from '#contracts/rules/sct2.ts'
import type { Sct2Params } from '#contracts/sct2.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { ChoiceCards } from '#web/ui/form/choice-cards.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { BatteryLife } from './battery-life.tsx'
import { MinutesField } from './minutes-field.tsx'
import { calls } from './sct2.calls.ts'
import classes from './sct2.module.css'
import { paramsQuery } from './sct2.queries.ts'
import { isSame, readTyped, type Typed, typedOf } from './typed-params.ts'

type Props = { id: number; params: Sct2Params | undefined; mayChange: boolean }

/** Shown until the parameters are loaded. */
const BLANK: Typed = { frequency: '', keepalive_period: '', temp_slice_duration: '' }

/** Validates on each keystroke; only valid changes can be saved. */
export function Sct2Form({ id, params, mayChange }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [typed, setTyped] = useState(() => (params ? typedOf(params) : BLANK))
  const { params: read, faults } = params ? readTyped(typed, params) : { params: null, faults: [] }
  const isNew = params !== undefined && (read === null || !isSame(read, params))
  const save = useMutation({
    mutationFn: (body: Sct2Params) => calls.update({ params: { id }, query: { action: 'ui' }, body }),
    onSuccess(saved) {
      queries.setQueryData(paramsQuery(id).queryKey, saved)
      return queries.invalidateQueries({ queryKey: devicesQuery().queryKey })
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
      <fieldset className={classes.fields} disabled={!mayChange || !params}>
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
