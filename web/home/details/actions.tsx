import { IconAdjustments, IconBolt, IconHistory, IconShieldExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { DIALOG_FEATURES } from '#web/home/dialogs/card-dialogs.tsx'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { blockReason, canActivate, type DialogName } from '#web/trackers/block-reason.ts'
import classes from './actions.module.css'

const ActivateButton = lazy(async () => ({ default: (await import('#web/trackers/parts/activate-button.tsx')).ActivateButton }))

const TILES = [
  { name: 'boost', Icon: IconBolt },
  { name: 'lost', Icon: IconShieldExclamation },
  { name: 'mode', Icon: IconAdjustments },
] as const

type Props = {
  device: Device
  onOpen: (dialog: DialogName) => void
  /** Identifier of the text that says why an action is not available. */
  why: string
}

/** The tiles of a tracker's card, and why an action is not available. */
export function Actions({ device, onOpen, why }: Props) {
  const { t } = useTranslation()
  const now = useNow()
  const role = useQuery(sessionQuery()).data?.role ?? 'user'
  const has = useFeatures()
  const { mode, pending_mode } = device.tracker_config
  const isLost = modeLabel(pending_mode ?? mode).kind === 'lost'
  const tiles = TILES.filter(({ name }) => has(DIALOG_FEATURES[name]))
  const named = [...(has(DIALOG_FEATURES.share) ? ['share' as const] : []), ...tiles.map(({ name }) => name)]
  const blocks = named.map((name) => blockReason(name, device, role, now)).filter((block) => block !== null)
  return (
    <>
      <div className={classes.actions}>
        {has('history') && (
          <Link to={`/trackers/${encodeURIComponent(device.id)}/history`} className={classes.action}>
            <IconHistory size={20} aria-hidden="true" />
            <span>{t('tracker.history')}</span>
          </Link>
        )}
        {tiles.map(({ name, Icon }) => {
          const block = blockReason(name, device, role, now)
          return (
            <button
              key={name}
              type="button"
              className={classes.action}
              disabled={block !== null}
              aria-describedby={block ? why : undefined}
              title={block ? t(`tracker.blocked.${block}`) : undefined}
              onClick={() => onOpen(name)}
            >
              <Icon size={20} aria-hidden="true" />
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
    </>
  )
}
