import { IconCheck, IconCopy, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicLink } from '#contracts/links.ts'
import { isLinkExpired, isShownPermanent } from '#contracts/rules/link-end.ts'
import { shareUrl } from '#contracts/rules/share-url.ts'
import { client } from '#web/lib/client.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/use-formats.ts'
import { linksQuery } from './links-query.ts'
import classes from './share-dialog.module.css'

/** One public link: open it, copy it, take it back. */
export function LinkRow({ link, device }: { link: PublicLink; device: number }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isCopied, setCopied] = useState(false)
  const [isSure, setSure] = useState(false)
  const url = shareUrl(location.origin, link.uuid)
  const remove = useMutation({
    mutationFn: () => client.links.remove({ params: { uuid: link.uuid } }),
    onSettled: () => queries.invalidateQueries({ queryKey: linksQuery(device).queryKey }),
  })
  return (
    <li className={classes.link}>
      <span className={classes.what}>
        <a href={url} target="_blank" rel="noreferrer">
          {link.label}
        </a>
        <small role={isCopied || remove.isError ? 'status' : undefined}>
          {remove.isError ? t('error.general') : isCopied ? t('links.copied') : <Ends link={link} />}
        </small>
      </span>
      <button
        type="button"
        className={classes.icon}
        aria-label={`${t('links.copy')}: ${link.label}`}
        onClick={() => void navigator.clipboard?.writeText(url).then(() => setCopied(true))}
      >
        {isCopied ? <IconCheck size={18} /> : <IconCopy size={18} />}
      </button>
      <button
        type="button"
        className={classes.icon}
        aria-label={`${t('links.delete')}: ${link.label}`}
        data-sure={isSure || undefined}
        disabled={remove.isPending}
        onClick={() => (isSure ? remove.mutate() : setSure(true))}
        onBlur={() => setSure(false)}
      >
        {isSure ? t('links.sure') : <IconTrash size={18} />}
      </button>
    </li>
  )
}

/** Until when, in the words of §9: expired, permanent, or a date. */
function Ends({ link: { end_date, expiry, permanent } }: { link: PublicLink }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  if (isLinkExpired(expiry, now)) return t('links.expired')
  if (permanent || !end_date || isShownPermanent(end_date)) return t('links.permanent')
  return t('links.until', { date: formats.dateTime(end_date) })
}
