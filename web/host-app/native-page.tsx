import { Button } from '@mantine/core'
import { IconBolt, IconDeviceMobile, IconRadar2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { BOOST_INTERVAL_SECONDS, RADAR_RANGE_METERS } from '#contracts/lib/constants.ts'
import { DeeplinkFlag } from '#contracts/rules/navigation.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { NeedsUpdate } from './needs-update.tsx'

const PAGES = {
  findmy: { flag: DeeplinkFlag.FindMy, title: 'title.nativeFindmy', lead: 'handOff.radar', n: RADAR_RANGE_METERS, Icon: IconRadar2 },
  rtb: { flag: DeeplinkFlag.RealtimeBoost, title: 'title.nativeRtb', lead: 'handOff.boost', n: BOOST_INTERVAL_SECONDS, Icon: IconBolt },
} as const

export function NativePage({ of }: { of: keyof typeof PAGES }) {
  const { t } = useTranslation()
  const { flag, title, lead, n, Icon } = PAGES[of]
  if (hostApp.can(flag))
    return (
      <Notice isPage icon={<Icon size={30} />} title={t(title)}>
        {t(lead, { n })}
      </Notice>
    )
  if (hostApp.isNative()) return <NeedsUpdate />
  const start = (
    <Button component={Link} to="/start_track_app/" h={44}>
      {t('title.startTrackApp')}
    </Button>
  )
  return (
    <Notice isPage icon={<IconDeviceMobile size={30} />} title={t('handOff.inApp')} action={start}>
      {t('handOff.inAppLead')}
    </Notice>
  )
}
