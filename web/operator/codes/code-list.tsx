import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { CODE_STATES, type Code } from '#contracts/operator/codes.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DataTable } from '#web/ui/lists/data-table.tsx'
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

type Props = {
  filter: CodesFilter
  /** Absent for roles that may only look. */
  onVoid?: (voiding: Voiding) => void
}

/** Codes with their states. */
export function Codes({ filter, onVoid }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(codesQuery(filter))
  const codes = data.pages.flatMap((page) => page.codes)
  if (codes.length === 0) return <p>{t(filter.mailed ? 'operator.codes.noneMailed' : 'operator.codes.notFound')}</p>
  const isOfBatch = filter.batch !== undefined
  return (
    <>
      <DataTable
        label={t('operator.codes.code')}
        rows={codes}
        keyOf={({ code }) => code}
        columns={[
          { head: t('operator.codes.code'), cell: ({ code }) => <span className={classes.line}>{groupCode(code)}</span> },
          {
            head: t('operator.staff.state'),
            cell: ({ state }) => (
              <span className={classes.line}>
                <State state={state} />
              </span>
            ),
          },
          ...(isOfBatch
            ? []
            : [
                { head: t('operator.codes.months'), cell: ({ months, extra }: Code) => formats.number((months ?? 0) + extra) },
                { head: t('operator.codes.mailedTo'), cell: ({ mailed_to }: Code) => mailed_to },
              ]),
          ...(onVoid
            ? [
                {
                  head: t('operator.actions'),
                  isUnlabelled: true,
                  isEnd: true,
                  cell: ({ code, state }: Code) =>
                    (state === 'open' || state === 'expired') && (
                      <Button
                        variant="default"
                        size="xs"
                        h={32}
                        aria-label={t('operator.codes.voidOf', { subject: groupCode(code) })}
                        onClick={() => onVoid({ subject: groupCode(code), codes: [code] })}
                      >
                        {t('operator.codes.void')}
                      </Button>
                    ),
                },
              ]
            : []),
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
