type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element): element is Control => 'name' in element && element.getAttribute('name') !== null && 'value' in element

export const listControls = (form: HTMLFormElement) => [...form.elements].filter(isControl)

const isTick = (control: Control): control is HTMLInputElement => control instanceof HTMLInputElement && control.type === 'checkbox'

/** Form values by name: text, or a boolean for a checkbox. */
export const readFormValues = (form: HTMLFormElement): Record<string, string | boolean> => {
  const data = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const ticks = listControls(form).filter(isTick)
  return { ...Object.fromEntries(data), ...Object.fromEntries(ticks.map(({ name, checked }) => [name, checked])) }
}

/** Required fields without a value, in form order. A radio group is empty when nothing is chosen. */
export const findEmptyFields = (form: HTMLFormElement) => {
  const values = readFormValues(form)
  const isEmpty = (control: Control) => {
    if (isTick(control)) return !control.checked
    return control.type === 'radio' ? values[control.name] === undefined : control.value.trim() === ''
  }
  return listControls(form).filter((control) => control.required && isEmpty(control))
}
