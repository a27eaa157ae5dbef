import '@mantine/core/styles/Input.css'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import classes from './fields.module.css'

/** One of a few, in the browser's own list: at home on a phone. */
export const SelectField = (props: NativeSelectProps) => (
  <NativeSelect size="md" classNames={{ input: classes.input, label: classes.label, required: classes.asterisk }} {...props} />
)
