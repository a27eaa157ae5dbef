import { IconCheck, IconCopy, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicLink } from '#contracts/links.ts'
import { shareUrl } from '#contracts/rules/share-url.ts'
import { client } from '#web/lib/client.ts'
import { useNow } from '#web/lib/clock.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { endOf, endWords } from '#web/lib/links/link-end.ts'
import { LINKS } from '#web/lib/links/queries.ts'
import { useFormats } from '#web/lib/use-formats.ts'
import classes from './share-dialog.module.css'

/** One public link: open it, copy it, take it back. */
export function LinkRow({ link }: { link: PublicLink }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const formats = useFormats()
  const now = useNow()
  const [isCopied, setCopied] = useState(false)
  const [isSure, setSure] = useState(false)
  const url = shareUrl(location.origin, link.uuid)
  const remove = useMutation({
    mutationFn: () => client.links.remove({ params: { uuid: link.uuid } }),
    onSettled: () => queries.invalidateQueries({ queryKey: LINKS }),
  })
  return (
    <li className={classes.link}>
      <span className={classes.what}>
        <a href={url} target="_blank" rel="noreferrer">
          {link.label}
        </a>
        <small role={isCopied || remove.isError ? 'status' : undefined}>
          {remove.isError ? t('error.general') : isCopied ? t('links.copied') : endWords(t, endOf(link, now), formats)}
        </small>
      </span>
      <button
        type="button"
        className={classes.icon}
        aria-label={`${t('links.copy')}: ${link.label}`}
        onClick={() => void copyText(url).then(setCopied)}
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
