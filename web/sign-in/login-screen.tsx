import { useSearchParams } from 'react-router-dom'
import { NewPassword } from './new-password.tsx'
import { RequestReset } from './request-reset.tsx'
import { SignIn } from './sign-in.tsx'

/** Sign-in, and the two steps to a new password. It never leads on by itself, whoever is signed in (C-31). */
export default function LoginScreen() {
  const [query] = useSearchParams()
  const key = query.get('key')
  if (query.get('view') !== 'reset_password') return <SignIn next={query.get('next')} />
  return key ? <NewPassword key={key} resetKey={key} /> : <RequestReset />
}
