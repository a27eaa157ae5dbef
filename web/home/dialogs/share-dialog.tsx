import { Button } from '@mantine/core'
import { IconCheck, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicLink } from '#contracts/links.ts'
import { MAX_PUBLIC_LINKS, shareUrl } from '#contracts/rules/link.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useNow } from '#web/lib/clock.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { DeleteExpired, DeleteLinkDialog } from '#web/links/delete-link.tsx'
import { trackerLinksQuery } from '#web/links/links.queries.ts'
import { formatLinkEnd, linkEnd, MadeLink } from '#web/links/made-link.tsx'
import { NewLinkForm } from '#web/links/new-link-form.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Row, RowNote, Rows } from '#web/ui/lists/row.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

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
  const now = useNow()
  const expired = links.filter((link) => linkEnd(link, now).is === 'expired')
  return (
    <>
      {fresh && <MadeLink key={fresh.uuid} link={fresh} />}
      {isFull && <RowNote>{t('links.tooMany', { n: MAX_PUBLIC_LINKS })}</RowNote>}
      {isFull && expired.length > 0 && <DeleteExpired links={expired} />}
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

/** One public link with its buttons. */
function LinkRow({ link }: { link: PublicLink }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const [isCopied, setCopied] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const several = link.devices && t('publicLinks.trackers', { count: link.devices.length })
  const url = shareUrl(location.origin, link)
  const end = linkEnd(link, now)
  return (
    <Row
      name={
        <a href={url} target="_blank" rel="noreferrer">
          {link.label}
        </a>
      }
      hint={
        isCopied ? (
          <span role="status">{t('links.copied')}</span>
        ) : (
          [several, link.destination?.name, formatLinkEnd(t, end, formats)].filter(Boolean).join(' · ')
        )
      }
    >
      {end.is !== 'expired' && (
        <IconButton
          label={t('links.copy')}
          of={link.label}
          Icon={isCopied ? IconCheck : IconCopy}
          onClick={() => void copyText(url).then(setCopied)}
        />
      )}
      <IconButton label={t('links.delete')} of={link.label} Icon={IconTrash} onClick={() => setDeleting(true)} />
      {isDeleting && <DeleteLinkDialog link={link} onClose={() => setDeleting(false)} />}
    </Row>
  )
}
