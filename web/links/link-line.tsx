import { IconCheck, IconCopy, IconQrcode, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shareUrl } from '#contracts/rules/share-url.ts'
import { useNow } from '#web/lib/clock.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DeleteLink } from './delete-link.tsx'
import { endOf, endWords } from './link-end.ts'
import classes from './link-line.module.css'
import type { OwnedLink } from './links.queries.ts'

const QrDialog = lazy(() => import('./qr-dialog.tsx'))

type Props = { link: OwnedLink; isEmbedded: boolean; mayChange: boolean }

export function LinkLine({ link, isEmbedded, mayChange }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const end = endOf(link, useNow())
  const [isCopied, setCopied] = useState(false)
  const [open, setOpen] = useState<'qr' | 'delete' | null>(null)
  const url = shareUrl(location.origin, link.uuid)
  const close = () => setOpen(null)
  const copy = async () => {
    const done = await copyText(url)
    setCopied(done)
    // Where the clipboard is blocked, the dialog shows the URL to select by hand.
    if (!done) setOpen('qr')
  }
  const shows = link.start_date ? t('publicLinks.from', { date: formats.dateTime(link.start_date) }) : t('publicLinks.whole')
  return (
    <li className={classes.line}>
      <span className={classes.what}>
        <a href={url} {...(!isEmbedded && { target: '_blank', rel: 'noreferrer' })}>
          {link.label}
        </a>
        <small>{link.last_point ? t('publicLinks.lastOnly') : shows}</small>
        <span className={classes.end} data-is={end.is}>
          {endWords(t, end, formats)}
        </span>
      </span>
      <span className={classes.buttons}>
        <IconButton label={t('links.copy')} of={link.label} Icon={isCopied ? IconCheck : IconCopy} onClick={() => void copy()} />
        <IconButton label={t('publicLinks.qrOf', { name: link.label })} Icon={IconQrcode} onClick={() => setOpen('qr')} />
        {mayChange && <IconButton label={t('links.delete')} of={link.label} Icon={IconTrash} onClick={() => setOpen('delete')} />}
        <span role="status" className={classes.copied}>
          {isCopied && t('links.copied')}
        </span>
      </span>
      {open === 'qr' && (
        <Suspense>
          <QrDialog name={link.label} url={url} onClose={close} />
        </Suspense>
      )}
      {open === 'delete' && <DeleteLink link={link} onClose={close} />}
    </li>
  )
}
