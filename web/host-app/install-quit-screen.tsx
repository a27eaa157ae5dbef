import { Button } from '@mantine/core'
import { IconDoorExit } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Notice } from '#web/ui/feedback/notice.tsx'

/** The host app watches for this URL and leaves the installation; a browser sees a link. */
export default function InstallQuitScreen() {
  const { t } = useTranslation()
  const instead = (
    <Button component={Link} to="/" h={44}>
      {t('action.goHome')}
    </Button>
  )
  return (
    <Notice isPage icon={<IconDoorExit size={30} />} title={t('title.installQuit')} action={instead}>
      {t('handOff.quit')}
    </Notice>
  )
}
