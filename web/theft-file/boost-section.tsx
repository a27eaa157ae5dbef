import { Button } from '@mantine/core'
import { IconBolt, IconRadar2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { BOOST_INTERVAL_SECONDS, DeeplinkFlag, RADAR_RANGE_METERS } from '#contracts/rules/navigation.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { BoostStrip } from '#web/home/details/boost-strip.tsx'
import { runningBoostEnd } from '#web/home/dialogs/running-boost.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { blockReason } from '#web/trackers/block-reason.ts'
import { Section } from './section.tsx'
import classes from './theft-file.module.css'

const BoostDialog = lazy(() => import('#web/home/dialogs/boost-dialog.tsx'))

/** The boost of the host app if it has one, else the portal's own. */
export function BoostSection({ device }: { device: Device }) {
  const { t } = useTranslation()
  const why = useId()
  const now = useNow()
  const [isOpen, setOpen] = useState(false)
  const role = useQuery(sessionQuery()).data?.role
  const isHere = useFeature('boost')
  if (hostApp.can(DeeplinkFlag.RealtimeBoost) || !isHere) return <InAppSection what="boost" />
  const block = role === undefined ? null : blockReason('boost', device, role, now)
  return (
    <Section icon={<IconBolt size={20} />} title={t('title.nativeRtb')}>
      <p>{t('theft.boostHere', { n: BOOST_INTERVAL_SECONDS })}</p>
      {runningBoostEnd(device.tracker_config, now) ? (
        <BoostStrip device={device} />
      ) : (
        <div className={classes.buttons}>
          <Button
            h={44}
            disabled={role === undefined || block !== null}
            aria-describedby={block ? why : undefined}
            onClick={() => setOpen(true)}
          >
            {t('boost.start')}
          </Button>
        </div>
      )}
      {block && (
        <p id={why} className={classes.why}>
          {t(`tracker.blocked.${block}`)}
        </p>
      )}
      {isOpen && (
        <Suspense>
          <BoostDialog device={device} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Section>
  )
}

const PARTS = {
  radar: {
    flag: DeeplinkFlag.FindMy,
    to: '/app/native/findmy',
    title: 'theft.radar',
    lead: 'theft.radarLead',
    n: RADAR_RANGE_METERS,
    open: 'theft.openRadar',
    Icon: IconRadar2,
  },
  boost: {
    flag: DeeplinkFlag.RealtimeBoost,
    to: '/app/native/rtb',
    title: 'title.nativeRtb',
    lead: 'theft.boostLead',
    n: BOOST_INTERVAL_SECONDS,
    open: 'theft.openBoost',
    Icon: IconBolt,
  },
} as const

export function InAppSection({ what }: { what: keyof typeof PARTS }) {
  const { t } = useTranslation()
  const why = useId()
  const { flag, to, title, lead, n, open, Icon } = PARTS[what]
  const can = hostApp.can(flag)
  return (
    <Section icon={<Icon size={20} />} title={t(title)}>
      <p>{t(lead, { n })}</p>
      <div className={classes.buttons}>
        {can ? (
          <Button component={Link} to={to} h={44}>
            {t(open)}
          </Button>
        ) : (
          <Button h={44} disabled aria-describedby={why}>
            {t(open)}
          </Button>
        )}
      </div>
      {!can && (
        <p id={why} className={classes.why}>
          {hostApp.isNative() ? t('title.appNeedsUpdate') : t('handOff.inApp')}
        </p>
      )}
    </Section>
  )
}
