import { IconFileImport } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import classes from './data-tools.module.css'

const ImportDialog = lazy(() => import('./import-dialog.tsx'))

export function ImportButton({ device }: { device: Device }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={classes.button} onClick={() => setOpen(true)}>
        <IconFileImport size={18} aria-hidden="true" />
        {t('history.data.import')}
      </button>
      {isOpen && (
        <Suspense>
          <ImportDialog device={device} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
