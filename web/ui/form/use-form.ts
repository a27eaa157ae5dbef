import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { ApiError } from '#web/lib/api/api-error.ts'
import { controlsOf, emptyOnes, valuesOf } from './form-values.ts'

type Options<S extends z.ZodMiniObject> = {
  schema: S
  submit: (values: z.output<S>) => Promise<unknown>
  /** What to say when a field is refused, by the schema or by the server; otherwise "Check this field". */
  words?: { [field in keyof z.input<S> & string]?: string }
  /** What to say when the call fails, by code or status, in all or by field; undefined is the general sentence. Only words. */
  failure?: (error: ApiError, values: z.output<S>) => string | Record<string, string> | undefined
}

/** What stands in the way, kept as it was found and worded whenever it is drawn: in the language of that moment. */
type Refusal<V> = { fields: readonly string[] } & (
  | { why: 'missing'; form: HTMLFormElement }
  | { why: 'invalid' }
  | { why: 'failed'; error: ApiError; values: V; isNamed: boolean }
)

const namesOf = (controls: readonly { name: string }[]) => controls.map(({ name }) => name)

/**
 * A form of uncontrolled fields with the contract's own schema. Empty mandatory fields come first and send nothing
 * refused fields are named at the field; a failed call keeps what was typed and says so in `failure`.
 */
export function useForm<S extends z.ZodMiniObject>({ schema, submit, words = {}, failure }: Options<S>) {
  const { t } = useTranslation()
  const [refusal, setRefusal] = useState<Refusal<z.output<S>> | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isDirty, setDirty] = useState(false)
  const sending = useRef(false)

  // A list of ticks tells the form nothing when it is drawn anew: what is missing still is looked up each time.
  useLayoutEffect(() => {
    if (refusal?.why !== 'missing') return
    const empty = namesOf(emptyOnes(refusal.form))
    const fields = refusal.fields.filter((field) => empty.includes(field))
    if (fields.length < refusal.fields.length) setRefusal({ ...refusal, fields })
  })

  const refuse = (form: HTMLFormElement, why: Refusal<z.output<S>>) => {
    setRefusal(why)
    controlsOf(form)
      .find(({ name }) => why.fields.includes(name))
      ?.focus()
  }

  const failed = (form: HTMLFormElement, error: unknown, values: z.output<S>) => {
    if (!(error instanceof ApiError)) throw error
    if (error.isLeaving) return
    const said = failure?.(error, values)
    const names = namesOf(controlsOf(form))
    const fields = Object.keys(typeof said === 'object' ? said : error.fields).filter((field) => names.includes(field))
    refuse(form, { why: 'failed', fields, error, values, isNamed: fields.length > 0 })
  }

  const send = async (form: HTMLFormElement) => {
    const empty = namesOf(emptyOnes(form))
    if (empty.length > 0) return refuse(form, { why: 'missing', fields: empty, form })
    const parsed = schema.safeParse(valuesOf(form))
    if (!parsed.success) return refuse(form, { why: 'invalid', fields: parsed.error.issues.map(({ path }) => String(path[0])) })
    // At once: what is being sent may lead to another page, and is not to be asked about then.
    flushSync(() => {
      setRefusal(null)
      setBusy(true)
      setDirty(false)
    })
    await submit(parsed.data)
      .catch((error: unknown) => {
        setDirty(true)
        failed(form, error, parsed.data)
      })
      .finally(() => setBusy(false))
  }

  const said = refusal?.why === 'failed' ? failure?.(refusal.error, refusal.values) : undefined
  const wordsFor = (field: string) => {
    if (refusal?.why === 'missing') return t('form.missing')
    const own: Record<string, string | undefined> = { ...words, ...(typeof said === 'object' && said) }
    return own[field] ?? t('error.invalid')
  }
  const sentence = () => {
    if (refusal?.why === 'missing') return refusal.fields.length > 0 ? t('form.allFields') : null
    if (refusal?.why !== 'failed' || typeof said === 'object') return null
    return said ?? (refusal.isNamed ? null : t('error.general'))
  }

  return {
    /** For `<form {...form}>`. */
    form: {
      noValidate: true,
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        if (sending.current) return
        sending.current = true
        void send(event.currentTarget).finally(() => {
          sending.current = false
        })
      },
      /** In one with the field's own: drawn between the two, a list that is told its value would lose what was chosen. */
      onChange: ({ target }: FormEvent<HTMLFormElement>) => {
        setDirty(true)
        const name = (target as HTMLElement).getAttribute('name')
        // What is missing is left to the effect above: it has to be drawn once more for that.
        setRefusal((now) => now && { ...now, fields: now.fields.filter((field) => now.why === 'missing' || field !== name) })
      },
    },
    /** For a Mantine input: `<TextInput {...field('email')} />`. Mantine's PasswordInput does not mark itself invalid. */
    field: (name: keyof z.input<S> & string) => {
      const isRefused = refusal?.fields.includes(name) ?? false
      return { name, error: isRefused ? wordsFor(name) : undefined, 'aria-invalid': isRefused }
    },
    isBusy,
    /** Something was typed that is not sent yet; for UnsavedGuard. */
    isDirty,
    /** The sentence for the whole form; show it with role=alert. */
    failure: sentence(),
  }
}
