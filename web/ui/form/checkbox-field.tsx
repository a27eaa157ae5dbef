import type { ComponentProps, ReactNode } from 'react'
import classes from './checkbox-field.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'children'> & { children: ReactNode; hint?: ReactNode }

export const CheckboxField = ({ children, hint, ...input }: Props) => (
  <label className={classes.tick}>
    <input type="checkbox" {...input} />
    <span>
      {children}
      {input.required && <b aria-hidden="true"> *</b>}
      {hint && <small>{hint}</small>}
    </span>
  </label>
)
