import { IconMapPinOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { KindDisc } from '#web/trackers/parts/kind-disc.tsx'
import { Empty } from '#web/ui/empty.tsx'
import classes from './theft-file.module.css'

/** Asks for the tracker when the URL names none. */
export function Choose({ devices }: { devices: Device[] }) {
  const { t } = useTranslation()
  if (devices.length === 0) return <Empty icon={<IconMapPinOff size={30} />} title={t('trackers.none')} />
  return (
    <nav className={classes.choose} aria-label={t('theft.choose')}>
      <p>{t('theft.choose')}</p>
      {devices.map(({ id, name, kind }) => (
        <Link key={id} to={`?id=${id}`}>
          <KindDisc kind={kind} size={32} />
          {name}
        </Link>
      ))}
    </nav>
  )
}
