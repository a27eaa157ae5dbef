import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CodeBatch } from '#contracts/operator/codes.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { currentLanguage } from '#web/lib/i18n/i18n.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { codesApi } from '#web/operator/session/operator.api.ts'
import { Buttons, Facts, Section } from '#web/operator/workbench/workbench.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import type { Voiding } from './code-dialogs.tsx'
import { Codes } from './code-list.tsx'
import { batchesQuery } from './codes.queries.ts'

type Props = { id: string; onVoid?: (voiding: Voiding) => void }

/** A batch of codes: its page to print, and what became of each code. */
export function BatchDetails({ id, onVoid }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { data } = useSuspenseInfiniteQuery(batchesQuery())
  const batch = data.pages.flatMap((page) => page.batches).find((one) => String(one.id) === id)
  if (!batch) return <p>{t('operator.codes.none')}</p>
  return (
    <>
      <h2>{batch.name}</h2>
      <Facts
        facts={[
          [t('operator.customer.plan'), batch.plan],
          [t('operator.codes.months'), formats.number(batch.months + batch.extra)],
          [t('operator.codes.count'), formats.number(batch.count)],
          [t('operator.codes.states.used'), formats.number(batch.used)],
          [t('operator.codes.states.void'), formats.number(batch.void)],
          [t('operator.codes.ends'), batch.ends_at && formats.date(new Date(new Date(batch.ends_at).getTime() - 1))],
          [t('operator.log.who'), batch.created_by],
        ]}
      />
      {onVoid && (
        <Buttons>
          <Sheet batch={batch} />
          <Button variant="default" h={44} onClick={() => onVoid({ subject: batch.name, batch: batch.id })}>
            {t('operator.codes.void')}
          </Button>
        </Buttons>
      )}
      <Section title={t('operator.screens.codes')}>
        <Part>
          <Codes filter={{ batch: id }} {...(onVoid && { onVoid })} />
        </Part>
      </Section>
    </>
  )
}

function Sheet({ batch: { id, name } }: { batch: CodeBatch }) {
  const { t } = useTranslation()
  const save = async () => {
    const html = await codesApi.sheet({ params: { id }, query: { language: currentLanguage() } })
    saveFile(html, `${name}.html`, 'text/html')
  }
  return (
    <Button h={44} leftSection={<IconPrinter size={18} />} onClick={() => save().catch(() => showToast(t('error.general')))}>
      {t('operator.codes.sheet')}
    </Button>
  )
}
