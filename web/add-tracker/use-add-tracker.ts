import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { NewTracker } from '#contracts/trackers/trackers.ts'
import { conflict } from '#web/conflict/saved-conflict.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { phonesApi, trackersApi } from '#web/trackers/trackers.api.ts'
import { addToCachedDevices } from '#web/trackers/trackers.queries.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import type { AddedBy } from './number-field.tsx'

/**
 * Form state for adding a tracker. Some rejections ask for the model or link to the conflict pages. A phone is connected on the page of its
 * tracker.
 */
export function useAddTracker(by: AddedBy, onAdded?: () => void) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [asksType, setAsksType] = useState(false)
  const [isTaken, setTaken] = useState(false)
  const submit = async (body: TrackerForm) => {
    setTaken(false)
    try {
      const device = await (by === 'phone' ? phonesApi.add({ body }) : trackersApi.add({ body }))
      onAdded?.()
      addToCachedDevices(queries, device)
      conflict.clear()
      showToast(t('add.added'))
      await navigate(`/trackers/${encodeURIComponent(device.id)}${by === 'phone' ? '?sheet=phones' : ''}`, { replace: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.fields.type) setAsksType(true)
      if (error.code === 'identifier_taken') {
        conflict.save(normalizeNumbers(body))
        setTaken(true)
      }
      throw error
    }
  }
  const form = useForm({
    schema: TrackerForm,
    submit,
    words: { identifier: t('add.invalidId'), serial: t('add.invalidSerial') },
    failure: ({ code, fields }) => {
      if (code === 'identifier_taken') return t('add.taken')
      if (code === 'not_in_stock' || code === 'blocked') return nameFields(fields, t(`add.${code}`))
      return fields.type ? t('add.typeNeeded') : undefined
    },
  })
  return { ...form, asksType, isTaken }
}

const normalizeNumbers = ({ identifier, serial }: TrackerForm) => {
  const numbers = { identifier: normalizeIdentifier(identifier ?? ''), serial: normalizeSerial(serial ?? '') }
  return { ...(numbers.identifier && { identifier: numbers.identifier }), ...(numbers.serial && { serial: numbers.serial }) }
}

const nameFields = (fields: object, reason: string) => Object.fromEntries(Object.keys(fields).map((name) => [name, reason]))

const parseableBy = (normalize: (text: string) => string | null) => z.string().check(z.refine((text) => normalize(text) !== null))

/** Rejects malformed numbers before a request is sent; serial checks are limited. */
const TrackerForm = z.object({
  ...NewTracker.shape,
  identifier: z.optional(parseableBy(normalizeIdentifier)),
  serial: z.optional(parseableBy(normalizeSerial)),
})
type TrackerForm = z.infer<typeof TrackerForm>
