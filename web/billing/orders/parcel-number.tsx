import { useTranslation } from 'react-i18next'

/** A link where the carrier's page is known. */
export function ParcelNumber({ tracking, page }: { tracking: string; page: string | undefined }) {
  const { t } = useTranslation()
  if (page === undefined || !page.startsWith('https://')) return tracking
  return (
    <a href={page} target="_blank" rel="noreferrer" title={t('purchases.trackParcel')}>
      {tracking}
    </a>
  )
}
