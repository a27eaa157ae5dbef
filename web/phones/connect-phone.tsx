import { IconDeviceMobilePlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useSheet } from '#web/lib/navigation/use-sheet.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import classes from './connect-phone.module.css'

const PhonesDialog = lazy(async () => (await Promise.all([import('./phones-dialog.tsx'), loadWords(['trackers'])]))[0])

export function ConnectPhone({ device }: { device: Device }) {
  const { t } = useTranslation()
  const [open, setOpen] = useSheet()
  const role = useQuery(sessionQuery()).data?.role
  const hasKeys = useFeature('deviceKeys')
  if (!hasKeys || role === undefined || role === 'deepsupport') return null
  return (
    <>
      <button type="button" className={classes.row} onClick={() => setOpen('phones')}>
        <IconDeviceMobilePlus size={18} aria-hidden="true" />
        <span>{t('tracker.connectPhone')}</span>
      </button>
      {open === 'phones' && (
        <Suspense>
          <PhonesDialog device={device} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  )
}
