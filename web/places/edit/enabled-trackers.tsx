import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { KindDisc } from '#web/trackers/parts/kind-disc.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import classes from './places.module.css'

/** Number of names shown; the rest is counted. */
const NAMED = 3

export function EnabledTrackers({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const rest = devices.slice(NAMED)
  if (devices.length === 0) return <span>{t('places.noTrackers')}</span>
  return (
    <ul className={classes.trackers} aria-label={t('places.trackers')}>
      {devices.slice(0, NAMED).map(({ id, name, kind }) => (
        <li key={id}>
          <KindDisc kind={kind} size={22} />
          {name}
        </li>
      ))}
      {rest.length > 0 && (
        <li title={rest.map(({ name }) => name).join(', ')}>
          <span aria-hidden="true">+{formats.number(rest.length)}</span>
          <VisuallyHidden>{rest.map(({ name }) => name).join(', ')}</VisuallyHidden>
        </li>
      )}
    </ul>
  )
}
