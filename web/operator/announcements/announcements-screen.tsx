import { Button } from '@mantine/core'
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ANNOUNCEMENT_LEVELS } from '#contracts/accounts/announcements.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { ANNOUNCEMENT_STATES, type AnnouncementState, type OperatorAnnouncement } from '#contracts/operator/announcements.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useAddress } from '#web/lib/navigation/use-address.ts'
import { useSortedRows, type ValuedColumn } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Pills } from '#web/operator/workbench/workbench.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { EndAnnouncementDialog, NewAnnouncementDialog } from './announcement-dialogs.tsx'
import { operatorAnnouncementsQuery } from './announcements.queries.ts'

const FILTERS = ['all', ...ANNOUNCEMENT_STATES] as const
const STATE_ORDER: readonly string[] = ANNOUNCEMENT_STATES

/** Messages to everybody who is signed in to the portal: coming, shown and past ones. */
export default function AnnouncementsScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const [isOpen, setOpen] = useState(false)
  const state = pickListed(ANNOUNCEMENT_STATES, address.get('state') ?? '', undefined)
  const filter = (each: (typeof FILTERS)[number]) => change({ state: each === 'all' ? '' : each })
  return (
    <Page
      title={t('operator.screens.announcements')}
      lead={t('operator.announcements.lead')}
      actions={
        <Button h={44} leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setOpen(true)}>
          {t('operator.announcements.make')}
        </Button>
      }
    >
      <Pills
        label={t('operator.announcements.state')}
        values={FILTERS}
        value={state ?? 'all'}
        wordOf={(each) => t(`operator.announcements.states.${each}`)}
        onChange={filter}
      />
      <Part>
        <Announcements state={state} />
      </Part>
      {isOpen && <NewAnnouncementDialog onClose={() => setOpen(false)} />}
    </Page>
  )
}

const LEVEL_TONES = { info: 'plain', warning: 'bad' } as const
const TONES = { coming: 'warn', shown: 'good', past: 'plain' } as const

/** An unknown state is shown as is. */
function StateBadge({ state }: { state: string }) {
  const { t } = useTranslation()
  const known = pickListed(ANNOUNCEMENT_STATES, state, null)
  return known ? <Badge tone={TONES[known]}>{t(`operator.announcements.states.${known}`)}</Badge> : <Badge>{state}</Badge>
}

function Announcements({ state }: { state: AnnouncementState | undefined }) {
  const { t } = useTranslation()
  const [ending, setEnding] = useState<OperatorAnnouncement | null>(null)
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(operatorAnnouncementsQuery(state))
  const announcements = data.pages.flatMap((page) => page.announcements)
  if (announcements.length === 0) {
    return (
      <Empty icon={<IconSpeakerphone size={30} />} title={t('operator.announcements.none')}>
        {t('operator.announcements.noneLead')}
      </Empty>
    )
  }
  return (
    <>
      <Table announcements={announcements} isWhole={!hasNextPage} onEnd={setEnding} />
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
      {ending && <EndAnnouncementDialog announcement={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

type TableProps = {
  announcements: readonly OperatorAnnouncement[]
  /** Only then the browser can sort them. */
  isWhole: boolean
  onEnd: (announcement: OperatorAnnouncement) => void
}

function Table({ announcements, isWhole, onEnd }: TableProps) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const textOf = ({ texts }: OperatorAnnouncement) => texts[i18n.language] ?? texts.en ?? Object.values(texts)[0]
  const levelOf = ({ level }: OperatorAnnouncement) => t(`operator.announcements.levels.${pickListed(ANNOUNCEMENT_LEVELS, level, 'info')}`)
  const columns: (ValuedColumn<OperatorAnnouncement> & { id?: string })[] = [
    { head: t('operator.announcements.message'), sort: 'message', value: (row) => textOf(row) ?? null, cell: textOf },
    {
      id: 'state',
      sort: 'state',
      value: ({ state }) => STATE_ORDER.indexOf(state),
      head: t('operator.announcements.state'),
      cell: (row) => <StateBadge state={row.state} />,
    },
    {
      id: 'level',
      sort: 'level',
      value: levelOf,
      head: t('operator.announcements.level'),
      cell: (row) => <Badge tone={LEVEL_TONES[pickListed(ANNOUNCEMENT_LEVELS, row.level, 'info')]}>{levelOf(row)}</Badge>,
    },
    {
      id: 'from',
      sort: 'from',
      value: ({ starts_at }) => starts_at,
      head: t('operator.announcements.fromHead'),
      cell: ({ starts_at }) => <time dateTime={starts_at}>{formats.dateTime(starts_at)}</time>,
    },
    {
      id: 'until',
      sort: 'until',
      value: ({ ends_at }) => ends_at,
      head: t('operator.announcements.until'),
      cell: ({ ends_at }) => <time dateTime={ends_at}>{formats.dateTime(ends_at)}</time>,
    },
    {
      head: t('operator.actions'),
      isUnlabelled: true,
      isEnd: true,
      cell: (row) =>
        row.state !== 'past' && (
          <Button variant="default" h={44} onClick={() => onEnd(row)}>
            {t('operator.announcements.end')}
          </Button>
        ),
    },
  ]
  const { rows, sorting } = useSortedRows(announcements, columns)
  return (
    <WorkTable<OperatorAnnouncement>
      name="announcements"
      label={t('operator.screens.announcements')}
      keyOf={({ id }) => id}
      rows={rows}
      {...(isWhole && { sorting })}
      columns={columns}
    />
  )
}
