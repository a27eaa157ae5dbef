import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { decodeText } from '#contracts/rules/reading/encoding.ts'
import { KINDS } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { readFewAtATime } from '#web/links/few-at-a-time.ts'
import type { ListedKind } from '#web/trackers/listed-kind.ts'
import { trackersApi } from '#web/trackers/trackers.api.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { FilePicker } from '#web/ui/form/file-picker.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import classes from './many.module.css'
import { type NumberLine, readNumbers } from './read-numbers.ts'

type Outcome = 'added' | 'unknown' | 'taken' | 'blocked' | 'failed'

/** Adds many trackers: from pasted numbers or a file, with a preview and then a result for each line. */
export default function ManyStep({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [kind, setKind] = useState<ListedKind>('vehicle')
  // The trackers added meanwhile do not change the preview.
  const [owned] = useState(devices)
  const lines = useMemo(() => readNumbers(text, owned), [text, owned])
  const { outcomes, isBusy, claim, reset } = useClaims(lines, kind)
  const fresh = lines.filter(({ state }) => state === 'new').length
  const added = [...outcomes.values()].filter((outcome) => outcome === 'added').length
  const change = (next: string) => {
    reset()
    setText(next)
  }
  return (
    <div className={classes.many}>
      <TextAreaField
        label={t('start.many.paste')}
        placeholder={'12345678-90; Van 1; vehicle'}
        rows={6}
        value={text}
        disabled={isBusy}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <FilePicker
        accept=".csv,.txt,text/csv,text/plain"
        label={t('start.many.file')}
        dropHint={t('start.many.drop')}
        onPick={(file) => void file.arrayBuffer().then((bytes) => change(decodeText(new Uint8Array(bytes)) ?? ''))}
      />
      <SelectField
        label={t('start.many.kind')}
        value={kind}
        disabled={isBusy}
        data={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        onChange={({ currentTarget }) => setKind(KINDS.find((known) => known === currentTarget.value) ?? kind)}
      />
      {lines.length > 0 && (
        <table className={classes.table}>
          <thead>
            <tr>
              <th>{t('start.number')}</th>
              <th>{t('trackers.name')}</th>
              <th>{t('trackers.state')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => {
              const outcome = outcomes.get(line.line) ?? line.state
              return (
                <tr key={line.line}>
                  <td>{line.number}</td>
                  <td>{line.name}</td>
                  <td data-state={outcome}>{t(`start.many.${outcome}`)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <p role="status">{outcomes.size > 0 && t('start.many.result', { n: added, of: fresh })}</p>
      {outcomes.size > 0 && !isBusy ? (
        <Button component={Link} to="/" h={44}>
          {t('start.many.show')}
        </Button>
      ) : (
        <Button h={44} loading={isBusy} disabled={fresh === 0} onClick={() => void claim()}>
          {t('start.many.add', { count: fresh })}
        </Button>
      )}
    </div>
  )
}

/** Claims the new lines one after the other, waiting where the server asks to, and collects a result for each. */
function useClaims(lines: readonly NumberLine[], kind: ListedKind) {
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const claim = async () => {
    setBusy(true)
    const wanted = lines.filter(({ state }) => state === 'new')
    await readFewAtATime(wanted, (line) => claimLine(line, kind), { onResult: (results) => setOutcomes(new Map(results)) })
    setBusy(false)
    await queries.invalidateQueries({ queryKey: trackerKeys.devices })
  }
  return { outcomes, isBusy, claim, reset: () => setOutcomes(new Map()) }
}

const OUTCOMES: Record<string, Outcome> = {
  not_in_stock: 'unknown',
  invalid_identifier: 'unknown',
  invalid_serial: 'unknown',
  identifier_taken: 'taken',
  blocked: 'blocked',
}

async function claimLine({ line, number, identifier, serial, name, kind }: NumberLine, usual: ListedKind): Promise<[number, Outcome]> {
  const body = {
    ...(identifier !== undefined && { identifier }),
    ...(serial !== undefined && { serial }),
    name: (name ?? number).slice(0, TEXT_LENGTH.deviceName),
    kind: kind ?? usual,
  }
  try {
    await trackersApi.add({ body })
    return [line, 'added']
  } catch (error) {
    if (!(error instanceof ApiError) || error.isLeaving || error.status === 429) throw error
    return [line, error.fields.type ? 'unknown' : (OUTCOMES[error.code ?? ''] ?? 'failed')]
  }
}
