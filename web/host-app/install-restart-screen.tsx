import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Notice } from '#web/ui/feedback/notice.tsx'

/** The host app watches for this URL and restarts the installation; a browser sees a link. */
export default function InstallRestartScreen() {
  const { t } = useTranslation()
  const instead = (
    <Button component={Link} to="/trackers/add" h={44}>
      {t('title.trackerAdd')}
    </Button>
  )
  return (
    <Notice isPage icon={<IconRefresh size={30} />} title={t('title.installRestart')} action={instead}>
      {t('handOff.restart')}
    </Notice>
  )
}
