import { Button } from '@mantine/core'
import { IconArrowRight, IconQrcode } from '@tabler/icons-react'
import { type FormEvent, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { formatTypedIdentifier } from '#web/add-tracker/number-field.tsx'
import { TypeField } from '#web/add-tracker/type-field.tsx'
import { useAddTracker } from '#web/add-tracker/use-add-tracker.ts'
import { openChecklist } from '#web/first-minute/checklist/open-checklist.ts'
import { lazy } from '#web/lib/chunk.ts'
import type { ListedKind } from '#web/trackers/listed-kind.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './number-form.module.css'
import { MAX_SERIAL_LENGTH } from './read-code.ts'

const ScanDialog = lazy(() => import('./scan-dialog.tsx'))

/** Browsers offer a camera on secure pages only. */
const canScan = () => navigator.mediaDevices?.getUserMedia !== undefined

/** Adds a tracker by the number on its label, scanned or typed. */
export function NumberForm({ kind }: { kind: ListedKind }) {
  const { t } = useTranslation()
  const [by, setBy] = useState<'identifier' | 'serial'>('identifier')
  const [isScanning, setScanning] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { form, field, isBusy, failure, asksType, isTaken } = useAddTracker(by, openChecklist)
  const settle = (text: string) => {
    setBy(/\p{L}/u.test(text) ? 'serial' : 'identifier')
    if (input.current && input.current.value !== text) input.current.value = text
  }
  const onInput = ({ currentTarget }: FormEvent<HTMLInputElement>) => {
    const isAtEnd = currentTarget.selectionStart === currentTarget.value.length
    settle(isAtEnd ? formatTypedIdentifier(currentTarget.value) : currentTarget.value)
  }
  const onScanned = (number: string) => {
    setScanning(false)
    settle(formatTypedIdentifier(number))
    input.current?.focus()
  }
  return (
    <>
      <form {...form} className={classes.numberForm}>
        <FormAlert>{failure}</FormAlert>
        {isTaken && (
          <Link to="/conflicting" className={classes.taken}>
            {t('add.isYours')}
            <IconArrowRight size={18} aria-hidden="true" />
          </Link>
        )}
        <div className={classes.number}>
          <LabelDrawing />
          <div>
            {canScan() && (
              <Button variant="default" h={44} leftSection={<IconQrcode size={18} />} onClick={() => setScanning(true)}>
                {t('start.scan')}
              </Button>
            )}
            <TextField
              ref={input}
              {...field(by)}
              label={t('start.number')}
              withAsterisk={false}
              required
              placeholder="12345678-90"
              maxLength={MAX_SERIAL_LENGTH}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              onInput={onInput}
            />
          </div>
        </div>
        {asksType && <TypeField {...field('type')} />}
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="name" value={kind === 'other' ? t('start.trackerName') : t(`kinds.${kind}`)} />
        <Button type="submit" h={44} loading={isBusy}>
          {t('add.submit')}
        </Button>
      </form>
      {isScanning && (
        <Suspense>
          <ScanDialog onScanned={onScanned} onClose={() => setScanning(false)} />
        </Suspense>
      )}
    </>
  )
}

/** A pattern that looks like a QR code. */
const CODE = 'M21 20h12v12h-12zM45 20h6v6h-6zM39 26h6v6h-6zM21 38h6v6h-6zM33 38h6v6h-6zM45 32h6v12h-6zM21 50h18v-6h6v6h-24z'

/** A drawn label with its number framed. */
function LabelDrawing() {
  const { t } = useTranslation()
  return (
    <svg className={classes.label} viewBox="0 0 166 102" role="img" aria-label={t('start.label')}>
      <rect className={classes.labelCase} width="166" height="102" rx="14" />
      <rect className={classes.labelPaper} x="11" y="11" width="144" height="80" rx="6" />
      <path d={CODE} />
      <path className={classes.labelLines} d="M62 24h56M62 35h70M62 46h44" />
      <rect className={classes.labelFrame} x="17" y="58" width="132" height="27" rx="6" />
      <text x="83" y="76.500" textAnchor="middle">
        12345678-90
      </text>
    </svg>
  )
}
