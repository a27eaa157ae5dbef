import { Suspense } from 'react'
import { readLegal } from '#web/legal/legal-places.ts'
import { lazy } from '#web/lib/chunk.ts'
import { config } from '#web/lib/config.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useIdle } from '#web/ui/feedback/use-idle.ts'

const LegalLinks = lazy(async () => (await Promise.all([import('./legal-links.tsx'), loadWords(['extras'])]))[0])

/** The links to the operator's texts at the end of a page; nothing if there are none. */
export function LegalFooter({ onGo }: { onGo?: () => void }) {
  const isIdle = useIdle()
  if (Object.keys(readLegal()).length === 0 && (!config().withdrawal || isOfStaff())) return null
  return (
    <footer>
      <Suspense>{isIdle && <LegalLinks onGo={onGo} />}</Suspense>
    </footer>
  )
}

/** Staff in their console withdraw from nothing. */
const isOfStaff = () => window.location.pathname.startsWith('/operator')
