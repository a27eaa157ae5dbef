import type { TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { TextField } from './fields.tsx'

type Props = Omit<TextInputProps, 'type' | 'description' | 'onChange' | 'value' | 'defaultValue'> & {
  type: 'date' | 'datetime-local'
  defaultValue?: string
}

/**
 * A native field, with the wheels of a phone and the calendar of a desktop. Browsers format its digits in the order of their own language,
 * so the chosen date is also written out in the page's language.
 */
export function DateField({ defaultValue = '', ...props }: Props) {
  const formats = useFormats()
  const [value, setValue] = useState(defaultValue)
  const isDay = props.type === 'date'
  // Without a time the date would be in UTC.
  const at = new Date(isDay ? `${value}T12:00` : value)
  const words = Number.isNaN(at.getTime()) ? '' : isDay ? formats.date(at) : formats.dateTime(at)
  return (
    <TextField
      {...props}
      defaultValue={defaultValue}
      onChange={({ target }) => setValue(target.value)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={words || undefined}
    />
  )
}
