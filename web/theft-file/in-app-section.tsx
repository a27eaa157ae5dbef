import { Button } from '@mantine/core'
import { IconBolt, IconRadar2 } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { BOOST_INTERVAL_SECONDS, RADAR_RANGE_METERS } from '#contracts/lib/constants.ts'
import { DeeplinkFlag } from '#contracts/rules/navigation.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { Section } from './section.tsx'
import classes from './theft-file.module.css'

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
