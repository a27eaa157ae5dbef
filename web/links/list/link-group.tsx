import { IconCheck, IconCopy, IconQrcode, IconTrash } from '@tabler/icons-react'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { MAX_PUBLIC_LINKS, shareUrl } from '#contracts/rules/link.ts'
import { personName } from '#contracts/rules/user.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useNow } from '#web/lib/clock.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { DeleteLinkDialog } from '#web/links/delete-link.tsx'
import { type OwnedLink, showsTracker } from '#web/links/links.queries.ts'
import { formatLinkEnd, linkEnd, SendLink } from '#web/links/made-link.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Entries, Entry } from '#web/ui/lists/entry.tsx'
import { Detail } from '#web/ui/lists/split.tsx'
import classes from './link-group.module.css'

type Props = { group: Group; chosen: OwnedLink | undefined; to: ((link: OwnedLink) => string) | undefined } & LineProps

export function LinkGroup({ group: { device, name, links, count }, chosen, to, isEmbedded, mayChange }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  const own = isEmbedded || device === null ? name : <Link to={`/trackers/${encodeURIComponent(device)}`}>{name}</Link>
  return (
    <section className={classes.group} aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{own ?? t('publicLinks.ofSeveral')}</h2>
        {device !== null && <span>{t('publicLinks.count', { n: count, max: MAX_PUBLIC_LINKS })}</span>}
      </header>
      <Entries label={own ? (name ?? '') : t('publicLinks.ofSeveral')}>
        {links.map((link) => (
          <LinkLine
            key={link.uuid}
            link={link}
            to={to?.(link)}
            isChosen={link.uuid === chosen?.uuid}
            isEmbedded={isEmbedded}
            mayChange={mayChange}
          />
        ))}
      </Entries>
    </section>
  )
}

/** The links of one tracker, of which `count` show it, alone or among others; or all links to several. */
type Group = { device: number | null; name: string | null; links: OwnedLink[]; count: number }

/** Groups links by tracker in order of first appearance, after those to several; `only` restricts them to one tracker. */
export function groupByTracker(links: readonly OwnedLink[], only: number | null): Group[] {
  const groups = new Map<number | null, Group>()
  for (const link of links) {
    if (only !== null && !showsTracker(link, only)) continue
    const [device, name] = link.devices ? [null, null] : [link.device, link.device_name]
    const count = device === null ? 0 : links.filter((each) => showsTracker(each, device)).length
    const group = groups.get(device) ?? { device, name, links: [], count }
    group.links.push(link)
    groups.set(device, group)
  }
  return [...groups.values()].toSorted((a, b) => Number(a.device !== null) - Number(b.device !== null))
}

/** The name of a tracker in links. */
export const findTrackerName = (links: readonly OwnedLink[], id: number) =>
  links.flatMap((link) => (link.device === id ? link.device_name : (link.devices?.find((each) => each.id === id)?.name ?? [])))[0]

const QrDialog = lazy(() => import('./qr-dialog.tsx'))

type LineProps = { isEmbedded: boolean; mayChange: boolean }

type LinkLineProps = { link: OwnedLink; to: string | undefined; isChosen: boolean } & LineProps

/** Support, which may not change anything, does not get the addresses. */
function LinkLine({ link, to, isChosen, isEmbedded, mayChange }: LinkLineProps) {
  const { t } = useTranslation()
  const end = linkEnd(link, useNow())
  const [isCopied, setCopied] = useState(false)
  const [open, setOpen] = useState<'qr' | 'delete' | null>(null)
  const url = shareUrl(location.origin, link)
  const close = () => setOpen(null)
  const copy = async () => {
    const done = await copyText(url)
    setCopied(done)
    // If the clipboard is blocked, the dialog shows the URL to select by hand.
    if (!done) setOpen('qr')
  }
  const canSend = mayChange && to === undefined && end.is !== 'expired'
  return (
    <>
      <Entry
        name={link.label}
        to={to}
        isChosen={isChosen}
        more={
          canSend && (
            <span className={classes.buttons}>
              <IconButton label={t('links.copy')} of={link.label} Icon={isCopied ? IconCheck : IconCopy} onClick={() => void copy()} />
              <IconButton label={t('publicLinks.qrOf', { name: link.label })} Icon={IconQrcode} onClick={() => setOpen('qr')} />
              <span role="status" className={classes.copied}>
                {isCopied && t('links.copied')}
              </span>
            </span>
          )
        }
        side={mayChange && <IconButton label={t('links.delete')} of={link.label} Icon={IconTrash} onClick={() => setOpen('delete')} />}
      >
        {mayChange && to === undefined ? (
          <a className={classes.label} href={url} {...(!isEmbedded && { target: '_blank', rel: 'noreferrer' })}>
            {link.label}
          </a>
        ) : (
          <strong>{link.label}</strong>
        )}
        <LinkFacts link={link} />
      </Entry>
      {open === 'qr' && (
        <Suspense>
          <QrDialog name={link.label} url={url} onClose={close} />
        </Suspense>
      )}
      {open === 'delete' && <DeleteLinkDialog link={link} onClose={close} />}
    </>
  )
}

/** What a link shows, of which trackers, and until when. */
function LinkFacts({ link }: { link: OwnedLink }) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const end = linkEnd(link, useNow())
  const shows = link.start_date ? t('publicLinks.from', { date: formats.dateTime(link.start_date) }) : t('publicLinks.whole')
  return (
    <>
      {link.devices && (
        <small>
          <b>{t('publicLinks.trackers', { count: link.devices.length })}</b>: {link.devices.map(({ name }) => name).join(', ')}
        </small>
      )}
      {link.created_by && (
        <small>{t('publicLinks.madeBy', { name: personName(link.created_by.first_name, link.created_by.last_name, i18n.language) })}</small>
      )}
      <small>{link.last_point ? t('publicLinks.lastOnly') : shows}</small>
      {link.destination && (
        <small>
          {t('publicLinks.destination')}: {link.destination.name}
        </small>
      )}
      <span className={classes.end} data-is={end.is}>
        {formatLinkEnd(t, end, formats)}
      </span>
    </>
  )
}

/** A link with its QR code and address, beside the list. */
export function LinkDetails({ link }: { link: OwnedLink }) {
  const { t } = useTranslation()
  const isExpired = linkEnd(link, useNow()).is === 'expired'
  return (
    <Detail title={link.label}>
      <div className={classes.facts}>
        <LinkFacts link={link} />
      </div>
      {isExpired ? <p>{t('publicLinks.expiredLead')}</p> : <SendLink link={link} />}
      {!isExpired && (
        <a className={classes.label} href={shareUrl(location.origin, link)} target="_blank" rel="noreferrer">
          {t('publicLinks.look')}
        </a>
      )}
    </Detail>
  )
}
