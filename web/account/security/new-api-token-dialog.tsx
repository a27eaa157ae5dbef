import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { type Scope, TRACKER_SCOPES } from '#contracts/lib/scopes.ts'
import { ACCOUNT_LIMITS } from '#contracts/limits/account-limits.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { clock } from '#web/lib/clock.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import classes from './security.module.css'
import { apiTokensApi, apiTokensQuery } from './security.queries.ts'

/** The subjects of scopes, each for reading and writing. */
export const SUBJECTS = ['trackers', 'positions', 'alerts', 'places', 'contacts'] as const
type Subject = (typeof SUBJECTS)[number]

const LEVELS = ['none', 'see', 'change'] as const
type Level = (typeof LEVELS)[number]

const ENDS = ['30', '90', '365', 'never'] as const

const Form = z.object({ label: Text(1, TEXT_LENGTH.keyLabel), end: z.enum(ENDS) })

const scopesOf = (subject: Subject, level: Level): Scope[] =>
  level === 'none' ? [] : level === 'see' ? [`${subject}:read`] : [`${subject}:read`, `${subject}:write`]

/** Whether a token for only some trackers can have that level. */
const isNarrow = (subject: Subject, level: Level) => scopesOf(subject, level).every((scope) => TRACKER_SCOPES.includes(scope))

export function NewApiTokenDialog({ onCreated, onClose }: { onCreated: (token: string) => void; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const trackers = useQuery(devicesQuery()).data ?? []
  const [reach, setReach] = useState<'all' | 'some'>('all')
  const [devices, setDevices] = useState<number[]>([])
  const [levels, setLevels] = useState<Partial<Record<Subject, Level>>>({ trackers: 'see', positions: 'see' })
  const levelsFor = (subject: Subject) => LEVELS.filter((level) => reach === 'all' || isNarrow(subject, level))
  const levelOf = (subject: Subject) => levelsFor(subject).find((level) => level === levels[subject]) ?? 'none'
  const form = useForm({
    schema: Form,
    submit: async ({ label, end }) => {
      const body = {
        label,
        scopes: SUBJECTS.flatMap((subject) => scopesOf(subject, levelOf(subject))),
        devices: reach === 'all' ? null : devices,
        until: end === 'never' ? null : new Date(clock.now().getTime() + Number(end) * DAY_MS).toISOString(),
      }
      const { token } = await confirmed((options) => apiTokensApi.create({ body }, options))
      onClose()
      onCreated(token)
      await queries.invalidateQueries(apiTokensQuery())
    },
    failure: ({ code, fields }) => {
      if (code === 'limit_reached') return t('security.tokens.tooMany', { n: ACCOUNT_LIMITS.apiTokens })
      return 'scopes' in fields ? t('security.tokens.nothing') : undefined
    },
  })
  return (
    <>
      <FormDialog title={t('security.tokens.create')} of={form} action={t('security.tokens.create')} onClose={onClose}>
        <TextField
          {...form.field('label')}
          required
          maxLength={TEXT_LENGTH.keyLabel}
          autoComplete="off"
          label={t('security.tokens.name')}
        />
        <div className={classes.field}>
          <span aria-hidden="true">{t('security.tokens.reach')}</span>
          <SegmentedControl
            label={t('security.tokens.reach')}
            value={reach}
            onChange={setReach}
            options={[
              { value: 'all', label: t('team.allTrackers') },
              { value: 'some', label: t('security.tokens.some') },
            ]}
          />
        </div>
        {reach === 'some' && (
          <MultiChoice
            legend={t('security.tokens.choose')}
            name="devices"
            options={trackers.map(({ id, name }) => ({ id, label: name }))}
            value={devices}
            onChange={setDevices}
            required
          />
        )}
        <fieldset className={classes.levels}>
          <legend>{t('security.tokens.may')}</legend>
          {SUBJECTS.filter((subject) => levelsFor(subject).length > 1).map((subject) => (
            <SelectField
              key={subject}
              label={t(`security.tokens.${subject}`)}
              value={levelOf(subject)}
              onChange={({ target }) => setLevels({ ...levels, [subject]: target.value as Level })}
              data={levelsFor(subject).map((level) => ({ value: level, label: t(`security.tokens.${level}`) }))}
            />
          ))}
          {reach === 'some' && <p className={classes.lead}>{t('security.tokens.narrow')}</p>}
        </fieldset>
        <SelectField
          {...form.field('end')}
          label={t('security.tokens.end')}
          defaultValue="90"
          data={ENDS.map((end) => ({
            value: end,
            label: end === 'never' ? t('security.retention.always') : t('security.retention.days', { count: Number(end) }),
          }))}
        />
        <RequiredLegend />
      </FormDialog>
      {dialog}
    </>
  )
}
