import { Button } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Empty } from '#web/ui/empty.tsx'

export function NoTracker() {
  const { t } = useTranslation()
  return (
    <Empty
      icon={<IconCreditCard size={30} />}
      title={t('trackers.none')}
      action={
        <Button component={Link} to="/trackers/add" h={44}>
          {t('title.trackerAdd')}
        </Button>
      }
    >
      {t('subscriptions.trackerFirst')}
    </Empty>
  )
}
