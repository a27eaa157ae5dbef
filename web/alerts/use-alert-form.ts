import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import type { User } from '#contracts/accounts/users.ts'
import { type Alert, alerts as contract } from '#contracts/alerts.ts'
import type { Contact } from '#contracts/contacts.ts'
import { withUnlisted } from '#contracts/lib/unknown-values.ts'
import { ACCOUNT_LIMITS } from '#contracts/limits/account-limits.ts'
import { TRIGGERS, type Trigger } from '#contracts/rules/geo/place.ts'
import { supportsVehicleAlert } from '#contracts/rules/tracking/alert.ts'
import { hasDeadline, isPairRule } from '#contracts/rules/tracking/rules/rule.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { showToast } from '#web/lib/toasts.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { type AlertContent, ME } from './alert.format.ts'
import { alertKeys, alertsApi, alertsQuery, contactsApi, contactsQuery } from './alerts.queries.ts'

/** The lists are form fields as text, so that an empty list counts as a missing field. */
const Form = z.object({
  name: contract.create.body.shape.name,
  devices: z.string(),
  contacts: z.string(),
  place: z.optional(z.string()),
})

export function useAlertForm(alert: Alert | undefined, content: AlertContent, me: User) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useForm({
    schema: Form,
    submit: async ({ name }) => {
      // An unlisted trigger is sent back unchanged.
      const contacts = await resolveContacts(content.contacts, me, queries)
      const body = {
        ...content,
        contacts,
        trigger: content.trigger as Trigger | null,
        name: name || null,
        // A change keeps what is left out.
        ...(alert?.rule && !content.rule && { rule: null }),
        ...(alert?.schedule && !content.schedule && { schedule: null }),
      }
      const saved = await (alert ? alertsApi.update({ params: { id: alert.id }, body }) : alertsApi.create({ body }))
      const { queryKey } = alertsQuery()
      queries.setQueryData(queryKey, (all) => all && [...all.filter(({ id }) => id !== saved.id), saved])
      // The server determines the order, and a vehicle alert changes the mode of its trackers.
      for (const key of [alertKeys.all, trackerKeys.devices]) void queries.invalidateQueries({ queryKey: key })
      showToast(t('form.saved'))
      await navigate('/alerts', { state: { saved: saved.id } })
    },
    failure: ({ code, status, extras }) => {
      if (code === 'vehicle_only') return t('alerts.vehicleOnly')
      // The first alert that notifies the user also adds them as a contact.
      if (code === 'limit_reached' && extras.of === 'contacts') return t('limit.contacts', { n: ACCOUNT_LIMITS.contacts })
      if (code === 'limit_reached') return t('limit.alerts', { n: ACCOUNT_LIMITS.alerts })
      return status === 404 ? t('alerts.gone') : undefined
    },
  })
}

/** The contacts of an alert; the user becomes one of them with the first alert that notifies the user. */
async function resolveContacts(ids: readonly number[], me: User, queries: QueryClient) {
  if (!ids.includes(ME)) return [...ids]
  const own = findOwnContact(await queries.ensureQueryData(contactsQuery()), me) ?? (await createOwnContact(me, queries))
  return [...new Set(ids.map((id) => (id === ME ? own.id : id)))]
}

async function createOwnContact({ first_name, last_name, email }: User, queries: QueryClient) {
  const contact = await contactsApi.create({ body: { name: `${first_name} ${last_name}`.trim() || email, email } })
  void queries.invalidateQueries({ queryKey: contactsQuery().queryKey })
  return contact
}

export const findOwnContact = (contacts: readonly Contact[], me: User) =>
  contacts.find(({ email }) => email.toLowerCase() === me.email.toLowerCase())

/** Fields that a link to a new alert may fill in. */
export type AlertStart = { devices?: readonly number[]; place?: number | undefined; isUnusual?: boolean }

/**
 * State of an alert being edited. The vehicle alert hides trackers that cannot have it, but their selection returns when it is switched
 * off.
 */
export function useAlertDraft(alert: Alert | undefined, all: readonly Device[], me: User, start: AlertStart = {}) {
  const [devices, setDevices] = useState(alert?.devices ?? [...(start.devices ?? [])])
  const [contacts, setContacts] = useState(alert?.contacts ?? (me.email ? [ME] : []))
  const [trigger, setTrigger] = useState<string>(alert?.trigger ?? 'enter')
  const [place, setPlace] = useState(alert?.place ?? start.place ?? null)
  const [isVehicle, setVehicle] = useState(alert?.vehicle_alert ?? false)
  const [rule, setRule] = useState(alert?.rule ?? (start.isUnusual ? ({ kind: 'unusual' } as const) : undefined))
  const [schedule, setSchedule] = useState(alert?.schedule)
  const pause = alert?.pause
  const offered = isVehicle && !rule ? all.filter(({ kind }) => supportsVehicleAlert(kind)) : all
  const known = devices.filter((id) => offered.some((device) => device.id === id))
  const chosen = isPairRule(rule ?? null) ? known.slice(0, 2) : known
  // Only the API can create an alert for both a geofence and a vehicle; editing preserves both.
  const isBoth = isVehicle && alert?.vehicle_alert === true && alert.trigger !== null
  const isBordered = !rule && (!isVehicle || isBoth)
  const isAtPlace = isBordered || (rule !== undefined && hasDeadline(rule))
  const watches = { place: isAtPlace ? place : null, trigger: isBordered ? trigger : null }
  return {
    offered,
    triggers: withUnlisted(TRIGGERS, alert?.trigger ?? undefined),
    content: {
      devices: chosen,
      contacts,
      ...watches,
      vehicle_alert: isVehicle && !rule,
      ...(rule && { rule }),
      ...(schedule && { schedule }),
      ...(pause && { pause }),
    },
    asksPlace: isAtPlace,
    asksTrigger: isBordered,
    setDevices,
    setContacts,
    setTrigger,
    setPlace,
    setVehicle,
    setRule,
    setSchedule,
  }
}

export type AlertDraft = ReturnType<typeof useAlertDraft>
