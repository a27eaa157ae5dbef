import { Suspense } from 'react'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { useInstallOffer } from '#web/home/install/install-offer.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { storage } from '#web/lib/storage.ts'

const Checklist = lazy(async () => (await Promise.all([import('#web/first-minute/checklist/checklist.tsx'), loadWords(['start'])]))[0])

const InstallHint = lazy(async () => (await Promise.all([import('#web/home/install/install-hint.tsx'), loadWords(['extras'])]))[0])

/** Notices that may appear after the map: a failed invoice, the first steps that are left, and how to install the portal. */
export function LaterBanners() {
  const offer = useInstallOffer()
  return (
    <>
      <FailedInvoice />
      <Suspense>{storage.get('checklist') !== null && <Checklist />}</Suspense>
      <Suspense>{offer && <InstallHint offer={offer} />}</Suspense>
    </>
  )
}
