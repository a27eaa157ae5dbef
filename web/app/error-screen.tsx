import { useLocation, useNavigate } from 'react-router-dom'
import { clearFailures, useOffline } from '#web/lib/api/connection.ts'
import { ServerError } from '#web/ui/feedback/error-boundary.tsx'
import { Offline } from '#web/ui/feedback/offline.tsx'

/**
 * The page shown after a request without a response. It sends no requests itself, so it cannot loop, and it returns to the previous page
 * once online.
 */
export default function ErrorScreen() {
  const navigate = useNavigate()
  const { key } = useLocation()
  const isFirstPage = key === 'default'
  const retry = () => {
    clearFailures()
    void (isFirstPage ? navigate('/', { replace: true }) : navigate(-1))
  }
  return useOffline(retry) ? <Offline retry={retry} /> : <ServerError retry={retry} />
}
