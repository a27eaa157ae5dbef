import { Button } from '@mantine/core'
import { IconCoinOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Empty } from '#web/ui/empty.tsx'

export function NothingSold() {
  const { t } = useTranslation()
  return (
    <Empty
      icon={<IconCoinOff size={30} />}
      title={t('subscriptions.none')}
      action={
        <Button component={Link} to="/account" variant="default" h={44}>
          {t('nav.settings')}
        </Button>
      }
    >
      {t('subscriptions.noneLead')}
    </Empty>
  )
}
