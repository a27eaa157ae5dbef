import type { Habit } from '#scripts/contracts/port.ts'

/** What was received, what the contract expects there, how the portal handles it, and what to change in the backend. */
type Words = { came: string; wanted: string; effect: string; fix: string }

/** Deviations of whole responses, in addition to those of the fields that the portal's reader knows. */
type ResponseHabit =
  | 'read-anyway'
  | 'other-status'
  | 'other-refusal'
  | 'own-name'
  | 'none-as-404'
  | 'other-content-type'
  | 'error-body'
  | 'error-code'
  | 'no-endpoint'
  | 'other-scheme'

const UNKNOWN = 'shown as unknown or left empty'

const words: Record<Habit | ResponseHabit, Words> = {
  'number-as-text': {
    came: 'a number as text',
    wanted: 'a number',
    effect: 'read as the number; nothing is missing',
    fix: 'send the number without quotes (Django REST framework: COERCE_DECIMAL_TO_STRING = False)',
  },
  'text-as-number': { came: 'a number', wanted: 'text', effect: 'read as text; nothing is missing', fix: 'send it in quotes' },
  fraction: { came: 'a fraction', wanted: 'a whole number', effect: 'rounded', fix: 'round it before sending' },
  'boolean-as-text': {
    came: 'yes or no as 0, 1 or text',
    wanted: 'true or false',
    effect: 'read as yes or no; nothing is missing',
    fix: 'send the JSON values true and false',
  },
  'other-instant': {
    came: 'a time in another form',
    wanted: 'a time in UTC such as 2026-03-01T12:00:00Z, a date such as 2026-03-01',
    effect: 'read as that time; without a zone it is taken as UTC',
    fix: 'send times in UTC with a final Z, and dates as YYYY-MM-DD',
  },
  'other-case': {
    came: 'a known value in other letters',
    wanted: 'the value in lower case',
    effect: 'read as the known value; nothing is missing',
    fix: 'send the value exactly as the contract has it',
  },
  'id-as-text': {
    came: 'an id as text',
    wanted: 'a whole number',
    effect: 'kept; digits become the number',
    fix: 'send ids as numbers, if the backend has numbers',
  },
  'unknown-value': {
    came: 'a value that the list lacks',
    wanted: 'a value of the list',
    effect: 'shown as unknown, with a neutral icon',
    fix: 'send a listed value, or have the value added in contracts/',
  },
  'other-name': {
    came: 'the field under another name',
    wanted: 'the name of the contract',
    effect: 'read all the same; nothing is missing',
    fix: 'name the field as the contract does',
  },
  'other-place': {
    came: 'the field in another object, or in another form',
    wanted: 'the field where the contract has it',
    effect: 'read all the same; nothing is missing',
    fix: 'send it where and as the contract has it',
  },
  'other-position': {
    came: 'a position in another form, such as GeoJSON or WKT, or without an id',
    wanted: 'lat, lng, precision and datetime',
    effect: 'read all the same',
    fix: 'send the fields of the contract',
  },
  'number-for-range': {
    came: 'one number',
    wanted: 'an object with min and max',
    effect: 'both are taken to be that number; nothing is missing',
    fix: 'send the lowest and the highest as min and max',
  },
  absent: { came: 'nothing: the field is missing', wanted: 'the field', effect: UNKNOWN, fix: 'send the field' },
  unreadable: {
    came: 'a value of another kind',
    wanted: 'a value of the kind of the field',
    effect: UNKNOWN,
    fix: 'send the kind of value that the contract has',
  },
  'entry-left-out': {
    came: 'an entry without what it cannot be shown without, such as its id or its coordinates',
    wanted: 'complete entries',
    effect: 'not shown',
    fix: 'send what these entries lack',
  },
  'page-for-list': {
    came: 'a page of a list',
    wanted: 'the whole list',
    effect: 'every page is read, which takes longer; nothing is missing',
    fix: 'switch the pages off for this call',
  },
  'list-for-page': {
    came: 'a whole list',
    wanted: 'a page with count, next, previous and results',
    effect: 'read as the only page; nothing is missing',
    fix: 'send pages, because a long history takes long',
  },
  'other-page': {
    came: 'a page whose fields have other names',
    wanted: 'count, next, previous and results',
    effect: 'read all the same; nothing is missing',
    fix: 'name the fields as the contract does',
  },
  wrapped: {
    came: 'the object inside an envelope such as data',
    wanted: 'the object itself',
    effect: 'taken out of it; nothing is missing',
    fix: 'send the object without the envelope',
  },
  'body-not-expected': { came: 'a body', wanted: 'no body', effect: 'ignored', fix: 'send no body' },
  'read-anyway': {
    came: 'another form',
    wanted: 'the form of the contract',
    effect: 'read all the same; nothing is missing',
    fix: 'send it as the contract has it',
  },
  'other-status': {
    came: 'another status of success',
    wanted: 'the status of the contract',
    effect: 'taken as a success',
    fix: 'answer with the status and the body of the contract',
  },
  'other-refusal': {
    came: 'another status of a refusal',
    wanted: 'the status of the contract',
    effect: 'taken for the same refusal',
    fix: 'answer with the status of the contract',
  },
  'none-as-404': {
    came: '404 for a list without entries',
    wanted: 'an empty list',
    effect: 'read as an empty list; nothing is missing',
    fix: 'answer with an empty list',
  },
  'own-name': {
    came: 'the field under a name of its own',
    wanted: 'the name of the contract',
    effect: 'read as `names` in /config.json says; nothing is missing',
    fix: 'serve the /config.json of --write-config, or name the field as the contract does',
  },
  'other-content-type': {
    came: 'another content type',
    wanted: 'the content type of the contract',
    effect: 'read all the same; nothing is missing',
    fix: 'send the content type of the contract',
  },
  'error-body': {
    came: 'an error without detail and code',
    wanted: 'JSON with detail and code',
    effect: 'worded by its status alone, so a person reads a general text',
    fix: 'send {"detail": "…", "code": "…"} with every error, with a code of the contract',
  },
  'error-code': {
    came: 'another code',
    wanted: 'a code of this call',
    effect: 'a person may read a general text',
    fix: 'send the code that the contract has for this case',
  },
  'no-endpoint': {
    came: 'no such endpoint',
    wanted: 'an answer',
    effect: 'left out of the portal',
    fix: 'add the endpoint, or leave the feature out of `features` in /config.json',
  },
  'other-scheme': {
    came: 'another word before the token',
    wanted: 'Authorization: Bearer …',
    effect: 'sent as `auth` in /config.json says',
    fix: 'accept Bearer, or serve the /config.json of --write-config',
  },
}

const isWorded = (habit: string): habit is keyof typeof words => Object.hasOwn(words, habit)

/** A deviation without a description is named by its code. */
export const wordHabit = (habit: string): Words =>
  isWorded(habit)
    ? words[habit]
    : {
        came: habit.replaceAll('-', ' '),
        wanted: 'the form of the contract',
        effect: 'read all the same',
        fix: 'send it as the contract has it',
      }

export type KnownHabit = keyof typeof words
