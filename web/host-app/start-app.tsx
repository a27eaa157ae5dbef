import { IconDeviceMobile } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { type AppName, buildAppLinks } from './native-page.tsx'

export function StartApp({ app }: { app: AppName }) {
  const { t } = useTranslation()
  const { open, stores } = buildAppLinks(app)
  const title = t(app === 'track' ? 'title.startTrackApp' : 'title.startSdcApp')
  const links = (
    <>
      <LinkButton href={open} isMain>
        {title}
      </LinkButton>
      {stores.map(({ label, url }) => (
        <LinkButton key={url} href={url}>
          {label}
        </LinkButton>
      ))}
    </>
  )
  return (
    <Notice isPage icon={<IconDeviceMobile size={30} />} title={title} action={links}>
      {t(`handOff.${app}`)} {t('handOff.noApp')}
    </Notice>
  )
}
