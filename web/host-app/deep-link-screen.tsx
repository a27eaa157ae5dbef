import { Navigate, useSearchParams } from 'react-router-dom'
import { deepLinkPath } from '#contracts/rules/navigation.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { NeedsUpdate } from './native-page.tsx'

/** Redirects only to pages of an allow-list, so that a link cannot lead elsewhere. */
export default function DeepLinkScreen() {
  const [query] = useSearchParams()
  const path = deepLinkPath(query.get('target'), hostApp.capability())
  return path ? <Navigate to={path} replace /> : <NeedsUpdate />
}
