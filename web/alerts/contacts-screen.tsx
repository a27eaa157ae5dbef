import { Button } from '@mantine/core'
import { IconMailQuestion, IconPlus, IconUsers } from '@tabler/icons-react'
import { useMutation, usePrefetchQuery, useQueryClient, useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { Contact } from '#contracts/contacts.ts'
import { ApiError, ignoreGone } from '#web/lib/api/api-error.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonBlock, SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Entries, Entry, EntryDisc } from '#web/ui/lists/entry.tsx'
import { Detail, Split, useChosen } from '#web/ui/lists/split.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { useAlertFormatter } from './alert.format.ts'
import { alertKeys, alertsQuery, contactsApi, contactsQuery } from './alerts.queries.ts'
import { ContactDialog } from './contact-dialog.tsx'

type Opened = { kind: 'add' } | { kind: 'edit' | 'remove'; contact: Contact }

export default function ContactsScreen() {
  const { t } = useTranslation()
  const [{ data: contacts }] = useSuspenseQueries({ queries: [contactsQuery(), sessionQuery()] })
  const [opened, setOpened] = useState<Opened | null>(null)
  const mayChange = useHasRight('changePlaces')
  const formats = useFormats()
  const close = () => setOpened(null)
  const navigate = useNavigate()
  const { chosen, to } = useChosen(mayChange ? contacts : [], 'id')
  const add = mayChange && (
    <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setOpened({ kind: 'add' })}>
      {t('contacts.add')}
    </Button>
  )
  return (
    <Page
      isNarrow={!chosen}
      isInAccount
      title={t('title.contacts')}
      count={contacts.length}
      actions={contacts.length > 0 && add}
      lead={!mayChange && t('tracker.blocked.readOnly')}
    >
      {contacts.length === 0 ? (
        <Empty icon={<IconUsers size={30} />} title={t('contacts.none')} action={add}>
          {t('contacts.lead')}
        </Empty>
      ) : (
        <Split details={chosen && <ContactDetails key={chosen.id} contact={chosen} />}>
          <Entries label={t('title.contacts')}>
            {contacts.map((contact) => (
              <Entry
                key={contact.id}
                name={contact.name}
                icon={<EntryDisc>{[...contact.name][0]?.toLocaleUpperCase()}</EntryDisc>}
                more={mayChange && (contact.mail_stopped_at ?? contact.mail_asked_at) ? <AskAgain contact={contact} /> : undefined}
                to={to?.(contact)}
                isChosen={contact.id === chosen?.id}
                onEdit={mayChange && !chosen ? () => setOpened({ kind: 'edit', contact }) : undefined}
                onDelete={mayChange ? () => setOpened({ kind: 'remove', contact }) : undefined}
              >
                <strong>{contact.name}</strong>
                <small>{contact.email}</small>
                {contact.phone && <small>{contact.phone}</small>}
                {contact.mail_asked_at && <small>{t('contacts.unanswered', { date: formats.date(contact.mail_asked_at) })}</small>}
                {contact.mail_stopped_at && <small>{t('contacts.stopped', { date: formats.date(contact.mail_stopped_at) })}</small>}
              </Entry>
            ))}
          </Entries>
        </Split>
      )}
      {opened?.kind === 'add' && <ContactDialog onSaved={(contact) => to && void navigate(to(contact))} onClose={close} />}
      {opened?.kind === 'edit' && <ContactDialog contact={opened.contact} onClose={close} />}
      {opened?.kind === 'remove' && <DeleteContactDialog contact={opened.contact} onClose={close} />}
    </Page>
  )
}

/** The form of a contact, and the alerts that are sent to them. */
function ContactDetails({ contact }: { contact: Contact }) {
  const hasAlerts = useFeature('alerts')
  return (
    <>
      <ContactDialog isInPlace contact={contact} onClose={() => undefined} />
      {hasAlerts && (
        <Part skeleton={<SkeletonRows count={2} />}>
          <ContactAlerts contact={contact.id} />
        </Part>
      )}
    </>
  )
}

function ContactAlerts({ contact }: { contact: number }) {
  const { t } = useTranslation()
  const describeAlert = useAlertFormatter()
  const alerts = useSuspenseQuery(alertsQuery()).data.filter(({ contacts }) => contacts.includes(contact))
  if (alerts.length === 0) return null
  return (
    <Detail title={t('title.alerts')}>
      <Entries label={t('title.alerts')}>
        {alerts.map((alert) => {
          const sentences = describeAlert(alert).join(' ')
          return (
            <Entry key={alert.id} name={alert.name || sentences} to={`/alerts/${encodeURIComponent(alert.id)}`}>
              <span>{sentences}</span>
              {alert.name && <small>{alert.name}</small>}
            </Entry>
          )
        })}
      </Entries>
    </Detail>
  )
}

/** Mails an unsubscribed contact a link to subscribe again; only that link does so. */
function AskAgain({ contact: { id, name } }: { contact: Contact }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => contactsApi.askAgain({ params: { id } }),
    onSuccess: () => showToast(t('contacts.asked', { name })),
    onError: (error) => {
      if (!(error instanceof ApiError) || error.isLeaving) return
      showToast(reasonOf(error))
      void queries.invalidateQueries({ queryKey: contactsQuery().queryKey })
    },
  })
  const reasonOf = ({ status, code }: ApiError) => {
    if (code === 'email_unconfirmed') return t('contacts.confirmFirst')
    return status === 429 ? t('contacts.askedToday', { name }) : t('error.general')
  }
  return <IconButton label={t('contacts.askAgain')} of={name} Icon={IconMailQuestion} onClick={() => !isPending && mutate()} />
}

/** Confirms the deletion and lists the alerts that would lose their only recipient: the server deletes them too. */
function DeleteContactDialog({ contact: { id, name }, onClose }: { contact: Contact; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  usePrefetchQuery(alertsQuery())
  const remove = async () => {
    await contactsApi.remove({ params: { id } }).catch(ignoreGone)
    queries.setQueryData(contactsQuery().queryKey, (all) => all?.filter((contact) => contact.id !== id))
    // Deleting a vehicle alert changes the mode of its trackers.
    for (const queryKey of [alertKeys.all, trackerKeys.devices]) void queries.invalidateQueries({ queryKey })
    showToast(t('contacts.deleted'))
  }
  return (
    <ConfirmDialog isDanger title={t('contacts.deleteHeading', { name })} action={t('action.delete')} onConfirm={remove} onClose={onClose}>
      <p>{t('contacts.deleteLead', { name })}</p>
      <Part skeleton={<SkeletonBlock height={18} />}>
        <LostAlerts contact={id} />
      </Part>
    </ConfirmDialog>
  )
}

function LostAlerts({ contact }: { contact: number }) {
  const { t } = useTranslation()
  const describeAlert = useAlertFormatter()
  const alerts = useSuspenseQuery(alertsQuery()).data
  const lost = alerts.filter(({ contacts }) => contacts.every((id) => id === contact))
  if (lost.length === 0) return null
  return (
    <>
      <p>{t('contacts.deletesAlerts', { count: lost.length })}</p>
      <ul>
        {lost.map((alert) => (
          <li key={alert.id}>{[alert.name, ...describeAlert(alert)].filter(Boolean).join(' · ')}</li>
        ))}
      </ul>
    </>
  )
}
