import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { CODE_SORTS, CODE_STATES, type Code } from '#contracts/operator/codes.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { ChosenBar, useChoice } from '#web/operator/workbench/choice.tsx'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { Badge } from '#web/ui/badge.tsx'
import { type Column, DataTable } from '#web/ui/lists/data-table.tsx'
import type { Voiding } from './code-dialogs.tsx'
import classes from './code-list.module.css'
import { type CodesFilter, codesQuery } from './codes.queries.ts'

const TONES = { open: 'good', used: 'plain', expired: 'warn', void: 'bad' } as const

function State({ state }: { state: Code['state'] }) {
  const { t } = useTranslation()
  const known = pickListed(CODE_STATES, state, null)
  return known ? <Badge tone={TONES[known]}>{t(`operator.codes.states.${known}`)}</Badge> : state
}

/** In groups of four, as they are printed. */
const groupCode = (code: string) => `${code.slice(0, 4)} ${code.slice(4)}`

const NAMED = 3

const nameCodes = (codes: readonly string[]) => [...codes.slice(0, NAMED).map(groupCode), ...(codes.length > NAMED ? ['…'] : [])].join(', ')

type Props = {
  filter: CodesFilter
  /** Absent for roles that may only look. */
  onVoid?: (voiding: Voiding) => void
}

/** Codes with their states, several of which can be made invalid together. */
export function Codes({ filter, onVoid }: Props) {
  const { t } = useTranslation()
  const { shown, ...sorting } = useSorting(CODE_SORTS, 'code', 'sort_codes')
  const query = codesQuery({ ...filter, sort: shown })
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(query)
  const columns = useColumns(filter.batch !== undefined)
  const codes = data.pages.flatMap((page) => page.codes)
  const {
    chosen: picked,
    clear,
    columns: boxes,
  } = useChoice({
    rows: codes,
    keyOf: ({ code }) => code,
    mayChoose: ({ state }) => state === 'open' || state === 'expired',
    labelOf: (code) => t('operator.stock.choose', { identifier: groupCode(code) }),
  })
  if (codes.length === 0) return <p>{t(filter.mailed ? 'operator.codes.noneMailed' : 'operator.codes.notFound')}</p>
  return (
    <>
      <DataTable
        label={t('operator.codes.code')}
        rows={codes}
        keyOf={({ code }) => code}
        sorting={sorting}
        columns={onVoid ? [...columns, ...boxes] : columns}
      />
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
      {onVoid && (
        <ChosenBar count={picked.length} onClear={clear}>
          <Button h={44} onClick={() => onVoid({ subject: nameCodes(picked), codes: picked })}>
            {t('operator.codes.void')}
          </Button>
        </ChosenBar>
      )}
    </>
  )
}

/** Codes of a batch have the same months, and are not mailed. */
function useColumns(isOfBatch: boolean): Column<Code>[] {
  const { t } = useTranslation()
  const formats = useFormats()
  const columns: Column<Code>[] = [
    { sort: 'code', head: t('operator.codes.code'), cell: ({ code }) => <span className={classes.line}>{groupCode(code)}</span> },
    {
      head: t('operator.staff.state'),
      cell: ({ state }) => (
        <span className={classes.line}>
          <State state={state} />
        </span>
      ),
    },
  ]
  if (isOfBatch) return columns
  return [
    ...columns,
    { sort: 'months', head: t('operator.codes.months'), isEnd: true, cell: ({ months, extra }) => formats.number((months ?? 0) + extra) },
    { sort: 'address', head: t('operator.codes.mailedTo'), cell: ({ mailed_to }) => mailed_to },
  ]
}
