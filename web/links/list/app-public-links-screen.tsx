import { useTranslation } from 'react-i18next'
import { LinksPage } from './links-page.tsx'

/** The link list inside the native app, without links to other portal pages. */
export default function AppPublicLinksScreen() {
  const { t } = useTranslation()
  return <LinksPage title={t('title.appPublicLinks')} isEmbedded />
}
