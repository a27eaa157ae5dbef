import { readLegal } from '#web/legal/legal-places.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { Announcements } from './announcements.tsx'
import { TermsNotice } from './terms-notice.tsx'

/** What the operator has to say to everybody who is signed in; loaded after the page. */
export default function PortalNotices() {
  const has = useFeatures()
  return (
    <>
      {has('terms') && readLegal().terms?.version && <TermsNotice />}
      {has('announcements') && <Announcements />}
    </>
  )
}
