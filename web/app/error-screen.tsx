import { useLocation, useNavigate } from 'react-router-dom'
import { clearFailures, useOffline } from '#web/lib/api/connection.ts'
import { ServerError } from '#web/ui/feedback/error-boundary.tsx'
import { Offline } from '#web/ui/feedback/offline.tsx'

/** The page a request without a response leads to. It sends no requests itself, so it cannot loop, and it leads back once online. */
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
