import { config } from '#web/lib/config.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { TermsNotice } from './terms-notice.tsx'

/** What the operator has to say to everybody who is signed in; loaded after the page. */
export default function PortalNotices() {
  const has = useFeatures()
  return has('terms') && config().legal?.terms?.version ? <TermsNotice /> : null
}
