import type { Contact } from '#contracts/contacts.ts'
import type { ContactRow } from './contacts.store.ts'

export const presentContact = ({ id, name, email, phone }: ContactRow): Contact => ({ id, name, email, phone })
