import '@mantine/core/styles/Input.css'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import classes from './fields.module.css'

/** A native select, which suits phones best. */
export const SelectField = (props: NativeSelectProps) => (
  <NativeSelect
    size="md"
    classNames={{ input: classes.input, label: classes.label, description: classes.description, required: classes.asterisk }}
    {...props}
  />
)
