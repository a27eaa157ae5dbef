import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { ApiError } from '#web/lib/api-error.ts'
import { controlsOf, emptyOnes, valuesOf } from './form-values.ts'

type Options<S extends z.ZodMiniObject> = {
  schema: S
  submit: (values: z.output<S>) => Promise<unknown>
  /** What to say when a field is refused, by the schema or by the server; otherwise "Check this field". */
  words?: { [field in keyof z.input<S> & string]?: string }
  /** What to say when the call fails, by code or status, in all or by field; undefined is the general sentence. */
  failure?: (error: ApiError, values: z.output<S>) => string | Record<string, string> | undefined
}

type Faults = Record<string, string | true>

/**
 * A form of uncontrolled fields with the contract's own schema. Empty mandatory fields come first and send nothing
 * refused fields are named at the field; a failed call keeps what was typed and says so in `failure`.
 */
export function useForm<S extends z.ZodMiniObject>({ schema, submit, words = {}, failure }: Options<S>) {
  const { t } = useTranslation()
  const [faults, setFaults] = useState<Faults>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isDirty, setDirty] = useState(false)
  const sending = useRef(false)
  const say = (field: string) => (words as Record<string, string | undefined>)[field] ?? t('error.invalid')

  const refuse = (form: HTMLFormElement, fields: string[], wordsFor: (field: string) => string | true, sentence: string | null) => {
    setFaults(Object.fromEntries(fields.map((field) => [field, wordsFor(field)])))
    setProblem(sentence)
    controlsOf(form)
      .find(({ name }) => fields.includes(name))
      ?.focus()
  }

  const failed = (form: HTMLFormElement, error: unknown, values: z.output<S>) => {
    if (!(error instanceof ApiError)) throw error
    if (error.isLeaving) return
    const said = failure?.(error, values)
    if (typeof said === 'object') return refuse(form, Object.keys(said), (field) => said[field] ?? true, null)
    const names = controlsOf(form).map(({ name }) => name)
    const refused = Object.keys(error.fields).filter((field) => names.includes(field))
    const sentence = said ?? (refused.length > 0 ? null : t('error.general'))
    refuse(form, refused, say, sentence)
  }

  const send = async (form: HTMLFormElement) => {
    const empty = emptyOnes(form).map(({ name }) => name)
    if (empty.length > 0) return refuse(form, empty, () => true, t('form.allFields'))
    const parsed = schema.safeParse(valuesOf(form))
    if (!parsed.success) return refuse(form, [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))], say, null)
    // At once: what is being sent may lead to another page, and is not to be asked about then.
    flushSync(() => {
      setFaults({})
      setProblem(null)
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
      onInput: ({ target }: FormEvent<HTMLFormElement>) => {
        setDirty(true)
        const name = (target as HTMLElement).getAttribute('name')
        if (name && faults[name]) setFaults(({ [name]: _, ...rest }) => rest)
      },
    },
    /** For a Mantine input: `<TextInput {...field('email')} />`. Mantine's PasswordInput does not mark itself invalid. */
    field: (name: keyof z.input<S> & string) => ({ name, error: faults[name], 'aria-invalid': faults[name] !== undefined }),
    isBusy,
    /** Something was typed that is not sent yet; for UnsavedGuard. */
    isDirty,
    /** The sentence for the whole form; show it with role=alert. */
    failure: problem,
  }
}
