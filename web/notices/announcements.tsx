import { IconAlertTriangle, IconInfoCircle, IconX } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announcements } from '#contracts/accounts/announcements.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { pollEvery } from '#web/lib/api/query.ts'
import { storage } from '#web/lib/storage.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import classes from './notices.module.css'

const announcementsApi = createClient(announcements, clientPorts)

/** Asked again every quarter of an hour, so that a message reaches a page that stays open, and leaves it when it ends. */
const announcementsQuery = () =>
  queryOptions({
    queryKey: ['announcements'],
    queryFn: ({ signal }) => announcementsApi.list({}, { signal, staysOnNoAnswer: true }),
    refetchInterval: pollEvery(15 * 60_000),
  })

/** The closed announcements, remembered in this browser. */
const readClosed = () => storage.get('readAnnouncements')?.split(' ') ?? []

/** The messages of the company, each until it is closed or ends. */
export function Announcements() {
  const { t, i18n } = useTranslation()
  const [closed, setClosed] = useState(readClosed)
  const shown = useQuery(announcementsQuery()).data ?? []
  const close = (id: number) => {
    // Only those that still exist are remembered, so that the list stays short.
    const known = [...readClosed().filter((each) => shown.some((one) => String(one.id) === each)), String(id)]
    storage.set('readAnnouncements', known.join(' '))
    setClosed(known)
  }
  return shown
    .filter(({ id }) => !closed.includes(String(id)))
    .map(({ id, level, texts }) => {
      const language = [i18n.language, 'en', ...Object.keys(texts)].find((each) => texts[each] !== undefined)
      const Icon = level === 'warning' ? IconAlertTriangle : IconInfoCircle
      return (
        <section key={id} className={classes.notice} data-level={level} aria-label={t('announcement.label')}>
          <Icon size={20} aria-hidden="true" />
          <p lang={language}>{language && texts[language]}</p>
          <IconButton label={t('announcement.close')} Icon={IconX} onClick={() => close(id)} />
        </section>
      )
    })
}
