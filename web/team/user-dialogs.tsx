import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { NewTeamUser, type TeamUser } from '#contracts/accounts/team.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { orderNames } from '#contracts/rules/user.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { AddressField, RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import classes from './team.module.css'
import { madeQuery, teamApi, teamKeys, teamQuery } from './team.queries.ts'

const NewUser = z.pick(NewTeamUser, { email: true, first_name: true, last_name: true })

export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const [devices, setDevices] = useState<number[]>([])
  const form = useForm({
    schema: NewUser,
    submit: async (user) => {
      const { email } = await confirmed((options) => teamApi.invite({ body: { ...user, devices } }, options))
      showToast(t('team.added', { email }))
      await queries.invalidateQueries({ queryKey: teamKeys.all })
      onClose()
    },
    words: { email: t('error.email') },
    failure: ({ code }) => (code === 'email_exists' ? t('team.email_exists') : undefined),
  })
  return (
    <>
      <FormDialog title={t('team.add')} of={form} action={t('team.invite')} onClose={onClose}>
        <AddressField {...form.field('email')} required label={t('team.email')} autoComplete="off" />
        <NameFields field={form.field} />
        <TrackerTicks chosen={devices} onChange={setDevices} />
        <RequiredLegend />
      </FormDialog>
      {dialog}
    </>
  )
}

const Names = z.pick(NewTeamUser, { first_name: true, last_name: true })

/** Administrators see all trackers, so only their name can be changed. */
export function EditUserDialog({ user, isInPlace = false, onClose }: { user: TeamUser; isInPlace?: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const [devices, setDevices] = useState(user.devices)
  const seesAll = user.role === 'admin'
  const lost = user.devices.filter((id) => !devices.includes(id))
  const made = useMade(user.id, seesAll ? [] : lost)
  const form = useForm({
    schema: Names,
    submit: async (names) => {
      const body = seesAll ? names : { ...names, devices }
      await confirmed((options) => teamApi.change({ params: { id: user.id }, query: made.query, body }, options))
      showToast(t('form.saved'))
      await queries.invalidateQueries({ queryKey: teamKeys.all })
      onClose()
    },
  })
  return (
    <>
      <FormDialog title={t('team.edit')} lead={user.email} of={form} isInPlace={isInPlace} onClose={onClose}>
        <NameFields field={form.field} user={user} />
        {!seesAll && <TrackerTicks chosen={devices} onChange={setDevices} />}
        {made.list}
        <RequiredLegend />
      </FormDialog>
      {dialog}
    </>
  )
}

/** Confirms the removal, which deletes the user's account. */
export function RemoveUserDialog({ user: { id }, name, onClose }: { user: TeamUser; name: string; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const made = useMade(id, 'any')
  const remove = async () => {
    await confirmed((options) => teamApi.remove({ params: { id }, query: made.query }, options)).catch(ignoreGone)
    showToast(t('team.removed', { name }))
    queries.setQueryData(teamQuery().queryKey, (users) => users?.filter((user) => user.id !== id))
  }
  return (
    <>
      <ConfirmDialog
        title={t('team.removeAsk', { name })}
        action={t('team.remove')}
        isDanger
        onConfirm={remove}
        onClose={onClose}
        failure={({ code }) => (code === 'own_account' ? t('team.own_account') : undefined)}
      >
        <p>{t('team.removeLead')}</p>
        {made.list}
      </ConfirmDialog>
      {dialog}
    </>
  )
}

/** The links and keys that a user created for trackers that they lose, and whether the administrator keeps them. */
function useMade(id: number, lost: readonly number[] | 'any') {
  const { t } = useTranslation()
  const all = useQuery(madeQuery(id)).data
  const [isKept, setKept] = useState(false)
  const isLost = (device: { id: number }) => lost === 'any' || lost.includes(device.id)
  const links = all?.links.filter(({ devices }) => devices.some(isLost)) ?? []
  const keys = all?.keys.filter(({ device }) => isLost(device)) ?? []
  const contacts = lost === 'any' ? (all?.contacts ?? []) : []
  const networkKeys = lost === 'any' ? (all?.network_keys ?? []) : []
  const list = links.length + keys.length + contacts.length + networkKeys.length > 0 && (
    <fieldset className={classes.trackers}>
      <legend>{t(isKept ? 'team.madeKept' : 'team.madeEnds')}</legend>
      <ul>
        {links.map(({ uuid, label, devices }) => (
          <li key={uuid}>{t('team.madeLink', { label, trackers: devices.map(({ name }) => name).join(', ') })}</li>
        ))}
        {keys.map(({ id: key, label, device }) => (
          <li key={`key ${key}`}>{t(label ? 'team.madeKey' : 'team.madeKeyUnnamed', { label, tracker: device.name })}</li>
        ))}
        {networkKeys.map(({ id: key, label }) => (
          <li key={`network ${key}`}>{t(label ? 'team.madeNetworkKey' : 'team.madeNetworkKeyUnnamed', { label })}</li>
        ))}
        {contacts.map((contact) => (
          <li key={`contact ${contact.id}`}>{t('team.madeContact', { name: contact.name })}</li>
        ))}
      </ul>
      <CheckboxField checked={isKept} onChange={({ currentTarget }) => setKept(currentTarget.checked)}>
        {t('team.madeKeep')}
      </CheckboxField>
    </fieldset>
  )
  return { list, query: isKept ? { made: 'keep' as const } : {} }
}

type Field = { name: string; error: string | undefined; 'aria-invalid': boolean }

function NameFields({ field, user }: { field: (name: 'first_name' | 'last_name') => Field; user?: TeamUser }) {
  const { t, i18n } = useTranslation()
  const common = { required: true, maxLength: TEXT_LENGTH.personName, autoComplete: 'off' }
  const first = <TextField key="first" {...field('first_name')} {...common} label={t('team.firstName')} defaultValue={user?.first_name} />
  const last = <TextField key="last" {...field('last_name')} {...common} label={t('team.lastName')} defaultValue={user?.last_name} />
  return <div className={classes.names}>{orderNames(first, last, i18n.language)}</div>
}

type Props = { chosen: readonly number[]; onChange: (devices: number[]) => void }

function TrackerTicks({ chosen, onChange }: Props) {
  const { t } = useTranslation()
  const devices = useQuery(devicesQuery()).data
  const toggle = (id: number, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((each) => each !== id))
  return (
    <fieldset className={classes.trackers}>
      <legend>{t('team.see')}</legend>
      {devices?.length === 0 && <p>{t('trackers.none')}</p>}
      <div>
        {devices?.map(({ id, name }) => (
          <CheckboxField key={id} checked={chosen.includes(id)} onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}>
            {name}
          </CheckboxField>
        ))}
      </div>
    </fieldset>
  )
}
