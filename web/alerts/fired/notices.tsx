import { IconAlertCircle, IconBellOff, IconCheck, IconClock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { AlertFiring } from '#contracts/firings.ts'
import { isLateFiring, useNoticeWords } from './firing-words.ts'
import classes from './inbox.module.css'

const ICONS = {
  waiting: IconClock,
  held: IconClock,
  sent: IconCheck,
  delivered: IconCheck,
  failed: IconAlertCircle,
  muted: IconBellOff,
  limit: IconBellOff,
  unknown: IconAlertCircle,
}

/** Who was notified of a fired alert, and whether it arrived. */
export function Notices({ firing: { notices, at, published_at } }: { firing: AlertFiring }) {
  const { t } = useTranslation()
  const describe = useNoticeWords()
  if (!notices) return <p className={classes.note}>{t('fired.noLines')}</p>
  if (notices.length === 0) return <p className={classes.note}>{t(isLateFiring({ at, published_at }) ? 'fired.late' : 'fired.nobody')}</p>
  return (
    <ul className={classes.notices}>
      {notices.map((notice, index) => {
        const { name, to, state, says } = describe(notice)
        const Icon = ICONS[state]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a fired alert have a fixed order and no ids
          <li key={index} data-state={state}>
            <Icon size={18} aria-hidden="true" />
            <span>
              <b>{to ? `${name}: ${to}` : name}</b>
              <small>{says}</small>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
