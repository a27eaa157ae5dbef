import { Button } from '@mantine/core'
import { IconDoorExit } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Notice } from '#web/ui/notice.tsx'

/** The host app sees this address and leaves the installation; a browser has a link instead. */
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
