import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { normalizeLine } from '#contracts/rules/reading/text.ts'
import { ApiError, wordsOf } from '#web/lib/api/api-error.ts'

type Options<S extends z.ZodMiniObject> = {
  schema: S
  submit: (values: z.output<S>) => Promise<unknown>
  /** Error text for a field rejected by the schema or the server; defaults to "Check this field". */
  words?: { [field in keyof z.input<S> & string]?: string }
  /**
   * Error text for a failed request, for the form or by field; undefined selects the general message. Must be pure, because it runs on
   * every render.
   */
  failure?: (error: ApiError, values: z.output<S>) => string | Record<string, string> | undefined
}

/** Why the form was not accepted. Stored without text and translated on each render, so that the text follows a change of language. */
type Refusal<V> = { fields: readonly string[] } & (
  | { why: 'missing'; form: HTMLFormElement }
  | { why: 'invalid' }
  | { why: 'failed'; error: ApiError; values: V; isNamed: boolean }
)

const fieldNames = (controls: readonly { name: string }[]) => controls.map(({ name }) => name)

/**
 * A form of uncontrolled fields validated by a contract schema. Empty required fields are reported first and nothing is sent; rejected
 * fields are marked; a failed request keeps the input and sets `failure`.
 */
export function useForm<S extends z.ZodMiniObject>({ schema, submit, words = {}, failure }: Options<S>) {
  const { t } = useTranslation()
  const [refusal, setRefusal] = useState<Refusal<z.output<S>> | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isDirty, setDirty] = useState(false)
  const sending = useRef(false)

  // Controlled checkbox lists fire no form event, so missing fields are checked again after each render.
  useLayoutEffect(() => {
    if (refusal?.why !== 'missing') return
    const empty = fieldNames(findEmptyFields(refusal.form))
    const fields = refusal.fields.filter((field) => empty.includes(field))
    if (fields.length < refusal.fields.length) setRefusal({ ...refusal, fields })
  })

  const showRefusal = (form: HTMLFormElement, why: Refusal<z.output<S>>) => {
    setRefusal(why)
    listControls(form)
      .find(({ name }) => why.fields.includes(name))
      ?.focus()
  }

  const handleFailure = (form: HTMLFormElement, error: unknown, values: z.output<S>) => {
    if (!(error instanceof ApiError)) throw error
    if (error.isLeaving) return
    const explanation = failure?.(error, values)
    const names = fieldNames(listControls(form))
    const fields = Object.keys(typeof explanation === 'object' ? explanation : error.fields).filter((field) => names.includes(field))
    showRefusal(form, { why: 'failed', fields, error, values, isNamed: fields.length > 0 })
  }

  const send = async (form: HTMLFormElement) => {
    const empty = fieldNames(findEmptyFields(form))
    if (empty.length > 0) return showRefusal(form, { why: 'missing', fields: empty, form })
    const parsed = schema.safeParse(readFormValues(form))
    if (!parsed.success) return showRefusal(form, { why: 'invalid', fields: parsed.error.issues.map(({ path }) => String(path[0])) })
    // Synchronous, because `submit` may navigate, and UnsavedGuard must not ask about a form that is being sent.
    flushSync(() => {
      setRefusal(null)
      setBusy(true)
      setDirty(false)
    })
    await submit(parsed.data)
      .catch((error: unknown) => {
        setDirty(true)
        handleFailure(form, error, parsed.data)
      })
      .finally(() => setBusy(false))
  }

  const explanation = refusal?.why === 'failed' ? failure?.(refusal.error, refusal.values) : undefined
  const fieldError = (field: string) => {
    if (refusal?.why === 'missing') return t('form.missing')
    const own: Record<string, string | undefined> = { ...words, ...(typeof explanation === 'object' && explanation) }
    const key = refusal?.why === 'failed' && typeof explanation !== 'object' && refusal.error.words[field]
    return (key ? t(key) : own[field]) ?? t('error.invalid')
  }
  const formError = () => {
    if (refusal?.why === 'missing') return refusal.fields.length > 0 ? t('form.allFields') : null
    if (refusal?.why !== 'failed' || typeof explanation === 'object') return null
    return explanation ?? (refusal.isNamed ? null : t(wordsOf(refusal.error)))
  }

  return {
    /** Props of the `<form>` element. */
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
      /** Updates state in the same render as the handler of the field; otherwise a controlled list would lose its selection. */
      onChange: ({ target }: FormEvent<HTMLFormElement>) => {
        setDirty(true)
        const name = (target as HTMLElement).getAttribute('name')
        // Missing fields are left to the effect above, which needs another render.
        setRefusal((now) => now && { ...now, fields: now.fields.filter((field) => now.why === 'missing' || field !== name) })
      },
    },
    /**
     * Props of a Mantine input: `<TextInput {...field('email')} />`. Includes aria-invalid, which Mantine's PasswordInput does not set
     * itself.
     */
    field: (name: keyof z.input<S> & string) => {
      const isRefused = refusal?.fields.includes(name) ?? false
      return { name, error: isRefused ? fieldError(name) : undefined, 'aria-invalid': isRefused }
    },
    isBusy,
    /** Whether there is unsent input; pass it to UnsavedGuard. */
    isDirty,
    /** Error of the whole form; render it with FormAlert. */
    failure: formError(),
  }
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element): element is Control => 'name' in element && element.getAttribute('name') !== null && 'value' in element

export const listControls = (form: HTMLFormElement) => [...form.elements].filter(isControl)

const isTick = (control: Control): control is HTMLInputElement => control instanceof HTMLInputElement && control.type === 'checkbox'

/** Form values by name: text, or a boolean for a checkbox. A field whose text depends on the language has its value in `data-value`. */
export const readFormValues = (form: HTMLFormElement): Record<string, string | boolean> => {
  const data = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const controls = listControls(form)
  const ticks = controls.filter(isTick)
  const values = controls.flatMap(({ name, dataset: { value } }) => (value === undefined ? [] : [[name, value] as const]))
  return {
    ...Object.fromEntries(data),
    ...Object.fromEntries(values),
    ...Object.fromEntries(ticks.map(({ name, checked }) => [name, checked])),
  }
}

/** Required fields without visible text, in form order. A radio group is empty when nothing is chosen. */
export const findEmptyFields = (form: HTMLFormElement) => {
  const values = readFormValues(form)
  const isEmpty = (control: Control) => {
    if (isTick(control)) return !control.checked
    if (control.type === 'radio') return values[control.name] === undefined
    return (control.type === 'password' ? control.value.trim() : normalizeLine(control.value)) === ''
  }
  return listControls(form).filter((control) => control.required && isEmpty(control))
}
