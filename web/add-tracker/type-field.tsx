import { useTranslation } from 'react-i18next'
import { DEVICE_TYPES } from '#contracts/rules/tracking/tracker.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'

type Props = { name: string; error: string | undefined; 'aria-invalid': boolean }

const focusOnMount = (select: HTMLSelectElement | null) => select?.focus()

/** Asks for the model, which some identifiers do not determine. */
export function TypeField(props: Props) {
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
