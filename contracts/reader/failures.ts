import { isRecord } from './names.ts'

/**
 * Reads rejections of other frameworks: the invalid fields, the reasons, and additional data. Their texts are never shown; they only select
 * one of the portal's own messages.
 */

/** Why a field was rejected; `other` if the backend's message names no known reason. */
export type FieldReason = 'taken' | 'required' | 'invalid' | 'other'

export type OtherFailure = { fields?: Record<string, string[]>; reasons?: Record<string, FieldReason>; extras?: Record<string, unknown> }

/** The message of a body, or the fields that describe the error. */
const ABOUT_ITSELF =
  /^(detail|details|message|msg|error|errors|error_description|title|type|status|statuscode|success|code|instance|data|non_field_errors|timestamp|path)$/i
const FIELD_NAMES = ['field', 'param', 'property', 'name', 'path', 'loc', 'pointer', 'source']
const TEXT_NAMES = ['detail', 'message', 'msg', 'defaultMessage', 'description', 'title', 'code', 'type']

/** Reads the body of a rejection that does not have the contract's shape, with or without an envelope. */
export function readOtherFailure(body: unknown): OtherFailure {
  const parts = isRecord(body) ? [body, body.error, body.data].filter(isRecord) : []
  const fields = new Map<string, string[]>()
  const extras: Record<string, unknown> = {}
  const add = (name: string | undefined, texts: string[]) => {
    if (name && texts.length > 0) fields.set(toSnakeCase(name), [...(fields.get(toSnakeCase(name)) ?? []), ...texts])
  }
  for (const part of parts) {
    for (const errors of [part.errors, part.detail, part.details, part.error]) {
      if (Array.isArray(errors)) for (const each of errors) if (isRecord(each)) add(findFieldName(each), listTexts(each))
      if (isRecord(errors)) addNamed(errors, add)
    }
    addNamed(part, add)
    for (const [name, value] of Object.entries(part)) if (!ABOUT_ITSELF.test(name) && !isListOfTexts(value)) extras[name] = value
  }
  const reasons = [...fields].map(([name, texts]) => [name, findReason(texts)] as const)
  return {
    ...(fields.size > 0 && { fields: Object.fromEntries(fields), reasons: Object.fromEntries(reasons) }),
    ...(Object.keys(extras).length > 0 && { extras }),
  }
}

/** `{ field: "…" }`, `{ field: ["…"] }` and `{ field: [{ message }] }`. */
function addNamed(errors: Record<string, unknown>, add: (name: string, texts: string[]) => void) {
  for (const [name, value] of Object.entries(errors)) if (!ABOUT_ITSELF.test(name)) add(name, listTexts(value))
}

const isListOfTexts = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')

/** The messages of an error: the text itself, those of a list, or those of an object with a message and a code. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(listTexts)
  return isRecord(value) ? TEXT_NAMES.flatMap((name) => (typeof value[name] === 'string' ? [value[name]] : [])) : []
}

/** `email` of `{ field: "email" }`, `{ loc: ["body", "email"] }` and `{ source: { pointer: "/data/attributes/email" } }`. */
function findFieldName(error: Record<string, unknown>): string | undefined {
  const found = FIELD_NAMES.map((name) => error[name]).find((value) => value !== undefined)
  const named = isRecord(found) ? (found.pointer ?? found.parameter) : found
  const last = Array.isArray(named) ? named.at(-1) : named
  return typeof last === 'string' ? last.split(/[/.]/).at(-1) : undefined
}

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Phrases of rejections in the portal's languages, in which many backends respond; the first match counts. */
const WORDS: readonly [FieldReason, RegExp][] = [
  [
    'invalid',
    /not exist|n.existe pas|no existe|non esiste|não existe|existiert nicht|bestaat niet|finns inte|ei ole olemassa|nem létezik|neexistuje/i,
  ],
  [
    'taken',
    /already|\bexists?\b|taken|unique|in use|duplicate|registered|déjà|bereits|schon|vergeben|en uso|in uso|\bal in|bestaat|reeds|em uso|redan|käytössä|foglalt|existuje|(?<!\p{L})(?:ya|già|já|jo|már|již|už)(?!\p{L})|すでに|既に|使われて|使用されて|登録済|重複/iu,
  ],
  [
    'required',
    /requi|blank|empty|missing|\bnull\b|obb?ligat|vide\b|erforderlich|pflicht|darf nicht leer|vacío|vuoto|verplicht|leeg|vazio|krävs|tomt?\b|pakollinen|tyhjä|kötelező|üres|povinn|prázdn|必須|空/i,
  ],
  [
    'invalid',
    /valid|format|incorrect|malformed|wrong|not a\b|gültig|ungueltig|geldig|giltig|virheel|kelvolli|érvény|platn|無効|有効|正しい|正しく/i,
  ],
]

const findReason = (texts: readonly string[]): FieldReason =>
  WORDS.find(([, words]) => texts.some((text) => words.test(text)))?.[0] ?? 'other'
