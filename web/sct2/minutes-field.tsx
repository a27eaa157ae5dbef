import { useTranslation } from 'react-i18next'
import { TextField } from '#web/ui/form/fields.tsx'

type Props = {
  name: string
  label: string
  value: string
  range: readonly [number, number]
  isFault: boolean
  onChange: (value: string) => void
}

/** A text field, because the browser's number field returns an empty value for malformed input. */
export function MinutesField({ range: [min, max], isFault, onChange, ...field }: Props) {
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
