import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { countRows, joinCsv } from '#web/lib/api/join-csv.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { namedPeriods, periodBounds, toDay } from '#web/lib/period.ts'
import { lastContact } from '#web/trackers/state.ts'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import { Choices } from '#web/ui/form/choices.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import classes from './bulk-bar.module.css'
import { changeSeveral, namesOf } from './change-several.ts'

type Props = { devices: readonly Device[]; onClose: () => void }

/** Downloads the positions of several trackers in one csv. The server answers one such request of an account at a time. */
export default function ExportSeveralDialog({ devices, onClose }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const periods = namedPeriods(toDay(useNow()))
  const [chosen, setChosen] = useState<string>(periods[0].name)
  const period = periods.find(({ name }) => name === chosen) ?? periods[0]
  const [done, setDone] = useState(0)
  const isClosed = useRef(false)
  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
    }
  }, [])
  const known = devices.filter((device) => lastContact(device) !== null)
  const unknown = devices.filter((device) => lastContact(device) === null)
  const exporting = useMutation({
    async mutationFn() {
      const { start, end } = periodBounds(period)
      const query = { not_before: new Date(start).toISOString(), not_after: new Date(end - 1).toISOString() }
      const files: { device: Device; name: string; text: string }[] = []
      setDone(0)
      const read = async ({ device }: { device: Device }) => {
        if (isClosed.current) return
        const bytes = await positionsApi.exportCsv({ params: { id: device.id }, query })
        files.push({ device, name: device.name, text: new TextDecoder().decode(bytes) })
        setDone(files.length)
      }
      const failed = await changeSeveral(
        known.map((device) => ({ device })),
        read,
        1,
      )
      const empty = files.filter(({ text }) => countRows(text) === 0).map(({ device }) => device)
      const saved = files.length - empty.length
      if (!isClosed.current && saved > 0) {
        const bytes = new TextEncoder().encode(joinCsv(files, t('title.tracker')))
        saveFile(bytes, `${t('trackers.heading')}_${period.from}_${period.to}.csv`, 'text/csv;charset=utf-8')
      }
      return { failed, empty, saved }
    },
  })
  const result = exporting.data
  const named = (left: readonly Device[]) => namesOf(left, formats.number)
  return (
    <Dialog title={t('list.bulk.exportTitle')} lead={t('list.bulk.exportLead')} onClose={onClose}>
      <Choices
        legend={t('history.pick.period')}
        name="period"
        isDisabled={exporting.isPending}
        value={chosen}
        onChange={(name) => {
          setChosen(name)
          exporting.reset()
        }}
        choices={periods.map(({ name }) => ({ value: name, label: t(`history.pick.${name}`) }))}
      />
      <div className={classes.result} role="status">
        {exporting.isPending && <p>{t('list.bulk.exporting', { done: formats.number(done), number: formats.number(known.length) })}</p>}
        {!exporting.isPending && !result && (
          <>
            <p>
              <b>{t('list.bulk.inFile', { number: formats.number(known.length) })}</b> {named(known)}
            </p>
            {unknown.length > 0 && (
              <p>
                {t('list.bulk.skip.never')}: {named(unknown)}
              </p>
            )}
          </>
        )}
        {result && (
          <>
            <p>{t('list.bulk.exported', { number: formats.number(result.saved) })}</p>
            {result.empty.length > 0 && (
              <p>
                {t('list.bulk.skip.empty')}: {named(result.empty)}
              </p>
            )}
            {result.failed.length > 0 && <p>{t('list.bulk.notExported', { names: named(result.failed) })}</p>}
          </>
        )}
      </div>
      <DialogFoot>
        {result ? (
          <Button h={44} onClick={onClose}>
            {t('action.close')}
          </Button>
        ) : (
          <Button h={44} loading={exporting.isPending} disabled={known.length === 0} onClick={() => exporting.mutate()}>
            {t('list.bulk.export')}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}
