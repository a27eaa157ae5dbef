import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AlertRule, AlertSchedule } from '#contracts/alerts.ts'
import { lowBatteryLevels } from '#contracts/rules/tracking/alert.ts'
import { PAIR_METERS, SPEED, STANDS } from '#contracts/rules/tracking/rules/limits.ts'
import { isPairRule, RULE_KINDS, type RuleKind } from '#contracts/rules/tracking/rules/rule.ts'
import { type InputUnit, roundestNumber } from '#web/lib/i18n/format.ts'
import { useFormats, useLocale } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { listDays } from './week.ts'

type Tracker = { id: number; name: string }

/** The two trackers of a rule about both. */
export function PairChoice({
  offered,
  value,
  onChange,
}: {
  offered: readonly Tracker[]
  value: readonly number[]
  onChange: (ids: number[]) => void
}) {
  const { t } = useTranslation()
  const [pair, setPair] = useState<readonly (number | undefined)[]>([value[0], value[1]])
  return [t('alerts.rule.first'), t('alerts.rule.second')].map((label, nth) => (
    <SelectField
      key={label}
      label={label}
      value={String(pair[nth] ?? '')}
      onChange={({ target }) => {
        const next = pair.map((id, place) => (place === nth ? Number(target.value) || undefined : id))
        setPair(next)
        onChange(next.flatMap((id) => id ?? []))
      }}
      data={[
        { value: '', label: '…' },
        ...offered.filter(({ id }) => id !== pair[1 - nth]).map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  ))
}

const { min, max, standard } = lowBatteryLevels('percent')

/** A rule of each kind with which its choice begins. */
const STARTS: { [Kind in RuleKind]: Extract<AlertRule, { kind: Kind }> } = {
  silent: { kind: 'silent' },
  back: { kind: 'back' },
  battery: { kind: 'battery', below: standard },
  button: { kind: 'button' },
  moved: { kind: 'moved' },
  stands: { kind: 'stands', minutes: 120 },
  speed: { kind: 'speed', over: 60, seconds: 30 },
  not_arrived: { kind: 'not_arrived', by: '08:30' },
  not_left: { kind: 'not_left', by: '08:30' },
  apart: { kind: 'apart', meters: 500 },
  together: { kind: 'together', meters: 200 },
  unusual: { kind: 'unusual' },
}

type Props = {
  rule: AlertRule | undefined
  /** Whether rules about two trackers are offered. */
  hasPairs: boolean
  schedule: AlertSchedule | undefined
  onRule: (rule: AlertRule | undefined) => void
  onSchedule: (schedule: AlertSchedule | undefined) => void
}

/** What an alert watches other than a border or a vehicle, and when. */
export function RuleChoice({ rule, hasPairs, schedule, onRule, onSchedule }: Props) {
  const { t } = useTranslation()
  const learns = useFeature('normal')
  const isOffered = (kind: RuleKind) => (kind === 'unusual' ? learns : hasPairs || !isPairRule({ kind }))
  const kinds = RULE_KINDS.filter((kind) => kind === rule?.kind || isOffered(kind))
  return (
    <>
      <SelectField
        label={t('alerts.rule.other')}
        value={rule?.kind ?? ''}
        onChange={({ target }) => onRule(STARTS[target.value as RuleKind])}
        data={[{ value: '', label: t('alerts.rule.none') }, ...kinds.map((value) => ({ value, label: t(`fired.kinds.${value}`) }))]}
      />
      {rule && <RuleValues key={rule.kind} rule={rule} onRule={onRule} />}
      {rule && <ScheduleChoice schedule={schedule} onSchedule={onSchedule} />}
    </>
  )
}

function RuleValues({ rule, onRule }: { rule: AlertRule; onRule: (rule: AlertRule) => void }) {
  const { t } = useTranslation()
  const units = useFormats().inputUnits()
  if (rule.kind === 'battery')
    // Some trackers report millivolts instead, which the field keeps as they are.
    return (
      <WholeNumber
        label={t('alerts.rule.below')}
        value={rule.below}
        limits={{ min, max: Math.max(max, rule.below) }}
        onChange={(below) => onRule({ ...rule, below })}
      />
    )
  if (rule.kind === 'stands')
    return (
      <WholeNumber
        label={t('alerts.rule.minutes')}
        value={rule.minutes}
        limits={STANDS}
        onChange={(minutes) => onRule({ ...rule, minutes })}
      />
    )
  if (rule.kind === 'speed')
    return (
      <>
        <WholeNumber
          label={t('alerts.rule.over', { unit: units.speed.symbol })}
          value={rule.over}
          limits={SPEED.over}
          unit={units.speed}
          onChange={(over) => onRule({ ...rule, over })}
        />
        <WholeNumber
          label={t('alerts.rule.seconds')}
          value={rule.seconds}
          limits={SPEED.seconds}
          onChange={(seconds) => onRule({ ...rule, seconds })}
        />
      </>
    )
  if (isPairRule(rule))
    return (
      <WholeNumber
        label={t('alerts.rule.meters', { unit: units.distance.symbol })}
        value={rule.meters}
        limits={PAIR_METERS}
        unit={units.distance}
        onChange={(meters) => onRule({ ...rule, meters })}
      />
    )
  if (rule.kind === 'not_arrived' || rule.kind === 'not_left')
    return <ClockField label={t('alerts.rule.by')} value={rule.by} onChange={(by) => by && onRule({ ...rule, by })} />
  return null
}

/** `value`, `limits` and what `onChange` gets are whole metres, km/h or minutes; with `unit` the user enters numbers of that unit instead. */
type WholeNumberProps = {
  label: string
  value: number
  limits: { min: number; max: number }
  unit?: InputUnit
  onChange: (value: number) => void
}

/** Passes on only numbers within the limits, and shows them for others. */
function WholeNumber({ label, value, limits, unit: { size } = { symbol: '', size: 1 }, onChange }: WholeNumberProps) {
  const [text, setText] = useState(String(roundestNumber(value, size)))
  const [min, max] = [Math.ceil(limits.min / size), Math.floor(limits.max / size)]
  const isWithin = (typed: string) => /^\d+$/.test(typed) && Number(typed) >= min && Number(typed) <= max
  return (
    <TextField
      label={label}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      error={isWithin(text) ? undefined : `${min}–${max}`}
      onChange={({ target }) => {
        setText(target.value)
        if (isWithin(target.value)) onChange(Math.round(Number(target.value) * size))
      }}
    />
  )
}

const ClockField = ({ label, value, onChange }: { label: string; value: string; onChange: (time: string) => void }) => (
  <TextField type="time" label={label} value={value} onChange={({ target }) => onChange(target.value)} />
)

/** A period with these ends lasts for 24 hours. */
const ALL_DAY = '00:00'

function ScheduleChoice({ schedule, onSchedule }: Pick<Props, 'schedule' | 'onSchedule'>) {
  const { t } = useTranslation()
  const days = listDays(useLocale())
  const known = schedule ?? { days: [1, 2, 3, 4, 5, 6, 7], from: ALL_DAY, to: ALL_DAY }
  const change = (part: Partial<AlertSchedule>) => {
    const { from, to, ...next } = { ...known, ...part }
    // Without a day the alert would never fire.
    if (next.days.length === 0) return
    onSchedule(next.days.length === 7 && from === to ? undefined : { days: [...next.days].sort(), from, to })
  }
  const isAllDay = known.from === known.to
  return (
    <>
      <div data-titled>
        <MultiChoice
          name="days"
          legend={t('alerts.rule.days')}
          value={known.days}
          onChange={(chosen) => change({ days: chosen })}
          options={days.map((label, nth) => ({ id: nth + 1, label }))}
        />
      </div>
      <ClockField
        label={t('alerts.rule.from')}
        value={isAllDay ? '' : known.from}
        onChange={(from) => change({ from: from || known.to })}
      />
      <ClockField label={t('alerts.rule.to')} value={isAllDay ? '' : known.to} onChange={(to) => change({ to: to || known.from })} />
    </>
  )
}
