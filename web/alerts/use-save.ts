import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { type Alert, alerts as contract } from '#contracts/alerts.ts'
import { showToast } from '#web/lib/toasts.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { useForm } from '#web/ui/form/use-form.ts'
import { calls } from './alerts.calls.ts'
import { alertsQuery } from './alerts.queries.ts'
import type { Told } from './sentences.ts'

/** The lists are form fields as text, so that an empty list counts as a missing field. */
const Form = z.object({
  name: contract.create.body.shape.name,
  devices: z.string(),
  contacts: z.string(),
  place: z.optional(z.string()),
})

export function useSave(alert: Alert | undefined, told: Told) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useForm({
    schema: Form,
    submit: async ({ name }) => {
      const body = { ...told, name: name || null }
      const saved = await (alert ? calls.update({ params: { id: alert.id }, body }) : calls.create({ body }))
      const { queryKey } = alertsQuery()
      queries.setQueryData(queryKey, (all) => all && [...all.filter(({ id }) => id !== saved.id), saved])
      // The server determines the order, and a vehicle alert changes the mode of its trackers.
      for (const key of [queryKey, devicesQuery().queryKey]) void queries.invalidateQueries({ queryKey: key })
      showToast(t('form.saved'))
      await navigate('/alerts')
    },
    failure: ({ code, status }) => {
      if (code === 'vehicle_only') return t('alerts.vehicleOnly')
      return status === 404 ? t('alerts.gone') : undefined
    },
  })
}
