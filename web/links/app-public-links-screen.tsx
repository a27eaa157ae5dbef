import { useTranslation } from 'react-i18next'
import { LinksPage } from './links-page.tsx'

/** The same within the native app: nothing here leads out of it. */
export default function AppPublicLinksScreen() {
  const { t } = useTranslation()
  return <LinksPage title={t('title.appPublicLinks')} isEmbedded />
}
