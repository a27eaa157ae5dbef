import { UNNAMED } from '#contracts/lib/unknown-values.ts'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/PasswordInput.css'
import '@mantine/core/styles/ActionIcon.css'
import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './fields.module.css'

const look = {
  size: 'md',
  classNames: { input: classes.input, label: classes.label, description: classes.description, required: classes.asterisk },
} as const

/** A missing name starts empty, so that its placeholder is never saved. */
export const TextField = ({ defaultValue, ...props }: TextInputProps) => (
  <TextInput {...look} {...props} {...(defaultValue !== undefined && { defaultValue: defaultValue === UNNAMED ? '' : defaultValue })} />
)

/** An e-mail address or user name. Not of type email, whose value browsers change while it is typed. */
export const AddressField = (props: TextInputProps) => <TextField inputMode="email" autoCapitalize="none" spellCheck={false} {...props} />

export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <PasswordInput
      {...look}
      classNames={{ ...look.classNames, innerInput: classes.inner, visibilityToggle: classes.toggle }}
      rightSectionWidth={46}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleIcon={({ reveal }) => (reveal ? <IconEyeOff size={20} /> : <IconEye size={20} />)}
      visibilityToggleButtonProps={{
        'aria-label': isShown ? t('form.hidePassword') : t('form.showPassword'),
        'aria-hidden': false,
        tabIndex: 0,
      }}
      {...props}
    />
  )
}

export const RequiredLegend = () => <p className={classes.legend}>{useTranslation().t('form.required')}</p>
