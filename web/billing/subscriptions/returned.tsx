import { Button, Loader } from '@mantine/core'
import { IconCircleCheck, IconClockPause } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import type { HeldSubscription } from '#contracts/subscriptions.ts'
import { untilWords } from '#web/billing/state-words.ts'
import { readWishes } from '#web/billing/wish.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Notice } from '#web/ui/notice.tsx'
import { useEntitlement } from './use-entitlement.ts'

/** The return page of the checkout. A subscription starts when the provider confirms the payment, so the page polls for it. */
export function Returned() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const bought = readWishes(params.get('devices')).map(({ device }) => device)
  const { granted, isSlow, again } = useEntitlement(bought, Number(params.get('after') ?? 0))
  if (bought.length === 0) return <Unnamed />
  if (granted) return <Granted held={granted} />
  if (!isSlow)
    return (
      <Notice isPage role="status" icon={<Loader size={30} />} title={t('subscriptions.waiting')}>
        {t('subscriptions.waitingLead')}
      </Notice>
    )
  return (
    <Notice
      isPage
      role="alert"
      icon={<IconClockPause size={30} />}
      title={t('subscriptions.slow')}
      action={
        <>
          <Button h={44} onClick={again}>
            {t('subscriptions.checkAgain')}
          </Button>
          <ToList />
        </>
      }
    >
      {t('subscriptions.slowLead')}
    </Notice>
  )
}

/** Without trackers in the URL there is no subscription to poll for. */
function Unnamed() {
  const { t } = useTranslation()
  return (
    <Notice isPage role="status" icon={<IconClockPause size={30} />} title={t('title.subscription')} action={<ToList />}>
      {t('subscriptions.slowLead')}
    </Notice>
  )
}

function Granted({ held }: { held: readonly HeldSubscription[] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const devices = useQuery(devicesQuery()).data
  const nameOf = (held: HeldSubscription) => devices?.find(({ id }) => id === held.device)?.name
  const words = ({ sub_end_date: end, type }: HeldSubscription) =>
    end === null ? t('tracker.noEnd') : untilWords(t, formats.date(end), type === 'recurring')
  return (
    <Notice isPage role="status" icon={<IconCircleCheck size={30} />} title={t('subscriptions.done')} action={<ToList />}>
      {held.map((each) => (
        <span key={each.id} style={{ display: 'block' }}>
          {nameOf(each) && <b>{nameOf(each)}: </b>}
          {words(each)}
        </span>
      ))}
    </Notice>
  )
}

function ToList() {
  const { t } = useTranslation()
  return (
    <Button component={Link} to="/subscriptionSelector" variant="default" h={44}>
      {t('nav.subscriptions')}
    </Button>
  )
}
