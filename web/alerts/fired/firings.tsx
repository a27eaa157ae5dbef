import { Button } from '@mantine/core'
import { IconBell, IconHistory } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AlertFiring } from '#contracts/firings.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { toDay } from '#web/lib/period.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Entries, Entry, EntryDisc } from '#web/ui/lists/entry.tsx'
import { Detail } from '#web/ui/lists/split.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import classes from './fired.module.css'
import { FIRING_ICONS, kindOf, useFiringSentence } from './firing-words.ts'
import { type FiringFilter, firingsQuery } from './firings.queries.ts'

/** What fired last, beside the rules. */
export const LastFired = () => (
  <Detail title={useTranslation().t('title.alertsFired')}>
    <Part>
      <Firings filter={{}} to={({ id }) => `/alerts/fired?entry=${id}`} />
    </Part>
  </Detail>
)

type FiringsProps = {
  filter: FiringFilter
  /** The address of the details of an entry. */
  to: (firing: AlertFiring) => string
  chosen?: number | undefined
}

export function Firings({ filter, to, chosen }: FiringsProps) {
  const { t } = useTranslation()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(firingsQuery(filter))
  const hasDetails = useFeature('alertInbox')
  const firings = data.pages.flatMap((page) => page.firings)
  if (firings.length === 0)
    return (
      <Empty icon={<IconBell size={30} />} title={t('fired.none')}>
        {t('fired.noneLead')}
      </Empty>
    )
  return (
    <>
      <Entries label={t('title.alertsFired')}>
        {firings.map((firing) => (
          <FiringEntry key={firing.id} firing={firing} to={hasDetails ? to(firing) : undefined} isChosen={firing.id === chosen} />
        ))}
      </Entries>
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('fired.more')}
        </Button>
      )}
    </>
  )
}

type EntryProps = { firing: AlertFiring; to: string | undefined; isChosen: boolean }

function FiringEntry({ firing, to, isChosen }: EntryProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const describe = useFiringSentence()
  const hasHistory = useFeature('history')
  const { at, device, mails, seen, false_alarm: isFalse } = firing
  const Icon = FIRING_ICONS[kindOf(firing)]
  const sentence = describe(firing)
  const isUnread = to !== undefined && seen === false
  return (
    <Entry
      name={isUnread ? `${sentence}, ${t('fired.unread')}` : sentence}
      to={to}
      isChosen={isChosen}
      icon={
        <EntryDisc isOff={isFalse === true}>
          <Icon size={22} />
        </EntryDisc>
      }
      side={
        hasHistory && (
          <IconButton
            label={t('fired.day')}
            of={sentence}
            Icon={IconHistory}
            to={`/trackers/${encodeURIComponent(device)}/history?day=${toDay(at)}`}
          />
        )
      }
    >
      <strong className={classes.sentence}>
        {isUnread && <i className={classes.dot} aria-hidden="true" />}
        {sentence}
        {isUnread && <VisuallyHidden>{t('fired.unread')}</VisuallyHidden>}
      </strong>
      <small>
        {[formats.dateTime(at), isFalse ? t('fired.isFalse') : mails > 0 ? t('fired.mails', { count: mails }) : t('fired.noMail')].join(
          ' · ',
        )}
      </small>
    </Entry>
  )
}
