import { type ComponentProps, Suspense, useState } from 'react'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { PasswordField } from '#web/ui/form/fields.tsx'

/** The sign-in page shares a chunk with the password reset, and its size budget is used up. */
const PasswordStrength = lazy(async () => (await Promise.all([import('./password-strength.tsx'), loadWords(['account'])]))[0])

/** A field for a new password, with a line below that rates its strength. */
export function NewPasswordField(props: ComponentProps<typeof PasswordField>) {
  const [password, setPassword] = useState('')
  return (
    <div>
      <PasswordField {...props} autoComplete="new-password" onChange={({ currentTarget }) => setPassword(currentTarget.value)} />
      {password && (
        <Suspense>
          <PasswordStrength password={password} />
        </Suspense>
      )}
    </div>
  )
}
