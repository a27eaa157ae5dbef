import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_PUBLIC_LINKS } from '#contracts/lib/constants.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { trackerLinksQuery } from '#web/links/links.queries.ts'
import { MadeLink } from '#web/links/made-link.tsx'
import { NewLinkForm } from '#web/links/new-link-form.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { RowNote, Rows } from '#web/ui/lists/row.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { LinkRow } from './link-row.tsx'

export default function ShareDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog sheet="share" title={t('links.heading', { name: device.name })} lead={t('links.lead')} onClose={onClose}>
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
  const fresh = links.find(({ uuid }) => uuid === made)
  const isFull = links.length >= MAX_PUBLIC_LINKS
  return (
    <>
      {fresh && <MadeLink key={fresh.uuid} link={fresh} />}
      {isFull && <RowNote>{t('links.tooMany', { n: MAX_PUBLIC_LINKS })}</RowNote>}
      {!isFull && fresh && (
        <Button h={44} variant="default" leftSection={<IconPlus size={18} />} onClick={() => setMade(null)}>
          {t('publicLinks.new')}
        </Button>
      )}
      {!isFull && !fresh && <NewLinkForm devices={[device.id]} onMade={({ uuid }) => setMade(uuid)} />}
      {links.length > 0 && (
        <Rows label={t('links.yours')}>
          {links.map((link) => (
            <LinkRow key={link.uuid} link={link} />
          ))}
        </Rows>
      )}
    </>
  )
}
