import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { SecurityEntry } from '#contracts/accounts/security.ts'
import { pickListed } from '#contracts/lib/constants.ts'
import { SECURITY_KINDS } from '#contracts/lib/security-kinds.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import classes from './security.module.css'
import { securityLogQuery } from './security.queries.ts'

/** What happened to the account, the newest first. */
export function SecurityLog() {
  const { t } = useTranslation()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(securityLogQuery())
  const entries = data.pages.flatMap((page) => page.entries)
  return (
    <>
      <p className={classes.lead}>{t(entries.length > 0 ? 'security.log.lead' : 'security.log.none')}</p>
      <ul className={classes.rows}>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and are never inserted or moved
          <LogRow key={index} entry={entry} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" h={44} className={classes.all ?? ''} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('security.log.more')}
        </Button>
      )}
    </>
  )
}

function LogRow({ entry: { at, kind, who, where, about } }: { entry: SecurityEntry }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const details = [formats.dateTime(at), where, who && t('security.log.by', { name: who })].filter(Boolean)
  return (
    <li>
      <div>
        <strong>{t(`security.log.kinds.${pickListed(SECURITY_KINDS, kind, 'other')}`)}</strong>
        {about && <span>{about}</span>}
        <small>{details.join(' · ')}</small>
      </div>
    </li>
  )
}
