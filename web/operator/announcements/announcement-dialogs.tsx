import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { ANNOUNCEMENT_LEVELS } from '#contracts/accounts/announcements.ts'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { ANNOUNCEMENT_LENGTH, type OperatorAnnouncement } from '#contracts/operator/announcements.ts'
import { currentLanguage } from '#web/lib/i18n/i18n.ts'
import { languageName } from '#web/lib/i18n/language-names.ts'
import { showToast } from '#web/lib/toasts.ts'
import { announcementsApi } from '#web/operator/session/operator.api.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { DateField } from '#web/ui/form/date-field.tsx'
import { RequiredLegend } from '#web/ui/form/fields.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { ANNOUNCEMENTS_KEY } from './announcements.queries.ts'

type TextName = `text_${Language}`
const texts = Object.fromEntries(LANGUAGES.map((language) => [`text_${language}`, z.optional(z.string())])) as Record<
  TextName,
  z.ZodMiniOptional<z.ZodMiniString>
>
const LocalTime = z.string().check(z.refine((text) => !Number.isNaN(new Date(text).getTime())))
const Form = z.object({
  ...texts,
  level: z.enum(ANNOUNCEMENT_LEVELS),
  starts_at: z.union([z.literal(''), LocalTime]),
  ends_at: LocalTime,
  is_mailed: z.boolean(),
})

/** A message in one language or several, with its times. */
export function NewAnnouncementDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [languages, setLanguages] = useState<readonly Language[]>([currentLanguage()])
  const others = LANGUAGES.filter((language) => !languages.includes(language))
  const form = useForm({
    schema: Form,
    submit: async ({ level, starts_at, ends_at, is_mailed, ...given }) => {
      const entries = languages.flatMap((language) => {
        const text = given[`text_${language}`]?.trim()
        return text ? [[language, text]] : []
      })
      await announcementsApi.make({
        body: {
          ...{ level, texts: Object.fromEntries(entries), is_mailed, ends_at: new Date(ends_at).toISOString() },
          ...(starts_at && { starts_at: new Date(starts_at).toISOString() }),
        },
      })
      showToast(t('form.saved'))
      onClose()
      await queries.invalidateQueries({ queryKey: ANNOUNCEMENTS_KEY })
    },
    failure: ({ fields }) => (fields.ends_at ? { ends_at: t('operator.announcements.endWrong') } : undefined),
  })
  return (
    <FormDialog
      title={t('operator.announcements.make')}
      lead={t('operator.announcements.makeLead')}
      of={form}
      action={t('operator.announcements.show')}
      onClose={onClose}
    >
      {languages.map((language, index) => (
        <TextAreaField
          key={language}
          {...form.field(`text_${language}`)}
          label={t('operator.announcements.text', { language: languageName(language) })}
          lang={language}
          maxLength={ANNOUNCEMENT_LENGTH}
          required={index === 0}
        />
      ))}
      {others.length > 0 && (
        <SelectField
          label={t('operator.announcements.another')}
          value=""
          onChange={({ target }) => setLanguages([...languages, ...others.filter((each) => each === target.value)])}
          data={[{ value: '', label: '–' }, ...others.map((value) => ({ value, label: languageName(value) }))]}
        />
      )}
      <SelectField
        {...form.field('level')}
        label={t('operator.announcements.level')}
        data={ANNOUNCEMENT_LEVELS.map((value) => ({ value, label: t(`operator.announcements.levels.${value}`) }))}
      />
      <DateField {...form.field('starts_at')} type="datetime-local" label={t('operator.announcements.from')} />
      <DateField {...form.field('ends_at')} type="datetime-local" required label={t('operator.announcements.until')} />
      <CheckboxField name="is_mailed" hint={t('operator.announcements.mailHint')}>
        {t('operator.announcements.mail')}
      </CheckboxField>
      <RequiredLegend />
    </FormDialog>
  )
}

type EndProps = { announcement: OperatorAnnouncement; onClose: () => void }

export function EndAnnouncementDialog({ announcement: { id, state }, onClose }: EndProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const end = async () => {
    await announcementsApi.end({ params: { id }, body: {} })
    showToast(t('operator.announcements.ended'))
    await queries.invalidateQueries({ queryKey: ANNOUNCEMENTS_KEY })
  }
  return (
    <ConfirmDialog
      title={t('operator.announcements.endAsk')}
      action={t('operator.announcements.end')}
      isDanger
      onConfirm={end}
      onClose={onClose}
      failure={({ code }) => (code === 'expired' ? t('operator.announcements.endedBefore') : undefined)}
    >
      {t(state === 'coming' ? 'operator.announcements.endComing' : 'operator.announcements.endLead')}
    </ConfirmDialog>
  )
}
