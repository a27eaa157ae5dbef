import { LastFired } from '#web/alerts/fired/firings.tsx'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { useIsSplit } from '#web/ui/lists/split.tsx'
import { AlertsPage } from './alerts-page.tsx'

export default function AlertsScreen() {
  const hasFirings = useFeature('firings')
  return <AlertsPage details={useIsSplit() && hasFirings && <LastFired />} />
}
