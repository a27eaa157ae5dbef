import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/text.ts'
import { NewTracker } from '#contracts/trackers/trackers.ts'
import { conflict } from '#web/conflict/saved-conflict.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { trackersApi } from '#web/trackers/trackers.api.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { useForm } from '#web/ui/form/use-form.ts'

/** Form state for adding a tracker. Some rejections ask for the model or link to the conflict pages. */
export function useAddTracker() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [asksType, setAsksType] = useState(false)
  const [isTaken, setTaken] = useState(false)
  const submit = async (body: AddForm) => {
    setTaken(false)
    try {
      const device = await trackersApi.add({ body })
      const { queryKey } = devicesQuery()
      queries.setQueryData(queryKey, (devices) => devices && [device, ...devices.filter(({ id }) => id !== device.id)])
      void queries.invalidateQueries({ queryKey })
      conflict.clear()
      showToast(t('add.added'))
      await navigate(`/trackers/${encodeURIComponent(device.id)}`, { replace: true })
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
    schema: AddForm,
    submit,
    words: { identifier: t('add.invalidId'), serial: t('add.invalidSerial') },
    failure: ({ code, fields }) => {
      if (code === 'identifier_taken') return t('add.taken')
      return fields.type ? t('add.typeNeeded') : undefined
    },
  })
  return { ...form, asksType, isTaken }
}

const normalizeNumbers = ({ identifier, serial }: AddForm) => {
  const numbers = { identifier: normalizeIdentifier(identifier ?? ''), serial: normalizeSerial(serial ?? '') }
  return { ...(numbers.identifier && { identifier: numbers.identifier }), ...(numbers.serial && { serial: numbers.serial }) }
}

const parseableBy = (normalize: (text: string) => string | null) => z.string().check(z.refine((text) => normalize(text) !== null))

/** Rejects malformed numbers before a request is sent; serial checks are limited. */
const AddForm = z.object({
  ...NewTracker.shape,
  identifier: z.optional(parseableBy(normalizeIdentifier)),
  serial: z.optional(parseableBy(normalizeSerial)),
})
type AddForm = z.infer<typeof AddForm>
