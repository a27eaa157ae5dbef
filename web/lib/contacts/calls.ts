import { contacts } from '#contracts/contacts.ts'
import { createClient } from '#web/lib/api.ts'
import { outside } from '#web/lib/outside.ts'

export const calls = createClient(contacts, outside)
