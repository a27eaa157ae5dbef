import { Button } from '@mantine/core'
import { IconAntennaBars5, IconAntennaBarsOff, IconMapPinQuestion } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { useHasRight } from '#web/signed-in/use-may.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { ActivateNetwork } from './activate.tsx'
import classes from './network.module.css'

/** Reactivates a tracker that was silent for months on the network; without an id it lists the deactivated ones. */
export default function NetworkScreen() {
  const id = useSearchParams()[0].get('id')
  const devices = useSuspenseQuery(devicesQuery()).data
  useSuspenseQuery(sessionQuery())
  const mayChange = useHasRight('changeTrackers')
  const device = devices.find((each) => String(each.id) === id)
  if (device) return <ActivateNetwork key={device.id} device={device} mayChange={mayChange} />
  return id ? (
    <UnknownTracker />
  ) : (
    <ChooseTracker silent={devices.filter(({ tracker_config }) => tracker_config.network_state === 'deactivated')} />
  )
}

function ChooseTracker({ silent }: { silent: readonly { id: number; name: string }[] }) {
  const { t } = useTranslation()
  if (silent.length === 0) {
    return (
      <Notice isPage icon={<IconAntennaBars5 size={30} />} title={t('settings.network.none')} action={<BackLink />}>
        {t('settings.network.noneLead')}
      </Notice>
    )
  }
  const links = (
    <ul className={classes.list}>
      {silent.map(({ id, name }) => (
        <li key={id}>
          <Link to={`/network_activate?id=${id}`}>{name}</Link>
        </li>
      ))}
    </ul>
  )
  return (
    <Notice isPage icon={<IconAntennaBarsOff size={30} />} title={t('settings.network.choose')} action={links}>
      {t('settings.network.chooseLead')}
    </Notice>
  )
}

function UnknownTracker() {
  const { t } = useTranslation()
  return (
    <Notice role="alert" isPage icon={<IconMapPinQuestion size={30} />} title={t('home.unknown')} action={<BackLink />}>
      {t('home.unknownLead')}
    </Notice>
  )
}

function BackLink() {
  const { t } = useTranslation()
  return (
    <Button component={Link} to="/trackers" variant="default" h={44}>
      {t('home.allTrackers')}
    </Button>
  )
}
