import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { MAX_PUBLIC_LINKS } from '#contracts/lib/constants.ts'
import { trackerLinksQuery } from '#web/links/links.queries.ts'
import { NewLinkForm } from '#web/links/new-link-form.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { RowNote, Rows } from '#web/ui/lists/row.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { LinkRow } from './link-row.tsx'

export default function ShareDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('links.heading', { name: device.name })} lead={t('links.lead')} onClose={onClose}>
      <Part skeleton={<SkeletonRows count={2} />}>
        <Links device={device} />
      </Part>
    </Dialog>
  )
}

function Links({ device }: { device: Device }) {
  const { t } = useTranslation()
  const links = useSuspenseQuery(trackerLinksQuery(device.id)).data
  const [made, setMade] = useState<string | null>(null)
  return (
    <>
      {links.length > 0 && (
        <Rows label={t('links.yours')}>
          {links.map((link) => (
            <LinkRow key={link.uuid} link={link} isNew={link.uuid === made} />
          ))}
        </Rows>
      )}
      {links.length >= MAX_PUBLIC_LINKS && <RowNote>{t('links.tooMany')}</RowNote>}
      {links.length < MAX_PUBLIC_LINKS && <NewLinkForm key={links.length} device={device.id} onMade={setMade} />}
    </>
  )
}
