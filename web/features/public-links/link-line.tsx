import { IconCheck, IconCopy, IconQrcode, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shareUrl } from '#contracts/rules/share-url.ts'
import { useNow } from '#web/lib/clock.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { endOf, endWords } from '#web/lib/links/link-end.ts'
import type { OwnedLink } from '#web/lib/links/queries.ts'
import { useFormats } from '#web/lib/use-formats.ts'
import { DeleteLink } from './delete-link.tsx'
import classes from './link-line.module.css'

const QrDialog = lazy(() => import('./qr-dialog.tsx'))

type Props = { link: OwnedLink; isEmbedded: boolean; mayChange: boolean }

/** One link: what it shows, until when, and what can be done with it. */
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
    // Where copying is forbidden, the address can still be selected by hand.
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
        <button type="button" aria-label={`${t('links.copy')}: ${link.label}`} onClick={() => void copy()}>
          {isCopied ? <IconCheck size={20} aria-hidden="true" /> : <IconCopy size={20} aria-hidden="true" />}
        </button>
        <button type="button" aria-label={t('publicLinks.qrOf', { name: link.label })} onClick={() => setOpen('qr')}>
          <IconQrcode size={20} aria-hidden="true" />
        </button>
        {mayChange && (
          <button type="button" aria-label={`${t('links.delete')}: ${link.label}`} onClick={() => setOpen('delete')}>
            <IconTrash size={20} aria-hidden="true" />
          </button>
        )}
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
