import { Navigate, useSearchParams } from 'react-router-dom'
import { deepLinkPath } from '#contracts/rules/deeplink.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { NeedsUpdate } from './needs-update.tsx'

/** Forwards to what the app can open; by allow-list, so that it leads nowhere else. */
export default function DeepLinkScreen() {
  const [query] = useSearchParams()
  const path = deepLinkPath(query.get('target'), hostApp.capability())
  return path ? <Navigate to={path} replace /> : <NeedsUpdate />
}
