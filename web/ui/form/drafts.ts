import { findUserName } from '#web/lib/api/user-name.ts'
import { buttonName } from '#web/ui/button-name.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
type Owner = string | null | undefined
type Draft = { owner: Owner; values: Map<string, string | boolean> }

const drafts = new Map<string, Draft>()

const GUEST_DETOURS = /^\/error\/*$/i
const MEMBER_DETOURS = /^\/(error|login)\/*$/i

/** Pages that a failed request redirects to; users return from them, so drafts survive them. */
export const isDetour = (pathname: string, isGuest: boolean) => (isGuest ? GUEST_DETOURS : MEMBER_DETOURS).test(pathname)

/**
 * Saves the text typed into a form, except passwords, when a failed request redirects the user, and restores it when the same user returns
 * to the same form: same address, same initial values.
 */
export function createDraft(form: HTMLFormElement, isGuest = false) {
  const { pathname } = window.location
  const place = formKey(form)
  let owner: Promise<Owner> | undefined
  let isEnded = false
  let stop = () => {}
  const found = drafts.get(place)
  if (found) {
    void findUserName(isGuest).then((name) => {
      // The form may have been replaced in the meantime; then its replacement gets the draft.
      if (isEnded || !form.isConnected) return
      if (drafts.get(place) === found) drafts.delete(place)
      if (found.owner === name) stop = fill(form, found.values)
    })
  }
  return {
    /** Records the owner of the draft as soon as something is typed. */
    begin: () => (owner ??= findUserName(isGuest)),
    keep() {
      const opener = form.closest('dialog')?.dataset.opener
      const values = new Map(listFields(form).map(([name, control]) => [name, isCheckable(control) ? control.checked : control.value]))
      void owner?.then((name) => {
        if (name === undefined) return
        drafts.set(place, { owner: name, values })
        if (opener) reopen(place, pathname, opener)
      })
    },
    end() {
      isEnded = true
      stop()
    },
  }
}

const isControl = (element: Element): element is Control =>
  element.matches('input, select, textarea') && !element.matches('[type=hidden], [type=password], [readonly]')

const isCheckable = (control: Control): control is HTMLInputElement => control.type === 'checkbox' || control.type === 'radio'

/** Fields keyed by their labels, because `name` attributes may be generated. */
const listFields = (form: HTMLFormElement): [string, Control][] => {
  const controls = [...form.elements].filter(isControl)
  const names = controls.map((control) => `${control.type} ${control.ariaLabel ?? control.labels?.[0]?.textContent ?? control.name}`)
  return controls.map((control, at) => [`${names[at]} ${names.slice(0, at).filter((name) => name === names[at]).length}`, control])
}

/** The path and the initial values of the text fields. Checkboxes are left out, because they may load later than the rest of the form. */
const formKey = (form: HTMLFormElement) => {
  const fields = listFields(form).filter(([, control]) => !isCheckable(control))
  return JSON.stringify([
    window.location.pathname,
    ...fields.map(([name, control]) => [name, 'defaultValue' in control && control.defaultValue]),
  ])
}

function fill(form: HTMLFormElement, values: Draft['values']) {
  const filled = new WeakSet<Control>()
  const fillIn = () => {
    for (const [name, control] of listFields(form)) {
      const value = values.get(name)
      if (value === undefined || filled.has(control)) continue
      setValue(control, value)
      if ((isCheckable(control) ? control.checked : control.value) === value) filled.add(control)
    }
  }
  // Computed before the first value is restored: a field may get another label, or appear, because of it.
  const observer = new MutationObserver(fillIn)
  observer.observe(form, { childList: true, subtree: true })
  fillIn()
  return () => observer.disconnect()
}

/** Restores a form in a dialog: clicks the button that opened it once the user is back on its page. */
function reopen(place: string, pathname: string, opener: string) {
  const look = () => {
    const here = window.location.pathname
    const draft = drafts.get(place)
    if (!draft || (here !== pathname && !isDetour(here, false))) return observer.disconnect()
    const button = here === pathname && [...document.querySelectorAll('button')].find((each) => buttonName(each) === opener)
    if (!button) return
    observer.disconnect()
    void findUserName().then((name) => {
      if (name !== draft.owner) return
      button.focus()
      button.click()
    })
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
}

/** Sets the value through the native setter and fires the events, so that React notices. */
function setValue(control: Control, value: string | boolean) {
  if (isCheckable(control)) {
    if (control.checked !== value) control.click()
    return
  }
  if (control.value === value) return
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
}
