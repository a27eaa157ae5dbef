import { Button } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Contact } from '#contracts/contacts.ts'
import { useMay } from '#web/signed-in/use-may.ts'
import { accountQuery } from '#web/trackers/trackers.queries.ts'
import { Empty } from '#web/ui/empty.tsx'
import { Entries, Entry, EntryDisc } from '#web/ui/entry.tsx'
import { Page } from '#web/ui/page.tsx'
import { ContactDialog } from './contact-dialog.tsx'
import { contactsQuery } from './contacts.queries.ts'
import { RemoveContact } from './remove-contact.tsx'

type Opened = { kind: 'add' } | { kind: 'edit' | 'remove'; contact: Contact }

export default function ContactsScreen() {
  const { t } = useTranslation()
  useSuspenseQuery(accountQuery())
  const contacts = useSuspenseQuery(contactsQuery()).data
  const [opened, setOpened] = useState<Opened | null>(null)
  const mayChange = useMay('changePlaces')
  const close = () => setOpened(null)
  const add = mayChange && (
    <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setOpened({ kind: 'add' })}>
      {t('contacts.add')}
    </Button>
  )
  return (
    <Page
      isNarrow
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
        <Entries label={t('title.contacts')}>
          {contacts.map((contact) => (
            <Entry
              key={contact.id}
              name={contact.name}
              icon={<EntryDisc>{[...contact.name][0]?.toLocaleUpperCase()}</EntryDisc>}
              onEdit={mayChange ? () => setOpened({ kind: 'edit', contact }) : undefined}
              onDelete={mayChange ? () => setOpened({ kind: 'remove', contact }) : undefined}
            >
              <strong>{contact.name}</strong>
              <small>{contact.email}</small>
              {contact.phone && <small>{contact.phone}</small>}
            </Entry>
          ))}
        </Entries>
      )}
      {opened?.kind === 'add' && <ContactDialog onClose={close} />}
      {opened?.kind === 'edit' && <ContactDialog contact={opened.contact} onClose={close} />}
      {opened?.kind === 'remove' && <RemoveContact contact={opened.contact} onClose={close} />}
    </Page>
  )
}
