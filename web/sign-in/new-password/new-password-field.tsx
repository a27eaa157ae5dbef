import { type ComponentProps, Suspense, useState } from 'react'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { PasswordField } from '#web/ui/form/fields.tsx'
import classes from './password-strength.module.css'

/** The sign-in page shares a chunk with the password reset, and its size budget is used up. */
const PasswordStrength = lazy(async () => (await Promise.all([import('./password-strength.tsx'), loadWords(['account'])]))[0])

/** As high as the line, or a button below would move away from the pointer when it comes. */
const SPACE = (
  <div className={classes.strength}>
    <span className={classes.bar}>
      <i />
    </span>
    <span>&nbsp;</span>
  </div>
)

/** A field for a new password, with a line below that rates its strength. */
export function NewPasswordField(props: ComponentProps<typeof PasswordField>) {
  const [password, setPassword] = useState('')
  return (
    <div>
      <PasswordField {...props} autoComplete="new-password" onChange={({ currentTarget }) => setPassword(currentTarget.value)} />
      {password && (
        <Suspense fallback={SPACE}>
          <PasswordStrength password={password} />
        </Suspense>
      )}
    </div>
  )
}
