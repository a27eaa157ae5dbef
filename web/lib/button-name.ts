/** What a button is called. */
export const buttonName = (button: HTMLButtonElement) => button.ariaLabel ?? button.textContent
