import { useSearchParams } from 'react-router-dom'
import { NewPassword, RequestReset } from './reset-password.tsx'
import { SignIn } from './sign-in.tsx'

/** Sign-in and password reset. Never redirects by itself, even with a session. */
export default function LoginScreen() {
  const [query] = useSearchParams()
  const key = query.get('key')
  if (query.get('view') !== 'reset_password') return <SignIn next={query.get('next')} />
  return key ? <NewPassword key={key} resetKey={key} /> : <RequestReset />
}
