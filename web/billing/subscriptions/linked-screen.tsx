import { Button } from '@mantine/core'
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import * as z from 'zod/mini'
import { Id } from '#contracts/lib/common.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'

const Linked = z.object({ device: z.union([Id, z.string()]), end: z.nullable(z.string()) })

/** Confirms a linked code from the navigation state; without that state it links back to the form. */
export default function LinkedScreen() {
  const { t } = useTranslation()
  const formats = useFormats()
  const devices = useSuspenseQuery(devicesQuery()).data
  const linked = Linked.safeParse(useLocation().state).data
  const device = devices.find(({ id }) => id === linked?.device)
  if (!linked || !device)
    return (
      <Notice
        isPage
        icon={<IconLinkOff size={30} />}
        title={t('subscriptions.nothingLinked')}
        action={
          <Button component={Link} to="/link_subscription" h={44}>
            {t('title.linkSubscription')}
          </Button>
        }
      />
    )
  return (
    <Notice
      isPage
      role="status"
      icon={<IconCircleCheck size={30} />}
      title={t('title.linkSubscriptionSuccess')}
      action={
        <>
          <Button component={Link} to={`/trackers/${encodeURIComponent(device.id)}`} h={44}>
            {device.name}
          </Button>
          <Button component={Link} to="/link_subscription" variant="default" h={44}>
            {t('subscriptions.another')}
          </Button>
        </>
      }
    >
      <strong>{device.name}</strong>
      {linked.end === null ? t('tracker.noEnd') : t('subscriptions.activeUntil', { date: formats.date(linked.end) })}
    </Notice>
  )
}
