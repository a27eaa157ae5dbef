import '@mantine/core/styles/Input.css'
import { Textarea, type TextareaProps } from '@mantine/core'
import classes from './fields.module.css'

export const TextAreaField = (props: TextareaProps) => (
  <Textarea
    size="md"
    rows={4}
    classNames={{ input: classes.input, label: classes.label, description: classes.description, required: classes.asterisk }}
    {...props}
  />
)
