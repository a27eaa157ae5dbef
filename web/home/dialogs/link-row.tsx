import { IconCheck, IconCopy, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicLink } from '#contracts/links.ts'
import { shareUrl } from '#contracts/rules/link.ts'
import { useNow } from '#web/lib/clock.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { DeleteLinkDialog } from '#web/links/delete-link.tsx'
import { formatLinkEnd, linkEnd } from '#web/links/link-end.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Row } from '#web/ui/lists/row.tsx'

/** One public link with its buttons. */
export function LinkRow({ link }: { link: PublicLink }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const [isCopied, setCopied] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const several = link.devices && t('publicLinks.trackers', { count: link.devices.length })
  const url = shareUrl(location.origin, link.uuid)
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
          [several, link.destination?.name, formatLinkEnd(t, linkEnd(link, now), formats)].filter(Boolean).join(' · ')
        )
      }
    >
      <IconButton
        label={t('links.copy')}
        of={link.label}
        Icon={isCopied ? IconCheck : IconCopy}
        onClick={() => void copyText(url).then(setCopied)}
      />
      <IconButton label={t('links.delete')} of={link.label} Icon={IconTrash} onClick={() => setDeleting(true)} />
      {isDeleting && <DeleteLinkDialog link={link} onClose={() => setDeleting(false)} />}
    </Row>
  )
}
