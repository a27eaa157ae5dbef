import { Button } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { infiniteQueryOptions, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { DEED_KINDS, DEED_SORTS, type Deed, type DeedKind, type DeedSort } from '#contracts/operator/deeds.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useAddress } from '#web/lib/navigation/use-address.ts'
import { deedsApi } from '#web/operator/session/operator.api.ts'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Page } from '#web/ui/page.tsx'
import { deedWords, kindWords } from './deed-words.ts'
import classes from './log-screen.module.css'

type Filter = { kind?: DeedKind; subject?: string }
type Sorted = Filter & { sort: DeedSort }

const deedsQuery = (filter: Sorted) =>
  infiniteQueryOptions({
    queryKey: ['deeds', filter],
    queryFn: ({ pageParam, signal }) => deedsApi.list({ query: { ...filter, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

/** What staff have done, newest first. */
export default function LogScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const kind = pickListed(DEED_KINDS, address.get('kind') ?? '', undefined)
  const subject = address.get('subject') ?? ''
  const filter = { ...(kind && { kind }), ...(subject && { subject }) }
  return (
    <Page title={t('operator.screens.log')} lead={t('operator.log.lead')}>
      <Filters kind={kind ?? ''} subject={subject} onChange={change} />
      <Part>
        <Deeds filter={filter} />
      </Part>
    </Page>
  )
}

type FiltersProps = { kind: string; subject: string; onChange: (changed: Record<string, string>) => void }

function Filters({ kind, subject, onChange }: FiltersProps) {
  const { t, i18n } = useTranslation()
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onChange({ subject: String(new FormData(event.currentTarget).get('subject')).trim() })
  }
  return (
    <search>
      <form className={classes.filters} onSubmit={find}>
        <SelectField
          label={t('operator.log.kind')}
          value={kind}
          onChange={({ target }) => onChange({ kind: target.value })}
          data={[{ value: '', label: t('operator.log.all') }, ...DEED_KINDS.map((one) => ({ value: one, label: kindWords(t, i18n, one) }))]}
        />
        <TextField key={subject} name="subject" label={t('operator.log.subject')} defaultValue={subject} autoComplete="off" />
        <Button type="submit" variant="default" h={44}>
          {t('operator.log.find')}
        </Button>
      </form>
    </search>
  )
}

function Deeds({ filter }: { filter: Filter }) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const { shown, ...sorting } = useSorting(DEED_SORTS, '-when')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(deedsQuery({ ...filter, sort: shown }))
  const deeds = data.pages.flatMap((page) => page.deeds)
  if (deeds.length === 0) return <Empty icon={<IconListSearch size={30} />} title={t('operator.log.none')} />
  return (
    <>
      <WorkTable<Deed>
        name="log"
        label={t('operator.screens.log')}
        rows={deeds}
        keyOf={({ id }) => id}
        sorting={sorting}
        columns={[
          { head: t('operator.log.deed'), cell: (deed) => deedWords(t, i18n, deed) },
          { id: 'who', sort: 'who', head: t('operator.log.who'), cell: ({ who }) => who },
          {
            id: 'when',
            sort: 'when',
            head: t('operator.log.when'),
            isEnd: true,
            cell: ({ at }) => <time dateTime={at}>{formats.dateTime(at)}</time>,
          },
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
