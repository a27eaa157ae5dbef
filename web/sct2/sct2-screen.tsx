import { IconAdjustmentsOff } from '@tabler/icons-react'
import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { deviceQuery } from '#web/trackers/trackers.queries.tsx'
import { NotFoundNotice } from '#web/ui/feedback/not-found-notice.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './sct2.module.css'
import { sct2ParamsQuery } from './sct2.queries.ts'
import { Sct2Form } from './sct2-form.tsx'

/** Parameters of an SCT2 board, which measures temperature and reports at configurable intervals. */
export default function Sct2Screen() {
  const id = parseId(useSearchParams()[0].get('id'))
  const device = useSuspenseQuery(deviceQuery(id)).data
  useLive()
  return isSct2Board(device?.tracker_config.board_name) ? <Configurable id={id} /> : <NotConfigurable />
}

function Configurable({ id }: { id: number }) {
  const { t } = useTranslation()
  const [{ data: params }, { data: device }] = useSuspenseQueries({ queries: [sct2ParamsQuery(id), deviceQuery(id), sessionQuery()] })
  const mayChange = useHasRight('changeTrackers')
  if (!params || !device) return <NotConfigurable />
  return (
    <Page
      isNarrow
      title={t('mode.configurable')}
      lead={t('modes.lead')}
      back={{ to: `/trackers/${encodeURIComponent(id)}/settings`, label: device.name }}
    >
      {device.tracker_config.pending_mode !== null && (
        <p role="status" className={classes.sending}>
          {t('tracker.state.pending')}
        </p>
      )}
      {!mayChange && <p className={classes.sending}>{t('tracker.blocked.readOnly')}</p>}
      <Sct2Form id={id} params={params} mayChange={mayChange} />
    </Page>
  )
}

function NotConfigurable() {
  const { t } = useTranslation()
  return (
    <NotFoundNotice
      icon={<IconAdjustmentsOff size={30} />}
      title={t('settings.sct2.notFound')}
      link={{ to: '/trackers', label: t('home.allTrackers') }}
    >
      {t('settings.sct2.notFoundLead')}
    </NotFoundNotice>
  )
}
