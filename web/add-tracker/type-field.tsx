import { useTranslation } from 'react-i18next'
import { DEVICE_TYPES } from '#contracts/lib/constants.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'

type Props = { name: string; error: string | undefined; 'aria-invalid': boolean }

/** Where it is asked for it is what comes next. */
const focus = (select: HTMLSelectElement | null) => select?.focus()

/** The model, for an identifier that does not tell it (D-38). */
export function TypeField(props: Props) {
  const { t } = useTranslation()
  const option = (type: (typeof DEVICE_TYPES)[number]) => ({
    value: type,
    // Models that share a name are told apart by their number.
    label: `${t(`types.${type}`)} ${/\d*$/.exec(type)?.[0]}`.trim(),
  })
  return (
    <SelectField
      {...props}
      ref={focus}
      label={t('tracker.type')}
      required
      data={[{ value: '', label: t('add.chooseModel') }, ...DEVICE_TYPES.map(option)]}
    />
  )
}
