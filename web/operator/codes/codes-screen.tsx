import { Button } from '@mantine/core'
import { IconMail, IconPlus, IconTicket } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { BATCH_SORTS, type CodeBatch } from '#contracts/operator/codes.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { addressWith, useAddress } from '#web/lib/navigation/use-address.ts'
import { sessionQuery } from '#web/operator/session/session.queries.ts'
import { isSignedIn } from '#web/operator/session/session-state.ts'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Details, SearchForm, Workbench } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Page } from '#web/ui/page.tsx'
import { BatchDetails } from './batch-details.tsx'
import { MailCodeDialog, MakeCodesDialog, VoidDialog, type Voiding } from './code-dialogs.tsx'
import { Codes } from './code-list.tsx'
import { batchesQuery } from './codes.queries.ts'

function useMayHandle() {
  const { data: state } = useSuspenseQuery(sessionQuery())
  return isSignedIn(state) && staffRights.handleStock.some((role) => role === state.staff.role)
}

type Open = { is: 'make' | 'mail' } | { is: 'void'; voiding: Voiding }

/** Codes that link a subscription: batches for print, single ones by mail, and what became of each. */
export default function CodesScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const [open, setOpen] = useState<Open | null>(null)
  const mayHandle = useMayHandle()
  const search = address.get('search') ?? ''
  const batch = address.get('batch')
  const isMailed = address.get('show') === 'mailed'
  const onVoid = mayHandle && ((voiding: Voiding) => setOpen({ is: 'void', voiding }))
  const actions = mayHandle && (
    <>
      <Button h={44} variant="default" leftSection={<IconMail size={18} />} onClick={() => setOpen({ is: 'mail' })}>
        {t('operator.codes.mail')}
      </Button>
      <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setOpen({ is: 'make' })}>
        {t('operator.codes.make')}
      </Button>
    </>
  )
  const details = batch && !search && !isMailed && (
    <Details label={t('operator.screens.codes')} onClose={() => change({ batch: '' })}>
      <BatchDetails id={batch} {...(onVoid && { onVoid })} />
    </Details>
  )
  return (
    <Page title={t('operator.screens.codes')} lead={t('operator.codes.lead')} actions={actions}>
      <Workbench details={details || null}>
        <SearchForm label={t('operator.codes.search')} value={search} onFind={(text) => change({ search: text })} />
        {!search && (
          <SelectField
            mb={16}
            maw={320}
            label={t('operator.codes.show')}
            value={isMailed ? 'mailed' : ''}
            onChange={({ target }) => change({ show: target.value, batch: '', sort: '', sort_codes: '' })}
            data={[
              { value: '', label: t('operator.codes.batches') },
              { value: 'mailed', label: t('operator.codes.mailedOnes') },
            ]}
          />
        )}
        <Part key={`${isMailed} ${search}`}>
          {search || isMailed ? (
            <Codes filter={search ? { search } : { mailed: 'true' }} {...(onVoid && { onVoid })} />
          ) : (
            <Batches chosen={batch} />
          )}
        </Part>
      </Workbench>
      {open?.is === 'make' && (
        <MakeCodesDialog onMade={({ id }) => change({ batch: String(id), show: '' })} onClose={() => setOpen(null)} />
      )}
      {open?.is === 'mail' && <MailCodeDialog onClose={() => setOpen(null)} />}
      {open?.is === 'void' && <VoidDialog {...open.voiding} onClose={() => setOpen(null)} />}
    </Page>
  )
}

function Batches({ chosen }: { chosen: string | null }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [address] = useSearchParams()
  const { shown, ...sorting } = useSorting(BATCH_SORTS, '-made')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(batchesQuery(shown))
  const batches = data.pages.flatMap((page) => page.batches)
  const linkTo = (id: number) => addressWith(address, { batch: String(id) })
  if (batches.length === 0) return <Empty icon={<IconTicket size={30} />} title={t('operator.codes.none')} />
  return (
    <>
      <WorkTable<CodeBatch>
        name="codes"
        label={t('operator.screens.codes')}
        rows={batches}
        keyOf={({ id }) => String(id)}
        {...(chosen && { chosen })}
        sorting={sorting}
        columns={[
          { sort: 'name', head: t('operator.codes.name'), cell: ({ id, name }) => <Link to={linkTo(id)}>{name}</Link> },
          {
            id: 'made',
            isExtra: true,
            sort: 'made',
            head: t('operator.codes.made'),
            cell: ({ created_at }) => <time dateTime={created_at}>{formats.date(created_at)}</time>,
          },
          {
            id: 'months',
            sort: 'months',
            head: t('operator.codes.months'),
            isEnd: true,
            cell: ({ months, extra }) => formats.number(months + extra),
          },
          { id: 'count', sort: 'count', head: t('operator.codes.count'), isEnd: true, cell: ({ count }) => formats.number(count) },
          { id: 'used', head: t('operator.codes.states.used'), isEnd: true, cell: ({ used }) => formats.number(used) },
          { id: 'void', isExtra: true, head: t('operator.codes.states.void'), isEnd: true, cell: (one) => formats.number(one.void) },
        ]}
      />
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
    </>
  )
}
