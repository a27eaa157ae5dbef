export const buttonName = (button: HTMLButtonElement) => button.ariaLabel ?? button.textContent
