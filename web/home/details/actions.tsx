import { IconAdjustments, IconBolt, IconHistory, IconShieldExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
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

const FEATURES = { share: 'links', boost: 'boost', lost: 'modes', mode: 'modes' } as const satisfies Record<DialogName, string>
const TILES = [
  { name: 'boost', Icon: IconBolt },
  { name: 'lost', Icon: IconShieldExclamation },
  { name: 'mode', Icon: IconAdjustments },
] as const

type Props = {
  device: Device
  /** Name of the open dialog. */
  open: string | null
  onOpen: (dialog: DialogName | null) => void
  /** Identifier of the text that says why an action is not available. */
  why: string
}

/** The tiles of a tracker's card, the dialogs of all its actions, and why an action is not available. */
export function Actions({ device, open, onOpen, why }: Props) {
  const { t } = useTranslation()
  const now = useNow()
  const role = useQuery(sessionQuery()).data?.role ?? 'user'
  const has = useFeatures()
  const { mode, pending_mode } = device.tracker_config
  const isLost = modeLabel(pending_mode ?? mode).kind === 'lost'
  const known = (Object.keys(FEATURES) as DialogName[]).filter((name) => has(FEATURES[name]))
  const opened = known.find((name) => name === open && blockReason(name, device, role, now) === null)
  const Dialog = opened && dialogs[opened]
  const blocks = known.map((name) => blockReason(name, device, role, now)).filter((block) => block !== null)
  return (
    <>
      <div className={classes.actions}>
        {has('history') && (
          <Link to={`/trackers/${encodeURIComponent(device.id)}/history`} className={classes.action}>
            <IconHistory size={20} aria-hidden="true" />
            <span>{t('tracker.history')}</span>
          </Link>
        )}
        {TILES.filter(({ name }) => has(FEATURES[name])).map(({ name, Icon }) => {
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
      {Dialog && (
        <Suspense>
          <Dialog device={device} onClose={() => onOpen(null)} />
        </Suspense>
      )}
    </>
  )
}
