import { useSearchParams } from 'react-router-dom'
import { lazy } from '#web/lib/chunk.ts'
import { SignIn } from './sign-in.tsx'

const ResetPassword = lazy(() => import('./reset-password.tsx'))

/** Sign-in and password reset. Never redirects by itself, even with a session. */
export default function LoginScreen() {
  const [query] = useSearchParams()
  if (query.get('view') !== 'reset_password') return <SignIn next={query.get('next')} />
  return <ResetPassword resetKey={query.get('key')} />
}
