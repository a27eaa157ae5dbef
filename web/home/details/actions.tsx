import { IconAdjustments, IconBolt, IconHistory, IconShare2, IconShieldExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useSheet } from '#web/lib/navigation/use-sheet.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { blockReason, canActivate, type DialogName } from '#web/trackers/block-reason.ts'
import classes from './actions.module.css'

const withWords = async <T,>(dialog: Promise<T>) => (await Promise.all([dialog, loadWords(['trackers'])]))[0]

const dialogs = {
  share: lazy(() => withWords(import('#web/home/dialogs/share-dialog.tsx'))),
  boost: lazy(() => withWords(import('#web/home/dialogs/boost-dialog.tsx'))),
  lost: lazy(() => withWords(import('#web/home/dialogs/lost-dialog.tsx'))),
  mode: lazy(() => withWords(import('#web/home/dialogs/mode-dialog.tsx'))),
} satisfies Record<DialogName, unknown>

const ActivateButton = lazy(async () => ({ default: (await import('#web/trackers/parts/activate-button.tsx')).ActivateButton }))

const BUTTONS = [
  { name: 'share', Icon: IconShare2, feature: 'links' },
  { name: 'boost', Icon: IconBolt, feature: 'boost' },
  { name: 'lost', Icon: IconShieldExclamation, feature: 'modes' },
  { name: 'mode', Icon: IconAdjustments, feature: 'modes' },
] as const

export function Actions({ device }: { device: Device }) {
  const { t } = useTranslation()
  const now = useNow()
  const why = useId()
  const [open, setOpen] = useSheet()
  const { key, search } = useLocation()
  const [seen, setSeen] = useState(key)
  if (key !== seen) {
    setSeen(key)
    const sheet = new URLSearchParams(search).get('sheet')
    if (sheet) setOpen(sheet)
  }
  const role = useQuery(sessionQuery()).data?.role ?? 'user'
  const has = useFeatures()
  const { mode, pending_mode } = device.tracker_config
  const isLost = modeLabel(pending_mode ?? mode).kind === 'lost'
  const buttons = BUTTONS.filter(({ feature }) => has(feature))
  const opened = buttons.find(({ name }) => name === open && blockReason(name, device, role, now) === null)
  const Dialog = opened && dialogs[opened.name]
  const blocks = buttons.map(({ name }) => blockReason(name, device, role, now)).filter((block) => block !== null)
  return (
    <>
      <div className={classes.actions}>
        {has('history') && (
          <Link to={`/trackers/${encodeURIComponent(device.id)}/history`} className={`${classes.action} ${classes.primary}`}>
            <IconHistory size={18} aria-hidden="true" />
            <span>{t('tracker.history')}</span>
          </Link>
        )}
        {buttons.map(({ name, Icon }) => {
          const block = blockReason(name, device, role, now)
          return (
            <button
              key={name}
              type="button"
              className={classes.action}
              disabled={block !== null}
              aria-describedby={block ? why : undefined}
              title={block ? t(`tracker.blocked.${block}`) : undefined}
              onClick={() => setOpen(name)}
            >
              <Icon size={18} aria-hidden="true" />
              <span>{t(name === 'lost' && isLost ? 'attention.lost' : `tracker.${name}`)}</span>
            </button>
          )
        })}
      </div>
      {blocks[0] && (
        <p id={why} className={classes.why}>
          {[...new Set(blocks)].map((block) => t(`tracker.blocked.${block}`)).join(' ')}
        </p>
      )}
      {has('networkActivation') && device.tracker_config.network_state === 'deactivated' && !blocks.includes('readOnly') && (
        <Link to={`/network_activate?id=${encodeURIComponent(device.id)}`} className={classes.network}>
          {t('title.networkActivate')}
        </Link>
      )}
      <Suspense fallback={<div className={classes.activate} />}>
        {canActivate(device, role, now) && <ActivateButton device={device} />}
      </Suspense>
      {Dialog && (
        <Suspense>
          <Dialog device={device} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  )
}
