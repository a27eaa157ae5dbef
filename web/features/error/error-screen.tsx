import { useLocation, useNavigate } from 'react-router-dom'
import { forgetFailures } from '#web/lib/retry.ts'
import { ServerError } from '#web/ui/server-error.tsx'

/** Where a call without an answer leads. It calls nothing itself, so it cannot loop. */
export default function ErrorScreen() {
  const navigate = useNavigate()
  const { key } = useLocation()
  const isFirstPage = key === 'default'
  const retry = () => {
    forgetFailures()
    void (isFirstPage ? navigate('/', { replace: true }) : navigate(-1))
  }
  return <ServerError retry={retry} />
}
