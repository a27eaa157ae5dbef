import { Suspense } from 'react'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { useInstallOffer } from '#web/home/install/install-offer.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'

const InstallHint = lazy(async () => (await Promise.all([import('#web/home/install/install-hint.tsx'), loadWords(['extras'])]))[0])

/** Notices that may appear after the map: a failed invoice, and how to install the portal. */
export function LaterBanners() {
  const offer = useInstallOffer()
  return (
    <>
      <FailedInvoice />
      <Suspense>{offer && <InstallHint offer={offer} />}</Suspense>
    </>
  )
}
