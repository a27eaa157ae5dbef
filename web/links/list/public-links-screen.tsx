import { useTranslation } from 'react-i18next'
import { LinksPage } from './links-page.tsx'

export default function PublicLinksScreen() {
  const { t } = useTranslation()
  return <LinksPage title={t('title.publicLinks')} />
}
