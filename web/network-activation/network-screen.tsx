import { Button } from '@mantine/core'
import { IconAntennaBars5, IconAntennaBarsOff } from '@tabler/icons-react'
import { useMutation, useQueryClient, useSuspenseQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { UnknownTracker } from '#web/trackers/parts/unknown-tracker.tsx'
import { trackersApi } from '#web/trackers/trackers.api.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Notice, NoticeButton } from '#web/ui/feedback/notice.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './network.module.css'

function ActivateNetwork({ device, mayChange }: { device: Device; mayChange: boolean }) {
  const { t } = useTranslation()
  const { id, name } = device
  const change = useActivate(id)
  if (change.isSuccess || device.tracker_config.network_state === 'active') {
    const outcome = change.isSuccess ? 'again' : 'active'
    return (
      <Notice
        role="status"
        isPage
        icon={<IconAntennaBars5 size={30} />}
        title={t(`settings.network.${outcome}`)}
        action={
          <Button component={Link} to={`/trackers/${encodeURIComponent(id)}`} size="md">
            {t('settings.network.toTracker')}
          </Button>
        }
      >
        {t(`settings.network.${outcome}Lead`, { name })}
      </Notice>
    )
  }
  const hasFailed = change.error instanceof ApiError && !change.error.isLeaving
  const action = (
    <div className={classes.action}>
      <FormAlert>{hasFailed ? t('error.general') : null}</FormAlert>
      {mayChange ? (
        <NoticeButton onClick={() => !change.isPending && change.mutate()}>{t('settings.network.button')}</NoticeButton>
      ) : (
        <p>{t('tracker.blocked.readOnly')}</p>
      )}
      <BackLink />
    </div>
  )
  return (
    <Notice isPage icon={<IconAntennaBarsOff size={30} />} title={t('tracker.state.deactivated')} action={action}>
      {t('settings.network.lead', { name })}
    </Notice>
  )
}

function useActivate(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => trackersApi.activateNetwork({ params: { id } }),
    onSuccess: (config) => {
      queries.setQueryData(devicesQuery().queryKey, (devices) =>
        devices?.map((device) => (device.id === id ? { ...device, tracker_config: config } : device)),
      )
    },
  })
}

/** Reactivates a tracker that was silent for months on the network; without an id it lists the deactivated ones. */
export default function NetworkScreen() {
  const id = useSearchParams()[0].get('id')
  const [{ data: devices }] = useSuspenseQueries({ queries: [devicesQuery(), sessionQuery()] })
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
          <Link to={`/network_activate?id=${encodeURIComponent(id)}`}>{name}</Link>
        </li>
      ))}
    </ul>
  )
  return (
    <Notice
      isPage
      icon={<IconAntennaBarsOff size={30} />}
      title={t('settings.network.choose')}
      action={
        <div className={classes.action}>
          {links}
          <BackLink />
        </div>
      }
    >
      {t('settings.network.chooseLead')}
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
