import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'

const ActivateDialog = lazy(async () => (await Promise.all([import('./activate-dialog.tsx'), loadWords(['billing'])]))[0])

export function ActivateButton({ device }: { device: Device }) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  return (
    <div style={{ display: 'grid', gap: 8, paddingBottom: 12 }}>
      <Button onClick={() => setAsking(true)} h={44}>
        {t('tracker.activate')}
      </Button>
      {isAsking && (
        <Suspense>
          <ActivateDialog device={device} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  )
}
