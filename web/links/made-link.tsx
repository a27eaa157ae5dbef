import { Button } from '@mantine/core'
import { IconCheck, IconCopy, IconShare2 } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicLink } from '#contracts/links.ts'
import { isLinkExpired, isShownPermanent, shareUrl } from '#contracts/rules/link.ts'
import { useNow } from '#web/lib/clock.ts'
import { copyText } from '#web/lib/copy-text.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { QrCode } from '#web/ui/qr-code.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import classes from './made-link.module.css'

type LinkEnd = { is: 'expired' | 'permanent' } | { is: 'until'; date: string }

export function linkEnd({ end_date, expiry, permanent }: PublicLink, now: Date): LinkEnd {
  if (isLinkExpired(expiry, now)) return { is: 'expired' }
  return permanent || !end_date || isShownPermanent(end_date) ? { is: 'permanent' } : { is: 'until', date: end_date }
}

export const formatLinkEnd = (t: TFunction, end: LinkEnd, formats: Formats) =>
  end.is === 'until' ? t('links.until', { date: formats.dateTime(end.date) }) : t(`links.${end.is}`)

/** A link that was just created, ready to be sent. */
export function MadeLink({ link }: { link: PublicLink }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  return (
    <section className={classes.made} aria-label={t('publicLinks.created')}>
      <h3 role="status">{t('publicLinks.created')}</h3>
      <p>
        <strong>{link.label}</strong> · {formatLinkEnd(t, linkEnd(link, now), formats)}
      </p>
      <SendLink link={link} takesFocus />
    </section>
  )
}

/** The QR code and URL of a link, and buttons that copy it or open the share sheet of the system. */
export function SendLink({ link, takesFocus = false }: { link: PublicLink; takesFocus?: boolean }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const copy = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) copy.current?.focus()
  }, [takesFocus])
  const url = shareUrl(location.origin, link)
  // If the user closes the share sheet, it rejects too, which needs no message.
  const send = () => void navigator.share({ title: link.label, url }).catch(() => undefined)
  return (
    <>
      <QrCode text={url} label={t('publicLinks.qrOf', { name: link.label })} />
      <code className={classes.url}>{url}</code>
      <div className={classes.buttons}>
        <Button
          ref={copy}
          h={48}
          leftSection={isCopied ? <IconCheck size={20} /> : <IconCopy size={20} />}
          onClick={() => void copyText(url).then(setCopied)}
        >
          {isCopied ? t('links.copied') : t('links.copy')}
        </Button>
        <VisuallyHidden>
          <span role="status">{isCopied && t('links.copied')}</span>
        </VisuallyHidden>
        {'share' in navigator && (
          <Button h={48} variant="default" leftSection={<IconShare2 size={20} />} onClick={send}>
            {t('publicLinks.send')}
          </Button>
        )}
      </div>
    </>
  )
}
