import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { DEVICE_TYPES, TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { KindChoice } from '#web/trackers/parts/kind-choice.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './add-tracker.module.css'
import { NumberField, type NumberKind } from './number-field.tsx'
import { formatTypedIdentifier } from './typed-identifier.ts'
import { useAddTracker } from './use-add-tracker.ts'

/** Asks for the model only when the server cannot tell it from the identifier. */
export function AddForm() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const [by, setBy] = useState<NumberKind>('identifier')
  const { form, field, isBusy, isDirty, failure, asksType, isTaken } = useAddTracker()
  return (
    <form {...form} className={classes.form}>
      <FormAlert>{failure}</FormAlert>
      {isTaken && (
        <Link to="/conflicting" className={classes.conflict}>
          {t('add.isYours')}
          <IconArrowRight size={18} aria-hidden="true" />
        </Link>
      )}
      <NumberField by={by} onBy={setBy} field={field} defaultValue={formatTypedIdentifier(params.get('identifier') ?? '')} />
      {asksType && <TypeField {...field('type')} />}
      <TextField {...field('name')} label={t('trackers.name')} required maxLength={TEXT_LENGTH.deviceName} autoComplete="off" />
      <KindChoice {...field('kind')} legend={t('add.kind')} />
      <RequiredLegend />
      <Button type="submit" size="md" h={48} loading={isBusy}>
        {t('add.submit')}
      </Button>
      <UnsavedGuard isDirty={isDirty && !isTaken} />
    </form>
  )
}

type Props = { name: string; error: string | undefined; 'aria-invalid': boolean }

const focusOnMount = (select: HTMLSelectElement | null) => select?.focus()

function TypeField(props: Props) {
  const { t } = useTranslation()
  const option = (type: (typeof DEVICE_TYPES)[number]) => ({
    value: type,
    // Models with the same name are distinguished by their number.
    label: `${t(`types.${type}`)} ${/\d*$/.exec(type)?.[0]}`.trim(),
  })
  return (
    <SelectField
      {...props}
      ref={focusOnMount}
      label={t('tracker.type')}
      required
      data={[{ value: '', label: t('add.chooseModel') }, ...DEVICE_TYPES.map(option)]}
    />
  )
}
